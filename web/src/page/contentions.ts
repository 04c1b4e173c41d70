import type { Answer } from './api';

/** What contentions can be told apart by, as the server calls it and as people read it. */
export const ASPECTS = {
  kind: 'Kind',
  'lock-class': 'Lock class',
  lock: 'Lock',
  duration: 'Duration',
  'blocked-thread': 'Blocked thread',
  'blocked-method': 'Blocked method',
  'blocked-chain': 'Blocked call chain',
  'owner-thread': 'Owner thread',
  'owner-method': 'Owner method',
  'owner-chain': 'Owner call chain',
} as const;

export type Aspect = keyof typeof ASPECTS;

/** What answers most questions: which lock, who waits, and whose fault it is. */
const USUAL: readonly Aspect[] = ['lock-class', 'blocked-chain', 'owner-chain'];

/** The times that can be shown, and what counts them. */
export const TIMES = { blocked: 'contentions', waited: 'waits', held: 'holds' } as const;

export type Time = keyof typeof TIMES;

export interface LockRow {
  /** A value for each aspect. */
  path: string[];
  blocked?: number;
  waited?: number;
  held?: number;
  contentions?: number;
  waits?: number;
  holds?: number;
  /** How many threads that was; a sum over rows would count some twice. */
  waiters?: number;
  /** Blocked time for each second of CPU time that the program had. */
  pressure?: number;
  /** How many small rows this one stands for while they are folded. */
  more?: number;
}

export interface Locks extends Answer {
  by: Aspect[];
  leftOut?: number;
  rows: LockRow[];
}

/** Stands for what was left out below a row. */
export const REST = '[smaller ones]';

/** What the time is called that the address asks for; other resources say nothing about locks. */
export function timeOf(resource: string): Time {
  return Object.hasOwn(TIMES, resource) ? (resource as Time) : 'blocked';
}

/** Who holds a lock is not blocked: of holding, half of the aspects say nothing. */
export function aspectsOf(time: Time): Aspect[] {
  const all = Object.keys(ASPECTS) as Aspect[];
  return time === 'held' ? all.filter((aspect) => !aspect.startsWith('blocked-')) : all;
}

/** The aspects that an address names, in their order; the usual ones if it names none. */
export function orderOf(written: string, time: Time): Aspect[] {
  const known: readonly string[] = aspectsOf(time);
  const meant = (names: readonly string[]): Aspect[] =>
    [...new Set(names)].filter((name) => known.includes(name)) as Aspect[];
  const asked = meant(written.split(','));
  return asked.length > 0 ? asked : meant(USUAL);
}

export function valueOf(row: LockRow, name: keyof Omit<LockRow, 'path'>): number {
  return row[name] ?? 0;
}

/** Half a nanosecond: what is less is only how computers add up. */
const NOTHING = 5e-10;

/** The rows, depth first, with one more below each whose parts are not all there. */
export function withRests(rows: readonly LockRow[], total: number, time: Time, levels: number): LockRow[] {
  const all: LockRow[] = [];
  const open: { path: string[]; left: number }[] = [{ path: [], left: total }];
  const close = (level: number): void => {
    for (let last = open.at(-1); last !== undefined && open.length > level; last = open.at(-1)) {
      open.pop();
      if (last.path.length < levels && last.left > NOTHING)
        all.push({ path: [...last.path, REST], [time]: last.left });
    }
  };
  for (const row of rows) {
    close(row.path.length);
    const above = open.at(-1);
    if (above !== undefined) above.left -= valueOf(row, time);
    all.push(row);
    open.push({ path: row.path, left: valueOf(row, time) });
  }
  close(0);
  return all;
}

/** Rows, depth first, and the row that each belongs to; those on top have none. */
export interface LockForest {
  rows: LockRow[];
  parents: Map<LockRow, LockRow>;
}

/**
 * The rows with one more before the small ones below each row, if there are several: they belong to
 * that one, which stands for them. The largest below a row is not small, nor is what is below a small one.
 */
