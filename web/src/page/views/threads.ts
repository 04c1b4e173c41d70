import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import type { Answer } from '../api';
import { bars } from '../chart';
import type { Context } from '../page';
import { Table, type Column } from '../table';
import { partOptions, tableOptions } from '../tables';
import { cpus } from '../trusting';
import { amount, count } from '../words';
import { bar, methodLink } from './methods';

/** Amounts of resources, by their names, beside what else is known. */
interface Amounts {
  percent: number;
  [resource: string]: unknown;
}

interface ThreadRow extends Amounts {
  thread: string;
  group?: string;
  calls: number;
  hottest: { consumer: string; base: number }[];
}

interface States {
  resources: { name: string; unit: string }[];
  rows: { from: string; until: string; values: Record<string, number> }[];
}

interface Resources {
  rows: { name: string; unit: string; kind: 'time' | 'count' | 'bytes' | 'amount' }[];
}

/** What resources say of a thread, where their names alone do not. */
const MEANING: Record<string, string> = {
  blocked: 'could not go on because another thread had a lock',
  waited: 'waited for a condition, a permit, a result, work',
  parked: 'parked for 10 ms or more, as the flight recorder sees it',
  held: 'had a lock that others wanted; mostly it ran meanwhile',
  cpu: 'ran, by samples of the clock',
  'cpu-time': 'ran, by samples of CPU time',
  corrected: 'ran, as the kernel counts it, without what was stolen',
  steal: 'was on a CPU that the hypervisor had taken away',
};

const TWICE =
  'parked and waited are largely the same time: the flight recorder tells the one, the lock tracer the other. They do not add up.';

/** What each thread used, group by group. */
export async function threads(context: Context): Promise<void> {
  const question = context.route.question();
  question.set('limit', '1000');
  const [answer, resources] = await Promise.all([
    context.api.ask<Answer & { leftOut: number; rows: ThreadRow[] }>('threads', question),
    context.api.ask<Resources>('resources', context.route.question()),
  ]);
  context.selected(answer);
  const used = resources.rows.filter((it) => it.kind !== 'count').map(usedColumn);
  const columns: Column<ThreadRow>[] = [
    {
      key: 'thread',
      title: 'Thread',
      value: (row) => row.thread,
      show: (row) => threadsLink(context, `^${escaped(row.thread)}$`, row.thread),
    },
    { key: 'group', title: 'Group', value: (row) => row.group ?? '' },
    { key: 'percent', title: 'Share', value: (row) => row.percent, show: (row) => bar(row.percent) },
    ...used,
    {
      key: 'hottest',
      title: 'Mostly in',
      value: (row) => row.hottest.map((it) => it.consumer).join(' '),
      show: (row) => {
        const list = el('ul', { class: 'plain' });
        for (const it of row.hottest) list.append(el('li', {}, methodLink(context, it.consumer)));
        return list;
      },
    },
  ];
  const table = new Table(
    'Threads',
    columns,
    answer.rows,
    tableOptions(context, 'threads', '-percent', 'No thread used any of this.'),
  );
  context.main.append(el('h1', {}, 'Threads'));
  const had = cpus(answer);
  if (had !== '') context.main.append(el('p', {}, had));
  const names = resources.rows.map((it) => it.name);
  if (names.includes('parked') && names.includes('waited'))
    context.main.append(el('p', { class: 'quiet' }, TWICE));
  context.main.append(pools(context, answer.rows, used), table.element);
  if (answer.leftOut > 0)
    context.main.append(el('p', { class: 'quiet' }, `${count(answer.leftOut)} more threads used less.`));
  const over = el('section');
  context.main.append(el('h2', {}, 'States over time'), over);
  context.later(over, states(context));
}

interface Pool extends Amounts {
  pool: string;
  threads: number;
}

/** Threads whose names differ in numbers alone are mostly those of one pool. */
function pools(context: Context, rows: readonly ThreadRow[], used: Column<Amounts>[]): HTMLElement {
  const found = new Map<string, Pool>();
  for (const row of rows) {
    const name = row.thread.replace(/\d+/g, '#');
    const pool = found.get(name) ?? { pool: name, threads: 0, percent: 0 };
    pool.threads++;
    pool.percent += row.percent;
    for (const { key } of used) pool[key] = Number(pool[key] ?? 0) + Number(row[key] ?? 0);
    found.set(name, pool);
  }
  const columns: Column<Pool>[] = [
    {
      key: 'pool',
      title: 'Threads alike',
      hint: '# stands for a number',
      value: (row) => row.pool,
      show: (row) => threadsLink(context, `^${escaped(row.pool).replaceAll('#', '\\d+')}$`, row.pool),
    },
    { key: 'threads', title: 'Threads', value: (row) => row.threads },
    { key: 'percent', title: 'Share', value: (row) => row.percent, show: (row) => bar(row.percent) },
    ...used,
  ];
  const options = partOptions(context, 'pools', '-percent', 'No thread used any of this.');
  return new Table('Threads alike', columns, [...found.values()], options).element;
}

/** What was used of a resource. */
function usedColumn(resource: { name: string; unit: string }): Column<Amounts> {
  const value = (row: Amounts): number => Number(row[resource.name] ?? 0);
  return {
    key: resource.name,
    title: resource.name,
    hint: MEANING[resource.name],
    value,
    show: (row) => amount(value(row), resource),
  };
}

/** The way to the flame graph of some threads. */
export function threadsLink(context: Context, thread: string, text: string): HTMLElement {
  return el('a', { href: context.route.to('flame', { thread }).address }, neutralise(text));
}

/** What all threads of the selection did when: each state as high as it ever was. */
async function states(context: Context): Promise<HTMLElement> {
  const over = await context.api.ask<States>('states', context.route.question());
  const rows = over.resources.map((resource) => ({
    ...resource,
    pieces: over.rows.map(({ from, until, values }) => ({ from, until, value: values[resource.name] ?? 0 })),
  }));
  const total = (row: (typeof rows)[number]): number => row.pieces.reduce((sum, it) => sum + it.value, 0);
  const table = new Table(
    'States over time',
    [
      {
        key: 'state',
        title: 'State',
        value: (row) => row.name,
        show: (row) => el('span', { title: MEANING[row.name] }, neutralise(row.name)),
      },
      {
        key: 'total',
        title: 'In all threads',
        value: total,
        show: (row) => amount(total(row), row),
      },
      {
        key: 'over',
        title: 'Over time',
        value: (row) => row.pieces.map((it) => it.value).join(' '),
        show: (row) => bars(row.pieces, 24, `${row.name} over time`),
      },
    ],
    rows,
    partOptions(context, 'states', '-total', 'No state is known.'),
  );
  return table.element;
}

/** A text as a regular expression that means just it. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
