import type { Ink, Palette } from './colors';
import { arrowAngle, change } from './compare';
import type { Labels } from './labels';
import type { Model } from './model';
import type { Frame, Pane } from './pane';
import type { TreeMatches } from './search';

export interface Look {
  palette: Palette;
  ink: Ink;
  rowHeight: number;
  /** Multiplies each measure into a share; two of them when comparing. */
  shares: number[];
}

export interface View {
  width: number;
  height: number;
  scrollTop: number;
  pixelRatio: number;
  focused: Frame | null;
  hovered: Frame | null;
}

const NARROWEST = 1;
const ROOM_FOR_TEXT = 22;
const ARROW_ROOM = 15;

/** Draws what is in sight. Cost: O(pixels in sight * log frames), whatever the size of the tree. */
export class Painter {
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly labels: Labels,
    private readonly model: Model,
  ) {}

  /** Adds the line to a name, for a tree that keeps lines apart. */
  showLines = false;

  paint(panes: Pane[], matches: Map<Pane, TreeMatches>, look: Look, view: View): void {
    const { context } = this;
    context.setTransform(view.pixelRatio, 0, 0, view.pixelRatio, 0, 0);
    context.fillStyle = look.ink.canvas;
    context.fillRect(0, 0, view.width, view.height);
    this.labels.prepare();
    for (const pane of panes) this.paintPane(pane, matches.get(pane) ?? null, look, view);
    if (view.hovered) this.outline(view.hovered, look.ink.hover, 1, look, view);
    if (view.focused) this.outline(view.focused, look.ink.focus, 2, look, view);
  }

  private paintPane(pane: Pane, matches: TreeMatches | null, look: Look, view: View): void {
    const firstRow = Math.floor(view.scrollTop / look.rowHeight);
    const lastRow = Math.floor((view.scrollTop + view.height) / look.rowHeight);
    const above = new Set<number>();
    for (let i = pane.tree.parent[pane.zoomed] ?? -1; i >= 0; i = pane.tree.parent[i]) above.add(i);
    for (let row = firstRow; row <= lastRow; row++) {
      const depth = pane.depthAt(row);
      if (depth < pane.firstDepth || depth >= pane.rows) continue;
      this.paintRow(pane, depth, row * look.rowHeight - view.scrollTop, matches, above, look, view);
    }
  }

  private paintRow(
    pane: Pane,
    depth: number,
    y: number,
    matches: TreeMatches | null,
    above: Set<number>,
    look: Look,
    view: View,
  ): void {
    const { tree, left, span } = pane;
    const { x, width } = tree;
    const scale = view.width / span;
    const snap = (value: number) => Math.round(value * view.pixelRatio) / view.pixelRatio;
    const end = tree.levels[depth + 1];
    const right = left + span;
    let i = pane.firstEndingAfter(left, depth);
    while (i < end && x[i] < right) {
      const from = (x[i] - left) * scale;
      const to = from + width[i] * scale;
      if (to - from < NARROWEST) {
        i = this.paintSlivers(pane, depth, i, y, matches, look, view);
        continue;
      }
      const x0 = snap(Math.max(from, 0));
      const x1 = snap(Math.min(to, view.width));
      this.paintFrame(pane, i, x0, y, x1 - x0, matches, above.has(i), look, view);
      i++;
    }
  }

  /** Neighbours too narrow to see become one faint run; the next frame that is wide enough ends it. */
  private paintSlivers(
    pane: Pane,
    depth: number,
    first: number,
    y: number,
    matches: TreeMatches | null,
    look: Look,
    view: View,
  ): number {
    const { tree, left, span } = pane;
    const { x, width } = tree;
    const scale = view.width / span;
    const end = tree.levels[depth + 1];
    const start = Math.max(0, Math.floor((x[first] - left) * scale));
    let pixel = start;
    let i = first;
    let matched = false;
    do {
      const next = pane.firstEndingAfter(left + (pixel + 1) / scale, depth, i);
      if (matches !== null && !matched && matches.any(i, Math.max(next, i + 1))) matched = true;
      i = Math.max(next, i + 1);
      pixel++;
    } while (
      i < end &&
      width[i] * scale < NARROWEST &&
      (x[i] - left) * scale < pixel + 1 &&
      pixel < view.width
    );
    this.context.fillStyle = matched ? look.ink.match : look.ink.sliver;
    this.context.fillRect(start, y, Math.max(1, pixel - start), look.rowHeight - 1);
    return i;
  }

  private paintFrame(
    pane: Pane,
    frame: number,
    x: number,
    y: number,
    width: number,
    matches: TreeMatches | null,
    above: boolean,
    look: Look,
    view: View,
  ): void {
    const { context } = this;
    const { ink, palette } = look;
    const matched = matches !== null && matches.has(frame);
    const faded = above || (matches !== null && !matched);
    const colour = palette.of(pane.tree, frame);
    context.fillStyle = matched ? ink.match : faded ? palette.faded[colour] : palette.fills[colour];
    const gap = width > 3 ? 1 : width > 1.5 ? 0.5 : 0;
    context.fillRect(x, y, width - gap, look.rowHeight - 1);
    if (width < ROOM_FOR_TEXT) return;
    context.fillStyle = matched ? ink.matchText : faded ? ink.fadedText : ink.text;
    let indent = 5;
    if (look.shares.length === 2 && width > ROOM_FOR_TEXT + ARROW_ROOM) {
      this.paintChange(pane, frame, x + 10, y + look.rowHeight / 2, look);
      indent += ARROW_ROOM;
    }
    const consumer = pane.tree.consumer[frame];
    const label = this.labels.fit(
      Math.min(width, view.width - x) - indent - 4,
      this.fullName(pane, frame, consumer),
      this.model.short[consumer],
    );
    if (label !== '') context.fillText(label, x + indent, y + look.rowHeight / 2 + 0.5);
  }

  private fullName(pane: Pane, frame: number, consumer: number): string {
    const { merged } = pane.tree;
    const line = this.showLines ? this.model.data.line[merged.contexts[merged.start[frame]]] : 0;
    return line > 0 ? `${this.model.names[consumer]}:${line}` : this.model.names[consumer];
  }

  /** Says what the colour says, for eyes that do not tell red from green: + is new, − is gone, arrows are more or less. */
  private paintChange(pane: Pane, frame: number, x: number, y: number, look: Look): void {
    const [baseline, current] = pane.tree.cum;
    if (baseline[frame] === 0 || current[frame] === 0) {
      this.context.fillRect(x - 4, y - 1, 9, 2);
      if (baseline[frame] === 0) this.context.fillRect(x - 0.5, y - 4.5, 2, 9);
    } else {
      this.arrow(change(baseline[frame] * look.shares[0], current[frame] * look.shares[1]), x, y);
    }
  }

  private arrow(changed: number, x: number, y: number): void {
    const { context } = this;
    const angle = (arrowAngle(changed) * Math.PI) / 180;
    const dx = Math.cos(angle);
    const dy = Math.sin(angle);
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x - 5 * dx, y - 5 * dy);
    context.lineTo(x + 5 * dx, y + 5 * dy);
    context.moveTo(x + 1.5 * dx - 3.5 * -dy, y + 1.5 * dy - 3.5 * dx);
    context.lineTo(x + 5 * dx, y + 5 * dy);
    context.lineTo(x + 1.5 * dx + 3.5 * -dy, y + 1.5 * dy + 3.5 * dx);
    context.stroke();
  }

  private outline(frame: Frame, colour: string, thickness: number, look: Look, view: View): void {
    const { pane, index } = frame;
    const scale = view.width / pane.span;
    const start = (pane.tree.x[index] - pane.left) * scale;
    const from = Math.max(-thickness, start);
    const to = Math.min(
      view.width + thickness,
      start + Math.max(3 + thickness, pane.tree.width[index] * scale),
    );
    if (to <= from) return;
    const y = pane.rowOf(pane.depthOf(index)) * look.rowHeight - view.scrollTop;
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = thickness;
    const inset = thickness / 2;
    context.strokeRect(from + inset, y + inset, to - from - thickness, look.rowHeight - 1 - thickness);
  }
}
