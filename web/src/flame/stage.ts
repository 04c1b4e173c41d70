import { el } from './dom';
import { Painter, type Look } from './draw';
import { Labels } from './labels';
import type { Model } from './model';
import { Pane, type Frame } from './pane';
import type { TreeMatches } from './search';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

const ZOOM_MILLIS = 220;

/**
 * The canvas and what part of the trees it shows. The canvas sticks to a native scroller, which brings
 * scroll bars, momentum and touch for the depth; the width is moved and scaled here.
 */
export class Stage {
  readonly canvas = el('canvas', { class: 'hl-canvas', tabindex: '0', role: 'tree' });
  readonly scroller = el('div', { class: 'hl-scroller' });
  private readonly extent = el('div', { class: 'hl-extent' });
  private readonly context = this.canvas.getContext('2d', { alpha: false })!;
  private readonly painter: Painter;
  private readonly labels: Labels;
  private readonly observer: ResizeObserver;
  private readonly calm = matchMedia('(prefers-reduced-motion: reduce)');
  private scheduled = 0;
  private flight: { pane: Pane; begin: number; from: [number, number]; to: [number, number] } | null = null;
  private pendingScroll: (() => void) | null = null;

  panes: Pane[] = [];
  matches = new Map<Pane, TreeMatches>();
  look: Look | null = null;
  focused: Frame | null = null;
  hovered: Frame | null = null;
  width = 0;
  height = 0;

