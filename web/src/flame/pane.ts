import { depthCount, depthOf, type Tree } from './tree';

export interface Frame {
  pane: Pane;
  index: number;
}

/** A tree on the canvas: which part of its width is in sight, and where its rows are. */
export class Pane {
  /** Left edge and extent in sight, in the unit of the tree's widths. */
  left = 0;
  span: number;
  /** Row of the root, in rows from the top; rows go down (1) or up (-1) from there. */
  rootRow = 0;
  direction: 1 | -1 = 1;
  zoomed = 0;

  constructor(
    readonly tree: Tree,
    /** Callers are drawn from the root's callers on: their root is the root of the other pane. */
    readonly firstDepth = 0,
  ) {
    this.span = tree.width[0] || 1;
  }

  get rows(): number {
    return depthCount(this.tree);
  }

  rowOf(depth: number): number {
    return this.rootRow + this.direction * depth;
  }

  depthAt(row: number): number {
    return (row - this.rootRow) * this.direction;
  }

  /** The first frame of a level that ends right of x, or the level's end. O(log level). */
  firstEndingAfter(x: number, depth: number, from = this.tree.levels[depth]): number {
    const tree = this.tree;
    let low = from;
    let high = tree.levels[depth + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (tree.x[middle] + tree.width[middle] > x) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  frameAt(x: number, depth: number): number {
    if (depth < this.firstDepth || depth >= this.rows) return -1;
    const frame = this.firstEndingAfter(x, depth);
    return frame < this.tree.levels[depth + 1] && this.tree.x[frame] <= x ? frame : -1;
  }

  isWithin(frame: number, ancestor: number): boolean {
    for (let i = frame; i >= ancestor; i = this.tree.parent[i]) if (i === ancestor) return true;
    return false;
  }

  clamp(): void {
    const whole = this.tree.width[0] || 1;
    this.span = Math.min(whole, Math.max(this.span, whole * 1e-9));
    this.left = Math.min(whole - this.span, Math.max(0, this.left));
  }

  depthOf(frame: number): number {
    return depthOf(this.tree, frame);
  }
}
