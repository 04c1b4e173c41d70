import { clipped, el } from './dom';
import { percent } from './format';
import type { Model } from './model';
import { neutralise } from './names';
import { patternOf } from './search';
import type { State } from './state';

/** Beyond this many rows people filter instead of scroll. */
const MOST_ROWS = 400;

interface Row {
  /** Thread id as rows of values have it; 0 is "no thread". */
  id: number;
  name: string;
  group: string;
  sum: number;
}

/** Chooses whose values count: one by one, by group, or all that a pattern finds. */
export class ThreadPanel {
  readonly element = el('div', { class: 'hl-panel-body' });
  private readonly filter = el('input', {
    type: 'search',
    placeholder: 'Filter (regular expression)',
    'aria-label': 'Filter threads by regular expression',
    spellcheck: 'false',
    input: () => this.render(),
  });
  private readonly note = el('p', { class: 'hl-note', role: 'status' });
  private readonly list = el('div', { class: 'hl-list' });
  private rows: Row[] = [];
  private sum = 0;
  private chosen: Uint8Array | null = null;

  constructor(
    private readonly model: Model,
    private readonly choose: (threads: string) => void,
  ) {
    const action = (text: string, run: () => void) => el('button', { type: 'button', click: run }, text);
    this.element.append(
      this.filter,
      el(
        'div',
        { class: 'hl-group' },
        action('All', () => this.choose('')),
        action('None', () => this.choose('+')),
        action('Only listed', () => this.set(() => false, this.listed(), true)),
      ),
      this.note,
      this.list,
    );
  }

  sync(state: State): void {
    const column = this.model.shownColumns(state).at(-1)!;
    const sums = this.model.threadSums(column);
    this.sum = sums.reduce((a, b) => a + b, 0);
    this.chosen = this.model.chosenThreads(state);
    this.rows = this.model.head.threads.map((thread, t) => ({
      id: t + 1,
      name: neutralise(thread.name),
      group: thread.group ? neutralise(thread.group) : '',
      sum: sums[t + 1],
    }));
    if (sums[0] > 0) this.rows.push({ id: 0, name: '(no thread)', group: '', sum: sums[0] });
    this.rows.sort((a, b) => b.sum - a.sum || a.id - b.id);
    this.render();
  }

  private listed(): Row[] {
    const text = this.filter.value;
    if (text === '') return this.rows;
    const pattern = patternOf(text);
    return this.rows.filter((row) => pattern.test(row.name));
  }

  private render(): void {
    const listed = this.listed();
    const plain = this.filter.value !== '' && !patternOf(this.filter.value).regular;
    const hiddenRows = Math.max(0, listed.length - MOST_ROWS);
    this.note.textContent = [
      plain ? 'Not a regular expression: taken as plain text.' : '',
      hiddenRows > 0 ? `${hiddenRows} more: filter to see them.` : '',
      listed.length === 0 ? 'No such thread.' : '',
    ].join(' ');
    const groups = new Map<string, Row[]>();
    for (const row of listed) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.key;
    this.list.replaceChildren();
    let room = MOST_ROWS;
    for (const [group, rows] of [...groups].sort((a, b) => sumOf(b[1]) - sumOf(a[1]))) {
      if (group !== '') this.list.append(this.row(`g${group}`, group, rows, 'hl-thread-group'));
      for (const row of rows.slice(0, Math.max(0, room))) {
        this.list.append(this.row(`t${row.id}`, row.name, [row], group === '' ? '' : 'hl-in-group'));
      }
      room -= rows.length;
    }
    if (focused) this.list.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private row(key: string, name: string, rows: Row[], className: string): HTMLElement {
    const on = rows.filter((row) => this.isOn(row)).length;
    const box = el('input', {
      type: 'checkbox',
      'data-key': key,
      change: () => this.set((row) => this.isOn(row), rows, box.checked),
    });
    box.checked = on === rows.length;
    box.indeterminate = on > 0 && on < rows.length;
    const share = sumOf(rows) / (this.sum || 1);
    const label = el(
      'label',
      { class: `hl-row ${className}`, title: clipped(name, 300) },
      box,
      el('span', { class: 'hl-row-name' }, clipped(name, 120)),
      el('span', { class: 'hl-row-share' }, percent(share, 1)),
    );
    label.style.setProperty('--share', `${(100 * share).toFixed(2)}%`);
    return label;
  }

  private isOn(row: Row): boolean {
    return this.chosen === null || this.chosen[row.id] === 1;
  }

  /** The shorter of "only these" and "all but these" goes into the link. */
  private set(isOn: (row: Row) => boolean, changed: Row[], on: boolean): void {
    const touched = new Set(changed);
    const included = this.rows.filter((row) => (touched.has(row) ? on : isOn(row)));
    const excluded = this.rows.filter((row) => !included.includes(row));
    const keys = (rows: Row[]) => rows.map((row) => this.model.threadKeys[row.id]).join('.');
    if (excluded.length === 0) this.choose('');
    else this.choose(included.length <= excluded.length ? `+${keys(included)}` : `-${keys(excluded)}`);
  }
}

function sumOf(rows: Row[]): number {
  return rows.reduce((sum, row) => sum + row.sum, 0);
}
