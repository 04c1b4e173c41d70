import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { chainLine, forksOf } from '../chains';
import {
  ASPECTS,
  explained,
  gathered,
  isRest,
  TIMES,
  valueOf,
  withRests,
  type LockRow,
  type Locks,
  type Time,
} from '../contentions';
import type { Context } from '../page';
import type { Change } from '../route';
import { Table, type Column } from '../table';
import { tableOptions } from '../tables';
import { amount, count, percent } from '../words';
import { keyOfPath } from './lockdetails';
import { bar, LONGEST_NAME } from './methods';

/** From this share on a row is unfolded unless somebody folds it, in percent. */
const UNFOLDED = 5;

/** Below this share a row is folded with others like it, in percent. */
const SMALL = 1;

const LONGEST_TITLE = 4000;

/** What a tree of locks needs of the view it is in. */
interface Doing {
  note(change: Change): void;
  /** Asks for all rows with those that were left out below a path. */
  more(path: readonly string[]): Promise<LockRow[]>;
  chosen(row: LockRow, isFirst: boolean): void;
}

/** The rows as a tree that folds, of which one is chosen. */
export class LockTree {
  readonly element = el('div');
  private readonly table: Table<LockRow>;
  private readonly legend = el('div');
  private rows: readonly LockRow[] = [];
  private parents = new Map<LockRow, LockRow>();
  private readonly keys = new Map<LockRow, string>();

  /** Which callers are shown in a row, where there are rows beside it that would look the same. */
  private readonly forks = new Map<LockRow, number[]>();

  /** Keys of rows that are folded although they are large, or not although they are small. */
  private readonly turned: Set<string>;
  private chosen: string;

  constructor(
    private readonly context: Context,
    private readonly time: Time,
    private readonly answer: Locks,
    private readonly doing: Doing,
  ) {
    this.turned = new Set(context.route.all('fold'));
    this.chosen = context.route.get('row');
    const options = tableOptions(context, 'locks', '', 'Nobody was kept waiting.');
    this.table = new Table<LockRow>('Locks', this.columns(), [], {
      ...options,
      mark: (row) => {
        const isFiltered = options.state.filter !== '';
        if (isFiltered ? row.more !== undefined : this.isHidden(row)) return 'folded';
        return this.key(row) === this.chosen ? 'here' : undefined;
      },
      isExtra: (row) => row.more !== undefined,
    });
    this.element.append(this.table.element, this.legend);
  }

  fill(rows: readonly LockRow[]): void {
    const { total, by } = this.answer;
    const all = gathered(withRests(rows, total, this.time, by.length), this.time, (total * SMALL) / 100);
    this.parents = all.parents;
    this.tellApart(rows);
    const words = new Set(rows.flatMap((row) => explained(nameOf(row))));
    this.legend.replaceChildren(...[...words].map((it) => el('p', { class: 'quiet' }, it)));
    const row = rows.find((it) => this.key(it) === this.chosen) ?? worst(rows, this.time);
    this.chosen = this.key(row);
    this.update(all.rows);
    this.doing.chosen(row, true);
  }

  private tellApart(rows: readonly LockRow[]): void {
    const beside = new Map<string, LockRow[]>();
    for (const row of rows) {
      const above = row.path.slice(0, -1).join('\n');
      const group = beside.get(above) ?? [];
      beside.set(above, group);
      group.push(row);
    }
    this.forks.clear();
    for (const group of beside.values()) {
      const forks = forksOf(group.map(nameOf));
      for (const row of group) this.forks.set(row, forks.get(nameOf(row)) ?? []);
    }
  }

  private update(rows: readonly LockRow[] = this.rows): void {
    this.rows = rows;
    this.table.update(rows);
  }

  private key(row: LockRow): string {
    const key = this.keys.get(row) ?? keyOfPath(row.path);
    this.keys.set(row, key);
    return key;
  }

  private part(row: LockRow): number {
    return this.answer.total > 0 ? (100 * valueOf(row, this.time)) / this.answer.total : 0;
  }

  private isOpen(row: LockRow): boolean {
    const usually = row.more === undefined && this.part(row) >= UNFOLDED;
    return usually !== this.turned.has(this.key(row));
  }

  private isHidden(row: LockRow): boolean {
    const parent = this.parents.get(row);
    return parent !== undefined && (!this.isOpen(parent) || this.isHidden(parent));
  }