  constructor(model: Model) {
    this.labels = new Labels(this.context, '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif');
    this.painter = new Painter(this.context, this.labels, model);
    this.extent.append(this.canvas);
    this.scroller.append(this.extent);
    this.scroller.addEventListener('scroll', () => this.redraw(), { passive: true });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.scroller);
  }

  get rowHeight(): number {
    return this.look?.rowHeight ?? 20;
  }

  /** Rows that all panes take together. */
  private get rows(): number {
    return this.panes.reduce((sum, pane) => sum + pane.rows - pane.firstDepth, 0);
  }

  show(panes: Pane[], rootAt: 'top' | 'bottom', lines: boolean): void {
    this.panes = panes;
    this.flight = null;
    this.hovered = this.focused = null;
    this.painter.showLines = lines;
    const [main, callers] = panes;
    const up = callers === undefined && rootAt === 'bottom';
    main.direction = up ? -1 : 1;
    if (callers) {
      callers.direction = -1;
      callers.rootRow = main.rootRow = callers.rows - 1;
    }
    this.resize();
    this.whenSized(() => {
      if (callers) this.scrollTo(main.rootRow * this.rowHeight - this.height / 3);
      else this.scrollTo(up ? this.scroller.scrollHeight : 0);
    });
  }

  private scrollTo(top: number): void {
    this.scroller.scrollTop = top;
  }

  /** Scrolling means nothing before the first layout. */
  private whenSized(action: () => void): void {
    if (this.height > 0) action();
    else this.pendingScroll = action;
  }

  resize(): void {
    const width = this.scroller.clientWidth;
    const height = this.scroller.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    const main = this.panes[0];
    // A root at the bottom stands on a whole row even when the rows do not fill the height.
    if (main && main.direction === -1)
      main.rootRow = Math.max(this.rows, Math.floor(height / this.rowHeight)) - 1;
    this.extent.style.height = `${Math.max(this.rows * this.rowHeight, height)}px`;
    if (
      this.canvas.width !== Math.round(width * ratio) ||
      this.canvas.height !== Math.round(height * ratio)
    ) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    if (height > 0 && this.pendingScroll) {
      this.pendingScroll();
      this.pendingScroll = null;
    }
    this.redraw();
  }

  redraw(): void {
    if (this.scheduled === 0) {
      this.scheduled = requestAnimationFrame((now) => {
        this.scheduled = 0;
        this.step(now);
        this.paint();
      });
    }
  }

  private paint(): void {
    if (this.look === null || this.width === 0) return;
    this.painter.paint(this.panes, this.matches, this.look, {
      width: this.width,
      height: this.height,
      scrollTop: this.scroller.scrollTop,
      pixelRatio: window.devicePixelRatio || 1,
      focused: this.focused,
      hovered: this.hovered,
    });
  }

  /** Moves the sight to a frame; the other panes go back to their whole width. */
  zoomTo(frame: Frame, animated = true): void {
    const { pane, index } = frame;
    for (const other of this.panes) {
      if (other === pane) continue;
      other.zoomed = 0;
      other.left = 0;
      other.span = other.tree.width[0] || 1;
    }
    pane.zoomed = index;
    this.flyTo(pane, pane.tree.x[index], pane.tree.width[index] || 1, animated);
    this.reveal(frame);
  }

  private flyTo(pane: Pane, left: number, span: number, animated: boolean): void {
    if (!animated || this.calm.matches || this.width === 0) {
      this.flight = null;
      pane.left = left;
      pane.span = span;
    } else {
      this.flight = {
        pane,
        begin: performance.now(),
        from: [pane.left, pane.left + pane.span],
        to: [left, left + span],
      };
    }
    this.redraw();
  }

  private step(now: number): void {
    if (this.flight === null) return;
    const { pane, begin, from, to } = this.flight;
    const t = Math.min(1, Math.max(0, (now - begin) / ZOOM_MILLIS));
    const eased = 1 - (1 - t) ** 3;
    pane.left = from[0] + (to[0] - from[0]) * eased;
    pane.span = from[1] + (to[1] - from[1]) * eased - pane.left;
    if (t >= 1) {
      pane.left = to[0];
      pane.span = to[1] - to[0];
      this.flight = null;
    } else {
      this.redraw();
    }
  }

  /** Scales the width around a point of the canvas; a factor below 1 comes closer. */
  scale(pane: Pane, x: number, factor: number): void {
    this.flight = null;
    const at = pane.left + (x / this.width) * pane.span;
    const before = pane.span;
    pane.span *= factor;
    pane.clamp();
    pane.left = at - (at - pane.left) * (pane.span / before);
    pane.clamp();
    this.redraw();
  }

  pan(pane: Pane, pixels: number): void {
    this.flight = null;
    pane.left += (pixels / this.width) * pane.span;
    pane.clamp();
    this.redraw();
  }

  /** Brings a frame into sight with as little movement as possible. */
  reveal(frame: Frame): void {
    const { pane, index } = frame;
    this.whenSized(() => {
      const top = pane.rowOf(pane.depthOf(index)) * this.rowHeight;
      const scrolled = this.scroller.scrollTop;
      if (top < scrolled || top + this.rowHeight > scrolled + this.height) {
        this.scrollTo(top - this.height / 3);
      }
    });
    this.redraw();
  }

  /** For a frame reached by keyboard: also sideways, and close enough that it can be seen. */
  revealWide(frame: Frame): void {
    const { pane, index } = frame;
    const { x, width } = pane.tree;
    const target = this.flight?.pane === pane ? this.flight.to : [pane.left, pane.left + pane.span];
    const narrow = (width[index] / (target[1] - target[0])) * this.width < 4;
    const outside = x[index] + width[index] <= target[0] || x[index] >= target[1];
    if (narrow || outside) {
      const span = narrow ? Math.min(pane.tree.width[0], width[index] * 20) : target[1] - target[0];
      const left = Math.min(Math.max(0, x[index] + width[index] / 2 - span / 2), pane.tree.width[0] - span);
      this.flyTo(pane, left, span, true);
    }
    this.reveal(frame);
  }

  paneAt(y: number): Pane | null {
    const row = Math.floor((y + this.scroller.scrollTop) / this.rowHeight);
    for (const pane of this.panes) {
      const depth = pane.depthAt(row);
      if (depth >= pane.firstDepth && depth < pane.rows) return pane;
    }
    return this.panes[0] ?? null;
  }

  /** The frame at a point of the canvas; slivers count, so that every pixel of colour answers. */
  frameAt(x: number, y: number): Frame | null {
    const pane = this.paneAt(y);
    if (pane === null || this.width === 0) return null;
    const row = Math.floor((y + this.scroller.scrollTop) / this.rowHeight);
    const index = pane.frameAt(pane.left + (x / this.width) * pane.span, pane.depthAt(row));
    return index < 0 ? null : { pane, index };
  }

  boundsOf({ pane, index }: Frame): Bounds {
    const scale = this.width / pane.span;
    const from = (pane.tree.x[index] - pane.left) * scale;
    const x = Math.max(0, from);
    return {
      x,
      y: pane.rowOf(pane.depthOf(index)) * this.rowHeight - this.scroller.scrollTop,
      width: Math.min(this.width, from + pane.tree.width[index] * scale) - x,
      height: this.rowHeight,
    };
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.scheduled);
  }
}
