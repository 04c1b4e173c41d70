import type { FlameData, Head } from './data';
import { link, type Forest } from './forest';
import { nameKey, neutralise, shortName } from './names';
import type { Basis, State } from './state';
import { grow, type Growth, type Tree } from './tree';
import { measure, outermost, perConsumer, perThread, type Measure } from './values';

/** Above this many steps, a view that follows callers leaves out frames nobody could see without zooming. */
const MANY_STEPS = 6_000_000;
const UNSEEN_PART = 1e-5;

/** The measures under the current selection of threads, resource and hidden frames. */
export interface Selection {
  forest: Forest;
  measures: Measure[];
  /** Sum of each measure over the whole profile. */
  sums: number[];
  scale: number[];
}

export interface Scene {
  selection: Selection;
  /** Top-down, bottom-up, or what the method of a sandwich calls. */
  main: Tree;
  /** Callers of the method of a sandwich. */
  callers: Tree | null;
}

export interface MethodValues extends Measure {
  sum: number;
}

/** Answers every question the views ask of one profile; what only depends on the profile is kept. */
export class Model {
  /** Names as they may be shown. */
  readonly names: string[];
  readonly short: string[];
  readonly threadKeys: string[];
  private readonly outermostFlags: Uint8Array;
  private readonly keyOfConsumer: string[] = [];
  private nameRank: Int32Array | null = null;
  private lineKeys: { key: Int32Array; keyCount: number } | null = null;
  private linked: { hidden: string; forest: Forest } | null = null;

  constructor(
    readonly head: Head,
    readonly data: FlameData,
  ) {
    this.names = head.consumers.map(neutralise);
    this.short = this.names.map((name, c) => shortName(name, this.typeOf(c)));
    this.outermostFlags = outermost(data, head.consumers.length);
    this.threadKeys = keysOfThreads(head.threads.map((thread) => thread.name));
  }

  typeOf(consumer: number): string {
    return this.head.consumerTypes[consumer] ?? 'm';
  }

  keyOf(consumer: number): string {
    return (this.keyOfConsumer[consumer] ??= nameKey(this.head.consumers[consumer]));
  }

  consumerOf(key: string): number {
    for (let c = 0; c < this.head.consumers.length; c++) if (this.keyOf(c) === key) return c;
    return -1;
  }

  column(state: State): number {
    const at = this.head.columns.findIndex((column) => column.name === state.resource);
    return Math.max(at, 0);
  }

  /** The columns shown: the one chosen, or baseline and current. */
  shownColumns(state: State): number[] {
    const compare = this.head.compare;
    return compare ? [compare.baseline, compare.current] : [this.column(state)];
  }

  chosenThreads(state: State): Uint8Array | null {
    if (state.threads === '') return null;
    const only = state.threads[0] === '+';
    const listed = new Set(state.threads.slice(1).split('.'));
    const chosen = new Uint8Array(this.threadKeys.length);
    for (let t = 0; t < chosen.length; t++) if (listed.has(this.threadKeys[t]) === only) chosen[t] = 1;
    return chosen;
  }

  threadSums(column: number): Float64Array {
    return perThread(this.data.columns[column], this.head.threads.length);
  }

  hiddenConsumers(state: State): number[] {
    if (state.hidden === '') return [];
    const keys = new Set(state.hidden.split('.'));
    const hidden: number[] = [];
    for (let c = 0; c < this.head.consumers.length; c++) if (keys.has(this.keyOf(c))) hidden.push(c);
    return hidden;
  }

  select(state: State): Selection {
    const forest = this.forest(state);
    const chosen = this.chosenThreads(state);
    const measures = this.shownColumns(state).map((column) =>
      measure(this.data, forest, this.data.columns[column], chosen),
    );
    const sums = measures.map((values) => values.cum[0] ?? 0);
    return { forest, measures, sums, scale: this.scaleOf(state, sums) };
  }

  /** Cum of another resource under the same selection, to be shown beside the chosen one. */
  cumOf(state: State, column: number): Float64Array {
    return measure(this.data, this.forest(state), this.data.columns[column], this.chosenThreads(state)).cum;
  }

