import type { FlameData } from './data';
import type { Forest } from './forest';
import { Doubles, Ints } from './growable';
import type { Measure } from './values';

/**
 * A tree to draw, in breadth-first order: the frames of a level are contiguous and sorted from left to
 * right, and so are the children of a frame. Hit tests and culling are binary searches in plain arrays.
 */
export interface Tree {
  count: number;
  /** Level d holds the frames levels[d] up to levels[d + 1]. */
  levels: Int32Array;
  parent: Int32Array;
  /** Children of frame i are childStart[i] up to childStart[i + 1]. */
  childStart: Int32Array;
  consumer: Int32Array;
  /** Left edge and width, in the unit of the widths; the root starts at 0. */
  x: Float64Array;
  width: Float64Array;
  /** One array per measure (two when comparing: baseline, current). */
  self: Float64Array[];
  cum: Float64Array[];
  /** The kind with the largest part of the width. */
  kind: Uint8Array;
  merged: Merged;
  /** Frames narrower than this were left out; 0 when the tree is complete. */
  least: number;
}

/** Which calling contexts each frame stands for: frame i has contexts[start[i]] up to contexts[start[i + 1]]. */
export interface Merged {
  start: Int32Array;
  contexts: Int32Array;
  /** The context whose value each of them carries: itself, or the callee that its chain of callers began at. */
  origins: Int32Array;
  /** Width of the value that an origin brings. */
  originWidth: Float64Array;
}

export interface Growth {
  data: FlameData;
  forest: Forest;
  /** Frames of one caller merge when their contexts have the same key. */
  key: Int32Array;
  keyCount: number;
  measures: Measure[];
  /** What one unit of each measure adds to a frame's width. */
  scale: number[];
  /** Sorts siblings by this rank of their consumer, or by width when null. */
  rank: Int32Array | null;
}

export type Direction = 'callees' | 'callers' | 'leaves';

/**
 * Merges calling contexts into a tree, starting from a set of contexts that share the root frame.
 * 'callees' follows calls; 'callers' follows them backwards, each context taking its cum along;
 * 'leaves' puts every start below the root with its self value and goes on with its callers.
 * Cost: O(contexts) for callees, O(sum of the depths of the starts) for the others.
 */
export function grow(growth: Growth, starts: Int32Array, direction: Direction, least = 0): Tree {
  const carried = growth.measures.map((m) => (direction === 'leaves' ? m.self : m.cum));
  const builder = new TreeBuilder(growth, direction, widthsOf(carried, growth.scale), least);
  builder.plant(starts);
  builder.growLevels();
  const { data, forest, measures } = growth;
  const count = builder.width.length;
  const childStart = builder.childStart.trimmed();
  const width = builder.width.trimmed();
  const merged = builder.merged();
  const consumer = new Int32Array(count);
  for (let i = 0; i < count; i++) consumer[i] = data.consumer[merged.contexts[merged.start[i]]];
  // The leaves have contexts of many consumers in their root, which stands for the root of the data.
  if (direction === 'leaves') consumer[0] = data.consumer[0];
  const self = measures.map((m, at) =>
    direction === 'callees' ? sumsOf(merged, m.self) : endsOf(merged, carried[at], forest),
  );
  if (direction === 'leaves') self.forEach((values, m) => (values[0] = measures[m].self[0] ?? 0));
  return {
    count,
    levels: Int32Array.from(builder.levels),
    parent: builder.parent.trimmed(),
    childStart,
    consumer,
    x: leftEdges(width, childStart),
    width,
    self,
    cum: carried.map((values) => sumsOf(merged, values)),
    kind: mainKinds(data.kind, merged),
    merged,
    least,
  };
}

class TreeBuilder {
  readonly levels = [0, 1];
  readonly parent = new Ints();
  readonly childStart = new Ints();
  readonly width = new Doubles();
  private readonly start = new Ints();
  private readonly contexts = new Ints();
  /** Callees carry their own value, so that their origins are the contexts themselves. */
  private readonly origins: Ints;

