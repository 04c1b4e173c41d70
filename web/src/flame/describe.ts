import { change } from './compare';
import { KINDS, type Resource } from './data';
import { clipped } from './dom';
import { amount, outOf, percent } from './format';
import type { Model, Selection } from './model';
import type { Frame } from './pane';
import type { State } from './state';
import { neutralise } from './names';
import { partsBy } from './tree';
import { addPerThread } from './values';

const LONGEST_NAME = 600;
const MOST_THREADS = 3;

export interface Description {
  name: string;
  /** Line and kind. */
  origin: string;
  /** First row: headings; every row as long as the first. */
  table: string[][];
  /** One sentence for the status line and for screen readers. */
  sentence: string;
  note: string;
}

/** Says in words and numbers what a frame is. */
export class Describer {
  private readonly others = new Map<number, Float64Array>();

  constructor(
    private readonly model: Model,
    private readonly state: State,
    private readonly selection: Selection,
  ) {}

  describe(frame: Frame): Description {
    const name = clipped(this.model.names[frame.pane.tree.consumer[frame.index]], LONGEST_NAME);
    const note = [this.threadsOf(frame), this.noteOn(frame)].filter(Boolean).join(' ');
    const common = { name, origin: this.originOf(frame), note };
    return this.model.head.compare
      ? { ...common, ...this.compared(frame) }
      : { ...common, ...this.single(frame) };
  }

  private single(frame: Frame): Pick<Description, 'table' | 'sentence'> {
    const { tree } = frame.pane;
    const resource = this.model.head.columns[this.model.column(this.state)];
    const sum = this.selection.sums[0];
    const cum = tree.cum[0];
    const self = tree.self[0][frame.index];
    const total = cum[frame.index];
    const table = [['', 'total', 'self']];
    table.push(
      resource.kind === 'count'
        ? [resource.name, outOf(total, sum, resource), amount(self, resource)]
        : [resource.name, amount(total, resource), amount(self, resource)],
    );
    table.push(['of all', percent(total, sum), percent(self, sum)]);
    const { zoomed } = frame.pane;
    if (zoomed !== 0) {
      table.push(['of zoomed', percent(total, cum[zoomed]), percent(self, cum[zoomed])]);
    }
    const parent = tree.parent[frame.index];
    if (parent >= 0) table.push(['of parent', percent(total, cum[parent]), percent(self, cum[parent])]);
    table.push(...this.otherResources(frame));
    const short = clipped(this.model.names[tree.consumer[frame.index]], 160);
    return {
      table,
      sentence: `${short}: ${amount(total, resource)}, ${percent(total, sum)} of all, self ${amount(self, resource)}`,
    };
  }

  /** Other resources of the same contexts. Chains of callers carry only the resource they were built for. */
  private otherResources(frame: Frame): string[][] {
    const { merged } = frame.pane.tree;
    if (merged.origins !== merged.contexts) return [];
    const shown = this.model.column(this.state);
    const rows: string[][] = [];
    this.model.head.columns.forEach((resource, column) => {
      if (column === shown || rows.length === 6) return;
      const cum = this.cumOf(column);
      let value = 0;
      for (let at = merged.start[frame.index]; at < merged.start[frame.index + 1]; at++) {
        value += cum[merged.contexts[at]];
      }
      rows.push([resource.name, valueOf(value, cum[0], resource), '']);
    });
    return rows;
  }

  private cumOf(column: number): Float64Array {
    let cum = this.others.get(column);
    if (cum === undefined) this.others.set(column, (cum = this.model.cumOf(this.state, column)));
    return cum;
  }

  private compared(frame: Frame): Pick<Description, 'table' | 'sentence'> {
    const { tree } = frame.pane;
    const compare = this.model.head.compare!;
    const [before, after] = [compare.baseline, compare.current].map((c) => this.model.head.columns[c]);
    const [sumBefore, sumAfter] = this.selection.sums;
    const [cumBefore, cumAfter] = tree.cum.map((values) => values[frame.index]);
    const [selfBefore, selfAfter] = tree.self.map((values) => values[frame.index]);
    const verdict = verdictOn(share(cumBefore, sumBefore), share(cumAfter, sumAfter));
    return {
      table: [
        ['', 'baseline', 'current', 'change'],
        ['total', amount(cumBefore, before), amount(cumAfter, after), ''],
        ['of all', percent(cumBefore, sumBefore), percent(cumAfter, sumAfter), verdict],
        ['self', amount(selfBefore, before), amount(selfAfter, after), ''],
        [
          'of all',
          percent(selfBefore, sumBefore),
          percent(selfAfter, sumAfter),
          verdictOn(share(selfBefore, sumBefore), share(selfAfter, sumAfter)),
        ],
      ],
      sentence:
        `${clipped(this.model.names[tree.consumer[frame.index]], 160)}: ` +
        `${percent(cumBefore, sumBefore)} before, ${percent(cumAfter, sumAfter)} now, ${verdict}`,
    };
  }

