import { clipped, el } from '../../flame/dom';
import { nameKey, neutralise, withoutPackage } from '../../flame/names';
import { chainLine, chainList, folded, forksOf } from '../chains';
import {
  ASPECTS,
  explained,
  histogram,
  TIMES,
  valueOf,
  type Aspect,
  type Bucket,
  type LockRow,
  type Locks,
  type Time,
} from '../contentions';
import type { Context } from '../page';
import { written } from '../route';
import { Table, type Column } from '../table';
import { partOptions } from '../tables';
import { amount, count, percent } from '../words';
import { bar, LONGEST_NAME } from './methods';

/** What owners have done. */
const OWNERS: Record<Time, string> = {
  blocked: 'Held meanwhile by',
  waited: 'Woken by',
  held: 'Held by',
};

/** Asks for contentions by aspects, of those below a path. */
export type Asking = (by: readonly Aspect[], path: readonly string[], time: Time) => Promise<Locks>;

/** Short enough for an address, whatever the names are. */
export function keyOfPath(path: readonly string[]): string {
  return nameKey(path.join('\n'));
}

/** A part of the chosen row, and what it is of some aspects. */
interface Part {
  row: LockRow;
  /** What all parts have together: what was stored since the row was drawn is in it. */
  whole: number;
  of(aspect: Aspect): string;
}

/** Everything that is known of one row: both call chains, locks, threads, how long it took. */
export class LockDetails {
  private readonly prefix: Aspect[];

  constructor(
    private readonly context: Context,
    order: readonly Aspect[],
    private readonly time: Time,
    private readonly row: LockRow,
    private readonly answer: Locks,
    private readonly asking: Asking,
  ) {
    this.prefix = order.slice(0, row.path.length);
  }

  async element(): Promise<Node> {
    const [pairs, locks, threads, waits, holds] = await Promise.all([
      this.parts('blocked-chain', 'owner-chain'),
      this.parts('kind', 'lock-class', 'lock'),
      this.parts('blocked-thread', 'owner-thread'),
      this.durations(this.time, this.prefix),
      this.durations(
        'held',
        this.prefix.filter((it) => it !== 'duration' && !it.startsWith('blocked-')),
      ),
    ]);
    return el(
      'div',
      {},
      el('h2', {}, clipped(neutralise(folded(this.row.path[this.row.path.length - 1])), LONGEST_NAME)),
      el('p', {}, this.summary()),
      this.chains(pairs),
      el(
        'div',
        { class: 'columns' },
        this.histogram(`How long they ${this.time === 'held' ? 'held' : 'waited'}`, waits, this.time),
        ...(this.time === 'blocked' ? [this.histogram(this.holder(), holds, 'held')] : []),
      ),
      this.table('Its locks', 'locks', ['kind', 'lock-class', 'lock'], locks),
      this.table('Its threads', 'threads', this.known('blocked-thread', 'owner-thread'), threads),
    );
  }

  private holder(): string {
    if (this.prefix.some((it) => it.startsWith('owner-'))) return 'How long this owner held it';
    return this.prefix.some((it) => it.startsWith('lock'))
      ? 'How long it was held'
      : 'How long locks were held';
  }

  private summary(): string {
    const value = valueOf(this.row, this.time);
    const times = valueOf(this.row, TIMES[this.time]);
    const { resource, total } = this.answer;
    const each = times > 0 ? `, ${amount(value / times, resource)} each` : '';
    return `${amount(value, resource)} ${this.time}, ${percent((100 * value) / total)} of all, in ${count(times)} ${TIMES[this.time]}${each}.`;
  }

  /** Those of some aspects that say something about this time. */
  private known(...aspects: Aspect[]): Aspect[] {
    return this.time === 'held' ? aspects.filter((it) => !it.startsWith('blocked-')) : aspects;
  }

  /** The row broken down by what its path does not say yet, the largest first. */
  private async parts(...wanted: Aspect[]): Promise<Part[]> {
    const missing = this.known(...wanted).filter((aspect) => !this.prefix.includes(aspect));
    const by = [...this.prefix, ...missing];
    const { rows, total } =
      missing.length === 0
        ? { rows: [this.row], total: valueOf(this.row, this.time) }
        : await this.asking(by, this.row.path, this.time);
    return rows
      .filter((row) => row.path.length === by.length)
      .sort((a, b) => valueOf(b, this.time) - valueOf(a, this.time))
      .map((row) => ({ row, whole: total, of: (aspect) => row.path[by.indexOf(aspect)] ?? '' }));
  }

  /** What took how long, among the contentions with the same values of some aspects. */
  private async durations(time: Time, same: readonly Aspect[]): Promise<Bucket[]> {
    const by: Aspect[] = same.includes('duration') ? [...same] : [...same, 'duration'];
    const path = same.map((aspect) => this.row.path[this.prefix.indexOf(aspect)]);
    const { rows } = await this.asking(by, path, time);
    const whole = rows.filter((row) => row.path.length === by.length);
    return histogram(
      whole.map((row) => ({ ...row, path: [row.path[by.indexOf('duration')]] })),
      time,
    );
  }