  /** Scratch of one frame's expansion: which group a key has, and the contexts found with their group. */
  private readonly stampOfKey: Int32Array;
  private readonly groupOfKey: Int32Array;
  private readonly found = new Ints();
  private readonly foundOrigin = new Ints();
  private readonly foundGroup = new Ints();
  private readonly groupRank = new Ints();
  private readonly groupSize = new Ints();
  private readonly groupWidth = new Doubles();
  private order = new Int32Array(64);
  private place = new Int32Array(64);

  constructor(
    private readonly growth: Growth,
    private readonly direction: Direction,
    private readonly originWidth: Float64Array,
    private readonly least: number,
  ) {
    this.origins = direction === 'callees' ? this.contexts : new Ints();
    this.stampOfKey = new Int32Array(growth.keyCount).fill(-1);
    this.groupOfKey = new Int32Array(growth.keyCount);
  }

  plant(starts: Int32Array): void {
    let width = 0;
    for (let s = 0; s < starts.length; s++) {
      this.contexts.push(starts[s]);
      if (this.origins !== this.contexts) this.origins.push(starts[s]);
      width += this.originWidth[starts[s]];
    }
    this.width.push(width);
    this.parent.push(-1);
    this.start.push(0);
    this.start.push(starts.length);
  }

  growLevels(): void {
    let from = 0;
    while (from < this.width.length) {
      const to = this.width.length;
      for (let frame = from; frame < to; frame++) this.expand(frame);
      from = to;
      this.levels.push(this.width.length);
    }
    this.levels.pop();
    this.childStart.push(this.width.length);
  }

  merged(): Merged {
    const contexts = this.contexts.trimmed();
    const origins = this.origins === this.contexts ? contexts : this.origins.trimmed();
    return { start: this.start.trimmed(), contexts, origins, originWidth: this.originWidth };
  }

  private expand(frame: number): void {
    this.childStart.push(this.width.length);
    this.found.length = this.foundOrigin.length = this.foundGroup.length = 0;
    this.groupRank.length = this.groupSize.length = this.groupWidth.length = 0;
    const { parent, childStart, children } = this.growth.forest;
    const end = this.start.data[frame + 1];
    for (let at = this.start.data[frame]; at < end; at++) {
      const context = this.contexts.data[at];
      if (this.direction === 'callees') {
        const last = childStart[context + 1];
        for (let c = childStart[context]; c < last; c++) this.meet(frame, children[c], children[c]);
      } else if (this.direction === 'leaves' && frame === 0) {
        // What the root itself spent has no method to be listed under.
        if (context !== 0) this.meet(frame, context, context);
      } else if (parent[context] > 0) {
        this.meet(frame, parent[context], this.origins.data[at]);
      }
    }
    if (this.groupSize.length > 0) this.emit(frame);
  }

  private meet(frame: number, context: number, origin: number): void {
    const width = this.originWidth[origin];
    if (width <= 0) return;
    const key = this.growth.key[context];
    let group: number;
    if (this.stampOfKey[key] === frame) {
      group = this.groupOfKey[key];
      this.groupSize.data[group]++;
      this.groupWidth.data[group] += width;
    } else {
      group = this.groupSize.length;
      this.stampOfKey[key] = frame;
      this.groupOfKey[key] = group;
      const { rank, data } = this.growth;
      this.groupRank.push(rank === null ? 0 : rank[data.consumer[context]]);
      this.groupSize.push(1);
      this.groupWidth.push(width);
    }
    this.found.push(context);
    this.foundOrigin.push(origin);
    this.foundGroup.push(group);
  }

  private emit(frame: number): void {
    const groups = this.groupSize.length;
    this.sortGroups(groups);
    const { order, place } = this;
    let end = this.contexts.length;
    for (let o = 0; o < groups; o++) {
      const group = order[o];
      if (this.groupWidth.data[group] < this.least) {
        place[group] = -1;
        continue;
      }
      place[group] = end;
      end += this.groupSize.data[group];
      this.parent.push(frame);
      this.width.push(this.groupWidth.data[group]);
      this.start.push(end);
    }
    this.contexts.extend(end);
    const apart = this.origins !== this.contexts;
    if (apart) this.origins.extend(end);
    for (let f = 0; f < this.found.length; f++) {
      const group = this.foundGroup.data[f];
      if (place[group] < 0) continue;
      const at = place[group]++;
      this.contexts.data[at] = this.found.data[f];
      if (apart) this.origins.data[at] = this.foundOrigin.data[f];
    }
  }

