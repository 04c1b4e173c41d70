import { el } from './dom';

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'to the caller or the widest callee, as drawn'],
  ['← →', 'to the neighbour in the same row'],
  ['Home  End', 'to the first or last frame of the same caller'],
  ['Enter  Space', 'zoom to the focused frame'],
  ['Escape', 'reset the zoom'],
  ['Backspace', 'back to the previous view'],
  ['+  −', 'closer, farther'],
  ['a  d', 'move sideways'],
  ['/', 'search'],
  ['n  p', 'next, previous match (widest first)'],
  ['m  Shift F10', 'menu of the focused frame'],
  ['s', 'callers and callees of the focused frame'],
  ['h', 'hide the focused frame'],
  ['i', 'root at top or bottom'],
  ['?', 'this help'],
];

const POINTER: readonly (readonly [string, string])[] = [
  ['Click', 'zoom to a frame'],
  ['Double click', 'reset the zoom'],
  ['Ctrl or ⌘ + wheel, pinch', 'closer, farther'],
  ['Drag, sideways wheel', 'move'],
  ['Right click, long press', 'menu of a frame'],
];

export class Help {
  readonly element = el('dialog', { class: 'hl-help', 'aria-label': 'Help' });

  constructor() {
    const list = (rows: readonly (readonly [string, string])[]) =>
      el('dl', {}, ...rows.map(([key, text]) => el('div', {}, el('dt', {}, key), el('dd', {}, text))));
    const close = el('button', { type: 'button', click: () => this.element.close() }, 'Close');
    this.element.append(
      el('h2', {}, 'Reading the graph'),
      el(
        'p',
        {},
        'A frame is a method in its calling context; its width is what it and its callees spent. ' +
          'Self is what it spent itself. Hiding a frame gives its place to its callees and its self to its caller.',
      ),
      el('h2', {}, 'Keys, while the graph has the focus'),
      list(KEYS),
      el('h2', {}, 'Pointer'),
      list(POINTER),
      close,
    );
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  show(): void {
    if (!this.element.open) this.element.showModal();
  }
}