  private chains(pairs: readonly Part[]): HTMLElement {
    const place = el('div', { class: 'sides' });
    const chosen = pairs.find((pair) => keyOf(pair) === this.context.route.get('pair')) ?? pairs[0];
    const show = (pair: Part): void => place.replaceChildren(...this.sides(pair));
    if (chosen !== undefined) show(chosen);
    if (pairs.length < 2) return place;
    const columns = this.known('blocked-chain', 'owner-chain').map((aspect): Column<Part> => {
      const forks = forksOf([...new Set(pairs.map((pair) => pair.of(aspect)))]);
      return {
        key: aspect,
        title: ASPECTS[aspect],
        value: (pair) => pair.of(aspect),
        show: (pair) =>
          el(
            'button',
            {
              type: 'button',
              class: 'link name',
              title: explained(pair.of(aspect)).join('\n') || undefined,
              click: () => {
                this.context.note({ pair: keyOf(pair) });
                show(pair);
                place.scrollIntoView({ block: 'nearest' });
              },
            },
            ...chainLine(pair.of(aspect), forks.get(pair.of(aspect))),
          ),
      };
    });
    const table = new Table<Part>(
      'Its call chains',
      [...columns, ...this.amounts()],
      pairs,
      partOptions(this.context, 'chains', `-${this.time}`, 'No call chain is known.'),
    );
    return el('div', {}, place, el('h3', {}, 'Its call chains'), table.element);
  }

  /** Both chains, whole, side by side. */
  private sides(pair: Part): HTMLElement[] {
    const sides: readonly (readonly [Aspect, string])[] = [
      ['blocked-chain', this.time === 'waited' ? 'Waited here' : 'Blocked here'],
      ['owner-chain', OWNERS[this.time]],
    ];
    return sides
      .filter(([aspect]) => this.known(aspect).length > 0)
      .map(([aspect, title]) => {
        const list = chainList(pair.of(aspect), (method) => this.link(method));
        const words = explained(pair.of(aspect)).map((it) => el('p', { class: 'quiet' }, it));
        return el('section', { class: aspect }, el('h3', {}, title), list, ...words);
      });
  }

  private link(method: string): Node {
    if (method.startsWith('[')) return el('span', { class: 'name' }, method);
    const href = this.context.route.to('method', { name: written(method) }).address;
    const shown = clipped(neutralise(withoutPackage(method)), LONGEST_NAME);
    return el('a', { class: 'name', href, title: clipped(neutralise(method), LONGEST_NAME) }, shown);
  }

  private amounts(): Column<Part>[] {
    const { resource } = this.answer;
    const counted = TIMES[this.time];
    const part = ({ row, whole }: Part): number => (whole > 0 ? (100 * valueOf(row, this.time)) / whole : 0);
    return [
      {
        key: this.time,
        title: this.time,
        value: ({ row }) => valueOf(row, this.time),
        show: ({ row }) => amount(valueOf(row, this.time), resource),
      },
      { key: 'percent', title: '%', value: part, show: (row) => bar(part(row)) },
      {
        key: counted,
        title: counted,
        value: ({ row }) => valueOf(row, counted),
        show: ({ row }) => count(valueOf(row, counted)),
      },
    ];
  }

  private table(
    caption: string,
    file: string,
    aspects: readonly Aspect[],
    parts: readonly Part[],
  ): HTMLElement {
    const columns = aspects.map((aspect): Column<Part> => ({
      key: aspect,
      title: ASPECTS[aspect],
      value: (part) => part.of(aspect),
      show: (part) =>
        el(
          'span',
          { class: 'name', title: explained(part.of(aspect)).join('\n') || undefined },
          clipped(neutralise(part.of(aspect)), LONGEST_NAME),
        ),
    }));
    const table = new Table<Part>(
      caption,
      [...columns, ...this.amounts()],
      parts,
      partOptions(this.context, file, `-${this.time}`, 'Nothing is known.'),
    );
    return el('section', {}, el('h3', {}, caption), table.element);
  }

  private histogram(caption: string, buckets: readonly Bucket[], time: Time): HTMLElement {
    const all = Math.max(
      1,
      buckets.reduce((sum, it) => sum + it.count, 0),
    );
    const body = el('tbody');
    for (const { duration, count: times, time: took } of buckets)
      body.append(
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, duration.replace('us', 'µs').replace('-', '–')),
          el('td', {}, bar((100 * times) / all)),
          el('td', { class: 'number' }, count(times)),
          el('td', { class: 'number' }, amount(took, { name: time, unit: 's' })),
        ),
      );
    const heads = ['Duration', 'Share', TIMES[time], time].map((it, at) =>
      el('th', { scope: 'col', class: at > 1 ? 'number' : undefined }, it),
    );
    const table = el(
      'table',
      { class: 'histogram' },
      el('caption', { class: 'hl-unseen' }, caption),
      el('thead', {}, el('tr', {}, ...heads)),
      body,
    );
    return el(
      'section',
      {},
      el('h3', {}, caption),
      buckets.length === 0
        ? el('p', { class: 'quiet' }, 'Nothing is known.')
        : el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, table),
    );
  }
}

function keyOf(pair: Part): string {
  return keyOfPath([pair.of('blocked-chain'), pair.of('owner-chain')]);
}