  /** Most frames have few callees, where insertion beats a call to the library for every frame. */
  private sortGroups(groups: number): void {
    if (groups > this.order.length) {
      this.order = new Int32Array(groups * 2);
      this.place = new Int32Array(groups * 2);
    }
    const order = this.order;
    const rank = this.groupRank.data;
    const width = this.groupWidth.data;
    if (groups > 24) {
      for (let g = 0; g < groups; g++) order[g] = g;
      order.subarray(0, groups).sort((a, b) => rank[a] - rank[b] || width[b] - width[a] || a - b);
      return;
    }
    for (let g = 0; g < groups; g++) {
      let at = g;
      while (at > 0 && (rank[order[at - 1]] - rank[g] || width[g] - width[order[at - 1]]) > 0) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = g;
    }
  }
}

function widthsOf(values: Float64Array[], scale: number[]): Float64Array {
  if (values.length === 1 && scale[0] === 1) return values[0];
  const widths = new Float64Array(values[0].length);
  for (let m = 0; m < values.length; m++) {
    for (let i = 0; i < widths.length; i++) widths[i] += values[m][i] * scale[m];
  }
  return widths;
}

function sumsOf(merged: Merged, values: Float64Array): Float64Array {
  const { start, origins } = merged;
  const sums = new Float64Array(start.length - 1);
  for (let i = 0; i < sums.length; i++) {
    let sum = 0;
    for (let at = start[i]; at < start[i + 1]; at++) sum += values[origins[at]];
    sums[i] = sum;
  }
  return sums;
}

/** What chains of callers carry that end in a frame: nobody called it. */
function endsOf(merged: Merged, carried: Float64Array, forest: Forest): Float64Array {
  const { start, contexts, origins } = merged;
  const sums = new Float64Array(start.length - 1);
  for (let i = 0; i < sums.length; i++) {
    for (let at = start[i]; at < start[i + 1]; at++) {
      if (forest.parent[contexts[at]] <= 0) sums[i] += carried[origins[at]];
    }
  }
  return sums;
}

function leftEdges(width: Float64Array, childStart: Int32Array): Float64Array {
  const x = new Float64Array(width.length);
  for (let i = 0; i < width.length; i++) {
    let left = x[i];
    for (let c = childStart[i]; c < childStart[i + 1]; c++) {
      x[c] = left;
      left += width[c];
    }
  }
  return x;
}

function mainKinds(kindOf: Uint8Array, merged: Merged): Uint8Array {
  const { start, contexts } = merged;
  const main = new Uint8Array(start.length - 1);
  const parts = new Float64Array(8);
  for (let i = 0; i < main.length; i++) {
    if (start[i + 1] - start[i] === 1) {
      main[i] = kindOf[contexts[start[i]]];
    } else {
      partsBy(merged, i, kindOf, parts);
      for (let k = 1; k < 8; k++) if (parts[k] > parts[main[i]]) main[i] = k;
    }
  }
  return main;
}

/** Splits a frame's width by the kinds of its contexts. */
export function partsBy(merged: Merged, frame: number, kindOf: Uint8Array, parts: Float64Array): void {
  parts.fill(0);
  for (let at = merged.start[frame]; at < merged.start[frame + 1]; at++) {
    parts[kindOf[merged.contexts[at]]] += merged.originWidth[merged.origins[at]];
  }
}

export function depthOf(tree: Tree, frame: number): number {
  let depth = 0;
  while (tree.levels[depth + 1] <= frame) depth++;
  return depth;
}

export function depthCount(tree: Tree): number {
  return tree.levels.length - 1;
}

export function pathOf(tree: Tree, frame: number): number[] {
  const path: number[] = [];
  for (let i = frame; i >= 0; i = tree.parent[i]) path.push(i);
  return path.reverse();
}
