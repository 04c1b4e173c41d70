import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { AspectChips } from '../aspects';
import { reducedWhen } from '../budget';
import {
  aspectsOf,
  orderOf,
  replaced,
  TIMES,
  timeOf,
  type Aspect,
  type LockRow,
  type Locks,
  type Time,
} from '../contentions';
import type { Context } from '../page';
import { written, type Change } from '../route';
import { lockWarnings, NO_LOCKS, reductions } from '../trusting';
import { keyOfPath, LockDetails } from './lockdetails';
import { blockedOverTime } from './locktimes';
import { LockTree } from './locktree';

/** How many rows are asked for at a time. */
const MORE = 300;

const MEANING: Record<Time, string> = {
  blocked: 'could not go on because another thread had a lock',
  waited: 'waited for a condition, a permit, a result: mostly because there was nothing to do',
  held: 'held a lock that others wanted',
};

/** Who kept whom waiting. */
export async function locks(context: Context): Promise<void> {
  await new LocksView(context).start();
}

class LocksView {
  private readonly time: Time;
  private order: Aspect[];
  private readonly links = el('p', { class: 'kinds' });
  private readonly results = el('div');
  private readonly place = el('section', { class: 'details', 'aria-label': 'The chosen row' });

  /** Counts what was asked: an answer to an earlier question comes too late. */
  private turn = 0;

  constructor(private context: Context) {
    this.time = timeOf(context.route.get('resource'));
    this.order = orderOf(context.route.get('by'), this.time);
  }

  async start(): Promise<void> {
    const answer = await this.ask(this.order, []);
    const chips = new AspectChips(this.order, aspectsOf(this.time), (order) => this.reorder(order));
    this.drawLinks();
    this.context.main.append(
      el('div', { class: 'heading' }, el('h1', {}, 'Locks'), this.links),
      el('p', { class: 'quiet' }, `Threads that ${MEANING[this.time]}.`),
    );
    const missing = lockWarnings(answer);
    if (missing.length > 0)
      this.context.main.append(
        el('ul', { class: 'missing' }, ...missing.map((text) => el('li', {}, neutralise(text)))),
      );
    if (reductions(answer.provenance).includes(NO_LOCKS)) {
      const when = el('div');
      this.context.main.append(when);
      void this.context.later(when, reducedWhen(this.context, NO_LOCKS));
    }
    this.context.selected(answer);
    if (answer.rows.length === 0) {
      this.context.main.append(...this.nothing(answer));
      return;
    }
    const over = el('section');
    this.context.main.append(chips.element, this.results, el('h2', {}, 'Over time'), over);
    this.show(answer);
    this.context.later(over, blockedOverTime(this.context, this.time, answer));
  }

  /** Notes something in the address; what is asked and drawn from now on follows it. */
  private note(change: Change): void {
    this.context.note(change);
    this.context = { ...this.context, route: this.context.route.with(change) };
  }

  private reorder(order: Aspect[]): void {
    this.order = order;
    this.note({ by: order.join(), row: null, fold: null, more: null, pair: null, sort: null, filter: null });
    this.drawLinks();
    const turn = ++this.turn;
    this.results.setAttribute('aria-busy', 'true');
    this.context.attempt(
      this.ask(order, []).then((answer) => {
        if (turn !== this.turn) return;
        this.results.removeAttribute('aria-busy');
        if (answer.rows.length > 0) this.show(answer);
        else this.results.replaceChildren(...this.nothing(answer));
      }),
    );
  }

  /** What lies below a row, or everything. */
  private ask(
    by: readonly Aspect[],
    path: readonly string[],
    limit = MORE,
    time = this.time,
  ): Promise<Locks> {
    const params = this.context.route.question();
    // Who was chosen had to wait: what is asked about holding the lock is about all others, too.
    if (time !== this.time) for (const name of ['thread', 'root', 'task']) params.delete(name);
    params.set('resource', time);
    params.set('by', by.join());
    params.set('limit', String(limit));
    for (const each of path) params.append('node', written(each));
    return this.context.api.ask<Locks>('locks', params);
  }

  /** The ways to the other times, with what is noted by now. */
  private drawLinks(): void {
    const { route } = this.context;
    const links = (Object.keys(TIMES) as Time[]).map((time) =>
      el(
        'a',
        {
          href: route.with({ resource: time, row: null, fold: null, more: null, pair: null }).address,
          'aria-current': time === this.time ? 'true' : undefined,
          title: `Threads that ${MEANING[time]}`,
        },
        time,
      ),
    );
    this.links.replaceChildren(...links);
  }

  /** Why there is nothing; where nobody has traced anything, how to. */
  private nothing(answer: Locks): HTMLElement[] {
    const remarks = answer.remarks ?? [];
    if (!remarks.some((it) => it.includes('heatline locks')))
      return remarks.map((remark) => el('p', {}, neutralise(`${remark}.`)));
    // Above stands when the budget switched that off: asking for it once more would not help.
    if (reductions(answer.provenance).includes(NO_LOCKS))
      return [el('p', {}, 'No locks were traced in this selection.')];
    const app = neutralise(this.context.route.app);
    return [
      el('p', {}, 'No locks were traced in this selection. To trace those of a JVM for a while:'),
      el(
        'pre',
        { tabindex: '0' },
        `heatline locks PID -o locks.heat && heatline push locks.heat --app '${app}'`,
      ),
      el('p', {}, 'or all the time:'),
      el('pre', { tabindex: '0' }, 'heatline collect --locks'),
    ];
  }

  private show(answer: Locks): void {
    let { rows } = answer;
    const more = this.context.route.all('more');
    const tree = new LockTree(this.context, this.time, answer, {
      note: (change) => this.note(change),
      more: async (path) => {
        rows = await this.unfolded(rows, path);
        more.push(keyOfPath(path));
        this.note({ more });
        return rows;
      },
      chosen: (row, isFirst) => this.details(answer, row, isFirst),
    });
    this.results.replaceChildren(
      ...(answer.remarks ?? []).map((remark) => el('p', { class: 'quiet' }, neutralise(`${remark}.`))),
      el('div', { class: 'beside' }, tree.element, this.place),
    );
    this.context.attempt(this.restored(rows, more).then((all) => tree.fill((rows = all))));
  }

  private details(answer: Locks, row: LockRow, isFirst: boolean): void {
    const asking = (by: readonly Aspect[], path: readonly string[], time: Time): Promise<Locks> =>
      this.ask(by, path, MORE, time);
    const details = new LockDetails(this.context, this.order, this.time, row, answer, asking);
    // In a place of its own: an answer about a row that was chosen before comes too late.
    const shown = el('div');
    this.place.replaceChildren(shown);
    const filled = this.context.later(shown, details.element());
    // Only what is there can be scrolled to: where there is no room beside the tree, it is below it.
    if (!isFirst) void filled.then(() => this.place.scrollIntoView({ block: 'nearest' }));
  }

  /** What was left out below a path, too. */
  private async unfolded(rows: readonly LockRow[], path: readonly string[]): Promise<LockRow[]> {
    const answer = await this.ask(this.order, path, Math.min(5000, rows.length + MORE));
    return replaced(rows, path, answer.rows);
  }

  /** The rows with what the address says was unfolded before. */
  private async restored(rows: readonly LockRow[], more: readonly string[]): Promise<LockRow[]> {
    let all = [...rows];
    for (const key of more) {
      const above = [[], ...all.map((row) => row.path)].find((path) => keyOfPath(path) === key);
      if (above !== undefined) all = await this.unfolded(all, above);
    }
    return all;
  }
}
