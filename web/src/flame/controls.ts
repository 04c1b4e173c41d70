import type { Model } from './model';
import type { Colouring, State, View } from './state';
import { choice, el } from './dom';

export interface ControlActions {
  change(part: Partial<State>): void;
  view(view: View): void;
  step(direction: 1 | -1): void;
  panel(name: 'threads' | 'methods'): void;
  showAll(): void;
  theme(): void;
  help(): void;
}

/** What the controls show besides the state. */
export interface Readout {
  matches: string;
  notice: string;
  hidden: number;
  threads: string;
  panel: 'threads' | 'methods' | null;
  theme: 'light' | 'dark';
}

const VIEWS: readonly [View, string, string][] = [
  ['top-down', 'Top-down', 'From the entry points to what they call'],
  ['bottom-up', 'Bottom-up', 'From where resources were spent to the callers'],
  ['sandwich', 'Sandwich', 'Callers and callees of one method, over all its calls'],
];

const SEARCH_DELAY_MILLIS = 150;

/** The row of controls. It shows a state and asks for another; it keeps none. */
export class Controls {
  readonly element = el('div', { class: 'hl-toolbar' });
  readonly search = el('input', {
    type: 'search',
    placeholder: 'Search (regular expression)',
    'aria-label': 'Search frames by regular expression',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  readonly themeButton: HTMLButtonElement;
  readonly helpButton: HTMLButtonElement;
  private readonly views = new Map<View, HTMLButtonElement>();
  private readonly selects = new Map<keyof State, HTMLSelectElement>();
  private readonly matches = el('output', { class: 'hl-matches' });
  private readonly notice = el('div', { class: 'hl-notice', role: 'status' });
  private readonly previous = button('‹', 'Previous match', () => this.actions.step(-1));
  private readonly next = button('›', 'Next match', () => this.actions.step(1));
  private readonly threads = button('Threads', 'Choose threads', () => this.actions.panel('threads'));
  private readonly methods = button('Methods', 'List methods', () => this.actions.panel('methods'));
  private readonly flip = button('Root at top', 'Root at top or bottom', () => this.flipRoot());
  private readonly lines = button('Lines', 'Keep lines and kinds of a method apart', () =>
    this.toggleLines(),
  );
  private readonly showAll = button('', 'Show all hidden frames', () => this.actions.showAll());
  private state: State | null = null;
  private timer = 0;

  constructor(
    model: Model,
    graph: string,
    oneResource: boolean,
    private readonly actions: ControlActions,
  ) {
    this.themeButton = button('', 'Light or dark', () => actions.theme());
    this.helpButton = button('?', 'Help and keys', () => actions.help());
    this.threads.classList.add('hl-opens');
    this.methods.classList.add('hl-opens');
    this.element.append(this.viewSwitch(), this.searchGroup(graph));
    const options = el('div', { class: 'hl-group' });
    for (const control of this.choices(model, oneResource)) options.append(control);
    options.append(this.flip, this.lines, this.showAll);
    const lists = el('div', { class: 'hl-group' });
    if (model.head.threads.length > 0) lists.append(this.threads);
    lists.append(this.methods);
    this.element.append(lists, options, this.notice);
  }

  sync(state: State, readout: Readout): void {
    this.state = state;
    for (const [view, control] of this.views) press(control, view === state.view);
    for (const [key, select] of this.selects) select.value = state[key];
    if (document.activeElement !== this.search || this.timer === 0) this.search.value = state.search;
    this.matches.textContent = readout.matches;
    this.previous.disabled = this.next.disabled = readout.matches === '';
    this.notice.textContent = readout.notice;
    this.threads.textContent = readout.threads;
    press(this.threads, readout.panel === 'threads', 'aria-expanded');
    press(this.methods, readout.panel === 'methods', 'aria-expanded');
    this.flip.textContent = state.root === 'top' ? 'Root at top' : 'Root at bottom';
    press(this.flip, state.root === 'bottom');
    this.flip.disabled = state.view === 'sandwich';
    press(this.lines, state.lines === 'keep');
    this.showAll.hidden = readout.hidden === 0;
    this.showAll.textContent = `Show all (${readout.hidden} hidden)`;
    this.themeButton.textContent = readout.theme === 'dark' ? '☀' : '☾';
    this.themeButton.setAttribute(
      'aria-label',
      readout.theme === 'dark' ? 'Use light colours' : 'Use dark colours',
    );
  }

  private viewSwitch(): HTMLElement {
    const group = el('div', { class: 'hl-switch', role: 'group', 'aria-label': 'View' });
    for (const [view, text, title] of VIEWS) {
      const control = el('button', { type: 'button', title, click: () => this.actions.view(view) }, text);
      this.views.set(view, control);
      group.append(control);
    }
    return group;
  }

  private searchGroup(graph: string): HTMLElement {
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.searchNow(), SEARCH_DELAY_MILLIS);
    });
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        this.searchNow();
        this.actions.step(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        this.search.value = '';
        this.searchNow();
      } else {
        return;
      }
      event.preventDefault();
    });
    return el(
      'div',
      { class: 'hl-search', role: 'search', 'aria-label': `${graph}: search` },
      this.search,
      this.matches,
      this.previous,
      this.next,
    );
  }

  private searchNow(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.search.value !== this.state?.search) this.actions.change({ search: this.search.value });
  }

  private choices(model: Model, oneResource: boolean): HTMLElement[] {
    const { columns, compare } = model.head;
    const made: HTMLElement[] = [];
    const add = (key: keyof State, label: string, options: [string, string][]) => {
      const { element, select } = choice(label, options, (value) => this.actions.change({ [key]: value }));
      this.selects.set(key, select);
      made.push(element);
    };
    if (compare) {
      add('basis', 'Width', [
        ['both', 'mean of both'],
        ['baseline', 'baseline'],
        ['current', 'current'],
      ]);
    } else if (columns.length > 1 && !oneResource) {
      add(
        'resource',
        'Resource',
        columns.map((column) => [column.name, column.name]),
      );
    }
    const colourings: [Colouring, string][] = [
      ['package', 'package'],
      ['kind', 'frame kind'],
    ];
    if (compare) colourings.unshift(['change', 'change']);
    add('colour', 'Colour', colourings);
    add('order', 'Order', [
      ['value', 'by value'],
      ['name', 'by name'],
    ]);
    return made;
  }

  private flipRoot(): void {
    this.actions.change({ root: this.state?.root === 'top' ? 'bottom' : 'top' });
  }

  private toggleLines(): void {
    this.actions.change({ lines: this.state?.lines === 'keep' ? 'fold' : 'keep' });
  }
}

export function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  // A label that differs from the visible text would keep speech control from finding the button.
  const worded = /[a-z]/i.test(text) || text === '';
  const made = el('button', { type: 'button', title: label, click: onClick }, text);
  if (!worded) made.setAttribute('aria-label', label);
  return made;
}

function press(control: HTMLElement, pressed: boolean, attribute = 'aria-pressed'): void {
  control.setAttribute(attribute, String(pressed));
}