  scene(state: State): Scene {
    const selection = this.select(state);
    const growth = this.growth(state, selection);
    if (state.view === 'bottom-up') {
      const starts = this.nodesWhere((i) => selection.measures.some((m) => m.self[i] > 0));
      return { selection, main: this.growBack(growth, starts, 'leaves'), callers: null };
    }
    const method = state.view === 'sandwich' ? this.consumerOf(state.method) : -1;
    if (method >= 0) {
      const starts = this.nodesWhere(
        (i) =>
          this.data.consumer[i] === method && this.outermostFlags[i] === 1 && selection.forest.home[i] === i,
      );
      if (starts.length > 0) {
        return {
          selection,
          main: grow(growth, starts, 'callees'),
          callers: this.growBack(growth, starts, 'callers'),
        };
      }
    }
    const roots = this.data.count > 0 ? Int32Array.of(0) : new Int32Array(0);
    return { selection, main: grow(growth, roots, 'callees'), callers: null };
  }

  /** Self and cum of every consumer; with two profiles, of the current one. */
  methods(selection: Selection): MethodValues {
    const last = selection.measures.length - 1;
    const values = perConsumer(
      this.data,
      selection.forest,
      selection.measures[last],
      this.outermostFlags,
      this.head.consumers.length,
    );
    return { ...values, sum: selection.sums[last] };
  }

  private forest(state: State): Forest {
    if (this.linked === null || this.linked.hidden !== state.hidden) {
      const forest = link(this.data, new Set(this.hiddenConsumers(state)));
      this.linked = { hidden: state.hidden, forest };
    }
    return this.linked.forest;
  }

  /** Comparing, a width is the mean of both shares: additive, and nothing new or removed vanishes. */
  private scaleOf(state: State, sums: number[]): number[] {
    if (!this.head.compare) return [1];
    const part = (basis: Basis) => (state.basis === basis ? 1 : state.basis === 'both' ? 0.5 : 0);
    return [part('baseline'), part('current')].map((p, m) => (sums[m] > 0 ? p / sums[m] : 0));
  }

  private growth(state: State, selection: Selection): Growth {
    const { data } = this;
    const keys =
      state.lines === 'keep'
        ? (this.lineKeys ??= keysByLine(data))
        : { key: data.consumer, keyCount: this.head.consumers.length };
    return {
      data,
      forest: selection.forest,
      measures: selection.measures,
      scale: selection.scale,
      rank: state.order === 'name' ? (this.nameRank ??= ranksOf(this.names)) : null,
      ...keys,
    };
  }

  private growBack(growth: Growth, starts: Int32Array, direction: 'leaves' | 'callers'): Tree {
    let steps = 0;
    for (const node of starts) steps += this.data.depth[node];
    let width = 0;
    growth.measures.forEach((values, m) => (width += (values.cum[0] ?? 0) * growth.scale[m]));
    return grow(growth, starts, direction, steps > MANY_STEPS ? width * UNSEEN_PART : 0);
  }

  private nodesWhere(test: (node: number) => boolean): Int32Array {
    const nodes = new Int32Array(this.data.count);
    let length = 0;
    for (let i = 0; i < this.data.count; i++) if (test(i)) nodes[length++] = i;
    return nodes.slice(0, length);
  }
}

function keysByLine(data: FlameData): { key: Int32Array; keyCount: number } {
  const ids = new Map<number, number>();
  const key = new Int32Array(data.count);
  for (let i = 0; i < data.count; i++) {
    // Lines fit 28 bits and consumers 22 without losing a bit of a Number; larger lines do not exist.
    const packed = data.consumer[i] * 2 ** 31 + data.line[i] * 8 + data.kind[i];
    let id = ids.get(packed);
    if (id === undefined) ids.set(packed, (id = ids.size));
    key[i] = id;
  }
  return { key, keyCount: ids.size };
}

function ranksOf(names: string[]): Int32Array {
  const order = names.map((_, c) => c);
  order.sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : 0));
  const rank = new Int32Array(names.length);
  order.forEach((c, at) => (rank[c] = at));
  return rank;
}

/** Threads may share a name; the second `worker` is keyed as `worker#2`. Entry 0 is "no thread". */
function keysOfThreads(names: string[]): string[] {
  const seen = new Map<string, number>();
  const keys = names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return nameKey(times === 1 ? name : `${name}#${times}`);
  });
  return ['none', ...keys];
}
