import type { FlameData } from './data';
import type { Selection } from './model';
import type { Tree } from './tree';

export interface Pattern {
  test(name: string): boolean;
  /** False when the text is no regular expression and was taken literally. */
  regular: boolean;
}

/** Capitals in the text make it case-sensitive: `cart` finds `Cart`, `Cart` does not find `discard`. */
export function patternOf(text: string): Pattern {
  const flags = /\p{Lu}/u.test(text.replace(/\\[A-Z]/g, '')) ? '' : 'i';
  try {
    const expression = new RegExp(text, flags);
    return { test: (name) => expression.test(name), regular: true };
  } catch {
    const plain = flags ? text.toLowerCase() : text;
    return {
      test: (name) => (flags ? name.toLowerCase() : name).includes(plain),
      regular: false,
    };
  }
}

export interface Matches {
  regular: boolean;
  /** One flag per consumer. */
  consumers: Uint8Array;
  /** Share of each measure that is within matched frames, a frame within another counted once. */
  shares: number[];
}

/** A name is tested once however many frames have it. */
export function search(text: string, names: string[], data: FlameData, selection: Selection): Matches | null {
  if (text === '') return null;
  const pattern = patternOf(text);
  const consumers = new Uint8Array(names.length);
  for (let c = 0; c < names.length; c++) if (pattern.test(names[c])) consumers[c] = 1;
  const { forest, measures, sums } = selection;
  const within = new Uint8Array(data.count);
  const matched = measures.map(() => 0);
  for (let i = 0; i < data.count; i++) {
    if (forest.home[i] !== i) continue;
    const parent = forest.parent[i];
    if (parent >= 0 && within[parent] === 1) {
      within[i] = 1;
    } else if (consumers[data.consumer[i]] === 1) {
      within[i] = 1;
      for (let m = 0; m < matched.length; m++) matched[m] += measures[m].cum[i];
    }
  }
  return {
    regular: pattern.regular,
    consumers,
    shares: matched.map((value, m) => (sums[m] > 0 ? value / sums[m] : 0)),
  };
}

/** Matched frames of a drawn tree: how many lie before each frame, and which, widest first. */
export class TreeMatches {
  private readonly before: Int32Array;
  private sorted: Int32Array | null = null;

  constructor(
    private readonly tree: Tree,
    consumers: Uint8Array,
  ) {
    this.before = new Int32Array(tree.count + 1);
    for (let i = 0; i < tree.count; i++) {
      this.before[i + 1] = this.before[i] + consumers[tree.consumer[i]];
    }
  }

  get count(): number {
    return this.before[this.tree.count];
  }

  has(frame: number): boolean {
    return this.before[frame + 1] > this.before[frame];
  }

  /** Whether any frame from `from` up to `to` matches; frames of a level are neighbours. */
  any(from: number, to: number): boolean {
    return this.before[to] > this.before[from];
  }

  widestFirst(): Int32Array {
    if (this.sorted === null) {
      const found = new Int32Array(this.count);
      let length = 0;
      for (let i = 0; i < this.tree.count; i++) if (this.has(i)) found[length++] = i;
      const width = this.tree.width;
      this.sorted = found.sort((a, b) => width[b] - width[a] || a - b);
    }
    return this.sorted;
  }
}
