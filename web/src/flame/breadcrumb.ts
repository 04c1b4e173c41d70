import { clipped, el } from './dom';
import type { Model } from './model';
import type { Frame } from './pane';
import { pathOf } from './tree';

/** Of a deep path, the first and the last frames say where one is. */
const FIRST = 1;
const LAST = 5;

/** The path from the root to the zoomed frame; every element zooms back to itself. */
export class Breadcrumb {
  readonly element: HTMLElement;
  private readonly back: HTMLButtonElement;
  private readonly path = el('ol');

  constructor(
    private readonly model: Model,
    graph: string,
    private readonly zoom: (frame: Frame) => void,
    goBack: () => void,
  ) {
    this.back = el('button', { type: 'button', title: 'Back to the previous view', click: goBack }, '← Back');
    this.element = el(
      'nav',
      { class: 'hl-breadcrumb', 'aria-label': `${graph}: zoomed path` },
      this.back,
      this.path,
    );
  }

  sync(zoomed: Frame | null, canGoBack: boolean): void {
    this.back.disabled = !canGoBack;
    this.path.replaceChildren();
    if (zoomed === null) return;
    const frames = pathOf(zoomed.pane.tree, zoomed.index);
    const left = frames.length - FIRST - LAST;
    frames.forEach((index, at) => {
      if (left > 1 && at === FIRST) this.path.append(el('li', {}, `… ${left} more`));
      if (left > 1 && at >= FIRST && at < FIRST + left) return;
      this.path.append(this.step({ pane: zoomed.pane, index }, at === frames.length - 1));
    });
  }

  private step(frame: Frame, last: boolean): HTMLElement {
    const consumer = frame.pane.tree.consumer[frame.index];
    const text = clipped(this.model.short[consumer], 80);
    const title = clipped(this.model.names[consumer], 300);
    if (last) {
      const current = frame.index === 0 ? {} : { 'aria-current': 'location' };
      return el('li', {}, el('span', { title, ...current }, text));
    }
    return el('li', {}, el('button', { type: 'button', title, click: () => this.zoom(frame) }, text));
  }
}