  private originOf(frame: Frame): string {
    const { tree } = frame.pane;
    const { data } = this.model;
    const { merged } = tree;
    if (frame.index === 0 && this.model.typeOf(tree.consumer[0]) === 'r') return '';
    let lowest = Infinity;
    let highest = 0;
    for (let at = merged.start[frame.index]; at < merged.start[frame.index + 1]; at++) {
      const line = data.line[merged.contexts[at]];
      if (line > 0 && line < lowest) lowest = line;
      if (line > highest) highest = line;
    }
    const lines = highest === 0 ? [] : [lowest === highest ? `line ${lowest}` : `lines ${lowest}–${highest}`];
    return [...lines, this.kindsOf(frame)].filter(Boolean).join(' · ');
  }

  private kindsOf(frame: Frame): string {
    const { tree } = frame.pane;
    const parts = new Float64Array(8);
    partsBy(tree.merged, frame.index, this.model.data.kind, parts);
    const kinds = [...parts.keys()].filter((k) => parts[k] > 0).sort((a, b) => parts[b] - parts[a]);
    if (kinds.length === 1) return kinds[0] === 0 ? '' : KINDS[kinds[0]];
    return kinds.map((k) => `${KINDS[k]} ${percent(parts[k], tree.width[frame.index])}`).join(', ');
  }

  /** How its value is spread over threads. Chains of callers do not know which thread they ran on. */
  private threadsOf(frame: Frame): string {
    const { merged } = frame.pane.tree;
    const { threads } = this.model.head;
    if (threads.length < 2 || merged.origins !== merged.contexts) return '';
    const parts = new Float64Array(threads.length + 1);
    const [column] = this.model.shownColumns(this.state).slice(-1);
    for (let at = merged.start[frame.index]; at < merged.start[frame.index + 1]; at++) {
      addPerThread(this.model.data, this.model.data.columns[column], merged.contexts[at], parts);
    }
    const chosen = this.model.chosenThreads(this.state);
    const on = [...parts.keys()]
      .filter((t) => t > 0 && parts[t] > 0 && (chosen === null || chosen[t] !== 0))
      .sort((a, b) => parts[b] - parts[a]);
    if (on.length === 0) return '';
    const sum = on.reduce((all, t) => all + parts[t], 0);
    const named = on
      .slice(0, MOST_THREADS)
      .map((t) => `${clipped(neutralise(threads[t - 1].name), 60)} ${percent(parts[t], sum)}`);
    const more = on.length > MOST_THREADS ? `, ${on.length - MOST_THREADS} more` : '';
    return `On ${on.length === 1 ? 'one thread' : `${on.length} threads`}: ${named.join(', ')}${more}.`;
  }

  private noteOn(frame: Frame): string {
    if (frame.pane.firstDepth > 0) return 'Called the method in the middle, directly or through others.';
    if (this.state.view === 'bottom-up' && frame.index > 0) {
      return frame.pane.tree.parent[frame.index] === 0
        ? 'Total here is what the method spent itself; below are its callers.'
        : 'Total here is what this caller’s share of the top method is.';
    }
    return '';
  }
}

function valueOf(value: number, sum: number, resource: Resource): string {
  return resource.kind === 'count' ? outOf(value, sum, resource) : amount(value, resource);
}

function share(value: number, sum: number): number {
  return sum > 0 ? value / sum : 0;
}

function verdictOn(before: number, after: number): string {
  if (before === 0 && after === 0) return '–';
  if (before === 0) return 'new';
  if (after === 0) return 'gone';
  const changed = change(before, after);
  if (Math.abs(changed) < 0.005) return 'same';
  const ratio = after / before;
  const factor = ratio >= 1 ? ratio : 1 / ratio;
  const times = factor >= 100 ? factor.toFixed(0) : factor.toFixed(2);
  return changed < 0 ? `${times}× more` : `${times}× less`;
}