  private columns(): Column<LockRow>[] {
    const { resource } = this.answer;
    const counted = TIMES[this.time];
    const columns: Column<LockRow>[] = [
      {
        key: 'path',
        title: this.answer.by.map((it) => ASPECTS[it]).join(' › '),
        value: (row) => row.path.join(' / '),
        show: (row) => this.name(row),
      },
      {
        key: this.time,
        title: resource.name,
        value: (row) => valueOf(row, this.time),
        show: (row) => amount(valueOf(row, this.time), resource),
      },
      { key: 'percent', title: '%', value: (row) => this.part(row), show: (row) => bar(this.part(row)) },
      {
        key: counted,
        title: counted,
        value: (row) => valueOf(row, counted),
        show: (row) => (valueOf(row, counted) === 0 ? '' : count(valueOf(row, counted))),
        hint: 'One that several owners caused counts for the one that caused most of it',
      },
    ];
    const { rows } = this.answer;
    if (rows.some((row) => row.waiters !== undefined))
      columns.push({
        key: 'waiters',
        title: 'waiters',
        value: (row) => row.waiters ?? 0,
        show: (row) => (row.waiters === undefined ? '' : count(row.waiters)),
        hint: 'How many different threads that was, by their names',
      });
    if (rows.some((row) => row.pressure !== undefined))
      columns.push({
        key: 'pressure',
        title: 'pressure',
        value: (row) => row.pressure ?? 0,
        show: (row) => (row.pressure === undefined ? '' : percent(100 * row.pressure)),
        hint: 'Blocked time of the CPU time that the program had: with 100 % as much is waited as worked',
      });
    return columns;
  }

  private name(row: LockRow): HTMLElement {
    const place = el('span', { class: 'context' });
    place.style.paddingLeft = `${(row.path.length - 1) * 16}px`;
    if (isRest(row)) {
      const more = (): void => this.context.attempt(this.more(row));
      place.append(el('button', { type: 'button', class: 'link', click: more }, 'smaller ones …'));
      return place;
    }
    const name = nameOf(row);
    const line = this.line(row);
    const shown = line.map((it) => it.textContent).join('');
    if (row.more !== undefined) {
      place.append(this.toggle(row, 'these'), el('span', { class: 'quiet' }, `${row.more} more`));
      return place;
    }
    const isLeaf = row.path.length === this.answer.by.length;
    place.append(isLeaf ? el('span', { class: 'fold' }) : this.toggle(row, shown));
    place.append(
      el(
        'button',
        {
          type: 'button',
          class: 'link name',
          'data-row': this.key(row),
          'aria-current': this.key(row) === this.chosen ? 'true' : undefined,
          title: [...explained(name), clipped(neutralise(name), LONGEST_TITLE)].join('\n'),
          click: () => this.choose(row),
        },
        ...line,
      ),
    );
    return place;
  }

  /** Methods and call chains without what nobody looks for, anything else as it is called. */
  private line(row: LockRow): Node[] {
    const name = nameOf(row);
    const aspect = this.answer.by[row.path.length - 1] ?? '';
    return /-(chain|method)$/.test(aspect)
      ? chainLine(name, this.forks.get(row))
      : [el('span', {}, clipped(neutralise(name), LONGEST_NAME))];
  }

  private toggle(row: LockRow, shown: string): HTMLElement {
    const open = this.isOpen(row);
    return el(
      'button',
      {
        type: 'button',
        class: 'fold',
        'data-fold': this.key(row),
        'aria-expanded': String(open),
        'aria-label': `What lies below ${shown}`,
        click: () => this.turn(row),
      },
      open ? '▾' : '▸',
    );
  }

  private turn(row: LockRow): void {
    const key = this.key(row);
    if (!this.turned.delete(key)) this.turned.add(key);
    this.doing.note({ fold: [...this.turned] });
    this.update();
    this.focus(`[data-fold="${key}"]`);
  }

  private choose(row: LockRow): void {
    this.chosen = this.key(row);
    this.doing.note({ row: this.chosen, pair: null });
    this.update();
    this.focus(`[data-row="${this.chosen}"]`);
    this.doing.chosen(row, false);
  }

  /** The rows were drawn again: what had the focus is another element now. */
  private focus(selector: string): void {
    this.element.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }

  private async more(rest: LockRow): Promise<void> {
    const above = rest.path.slice(0, -1);
    this.fill(await this.doing.more(above));
  }
}

function nameOf(row: LockRow): string {
  return row.path[row.path.length - 1];
}

/** The row that says most: the largest that is broken down by everything and of which all is known. */
function worst(rows: readonly LockRow[], time: Time): LockRow {
  const deepest = Math.max(...rows.map((row) => row.path.length));
  const rank = (row: LockRow): number =>
    row.path.some((name) => explained(name).length > 0) ? 0 : valueOf(row, time);
  return rows
    .filter((row) => row.path.length === deepest)
    .reduce((best, row) => (rank(row) > rank(best) ? row : best));
}