export function gathered(rows: readonly LockRow[], time: Time, least: number): LockForest {
  const parents = parentsOf(rows);
  const small = new Set<LockRow>();
  const siblings = new Map<LockRow | undefined, LockRow[]>();
  for (const row of rows) {
    const parent = parents.get(row);
    const before = siblings.get(parent);
    if (before === undefined) siblings.set(parent, [row]);
    else if (valueOf(row, time) < least && !isRest(row) && !(parent && small.has(parent))) {
      before.push(row);
      small.add(row);
    }
  }
  const all: LockRow[] = [];
  const standing = new Map<LockRow | undefined, LockRow>();
  for (const row of rows) {
    const parent = parents.get(row);
    const [, ...few] = siblings.get(parent) ?? [];
    if (small.has(row) && few.length > 1) {
      let gatherer = standing.get(parent);
      if (gatherer === undefined) {
        gatherer = sumOf(few, time, parent?.path ?? []);
        standing.set(parent, gatherer);
        if (parent !== undefined) parents.set(gatherer, parent);
        all.push(gatherer);
      }
      parents.set(row, gatherer);
    }
    all.push(row);
  }
  return { rows: all, parents };
}

function sumOf(rows: readonly LockRow[], time: Time, above: readonly string[]): LockRow {
  const sum = (name: Time | (typeof TIMES)[Time]): number =>
    rows.reduce((all, row) => all + valueOf(row, name), 0);
  return {
    path: [...above, `[${rows.length} more]`],
    [time]: sum(time),
    [TIMES[time]]: sum(TIMES[time]),
    more: rows.length,
  };
}

export function isRest(row: LockRow): boolean {
  return row.path[row.path.length - 1] === REST;
}

function parentsOf(rows: readonly LockRow[]): Map<LockRow, LockRow> {
  const parents = new Map<LockRow, LockRow>();
  const above: LockRow[] = [];
  for (const row of rows) {
    above.length = row.path.length - 1;
    const parent = above.at(-1);
    if (parent !== undefined) parents.set(row, parent);
    above.push(row);
  }
  return parents;
}

/** Rows with others in place of all that lay below a path. */
export function replaced(
  rows: readonly LockRow[],
  path: readonly string[],
  others: readonly LockRow[],
): LockRow[] {
  const isBelow = (row: LockRow): boolean =>
    row.path.length > path.length && path.every((name, i) => row.path[i] === name);
  const first = rows.findIndex(isBelow);
  const rest = rows.filter((row) => !isBelow(row));
  const above = rows.findIndex(
    (row) => row.path.length === path.length && row.path.every((name, i) => path[i] === name),
  );
  const at = first >= 0 ? first : above + 1;
  return [...rest.slice(0, at), ...others.filter(isBelow), ...rest.slice(at)];
}

/** The durations that contentions are sorted into, the shortest first. */
const BUCKETS: readonly string[] = [
  '< 1 us',
  ...['us', 'ms', 's'].flatMap((unit) =>
    (unit === 's' ? [1, 10, 100, 1000, 10_000] : [1, 10, 100]).flatMap((decade) =>
      [
        [1, 2],
        [2, 5],
        [5, 10],
      ].map(([least, most]) => `${least * decade}-${most * decade} ${unit}`),
    ),
  ),
];

export interface Bucket {
  duration: string;
  count: number;
  time: number;
}

/** What lasted how long, from the shortest to the longest that occurs, those between included. */
export function histogram(rows: readonly LockRow[], time: Time): Bucket[] {
  const found = new Map<string, Bucket>();
  for (const row of rows) {
    const duration = row.path[row.path.length - 1];
    const bucket = found.get(duration) ?? { duration, count: 0, time: 0 };
    bucket.count += valueOf(row, TIMES[time]);
    bucket.time += valueOf(row, time);
    found.set(duration, bucket);
  }
  const places = [...found.keys()].map((it) => BUCKETS.indexOf(it)).filter((place) => place >= 0);
  if (places.length === 0) return [];
  return BUCKETS.slice(Math.min(...places), Math.max(...places) + 1).map(
    (duration) => found.get(duration) ?? { duration, count: 0, time: 0 },
  );
}

/** What stands where a name should be, in words. */
const EXPLAINED: readonly (readonly [sign: string, words: string])[] = [
  [
    '[unknown owner]',
    'nobody is known to have had the lock meanwhile: code is changed to tell of its locks only once somebody has to wait there, which takes a moment, or it cannot be changed at all',
  ],
  [
    '[handed over]',
    'the lock was free again, but who waited for it did not run yet: what it takes to wake a thread',
  ],
  [
    '[looked up]',
    'its code did not tell yet that it leaves the lock, or never will, so the JVM was asked who had it; the call chain is that of this moment',
  ],
  ['[no call chain]', 'no call chain was taken of this thread'],
  ['[no blocker]', 'the thread parked without saying for which object'],
];

/** The words for the signs in a name; empty if it has none. */
export function explained(name: string): string[] {
  return EXPLAINED.filter(([sign]) => name.includes(sign)).map(([sign, words]) => `${sign}: ${words}.`);
}
