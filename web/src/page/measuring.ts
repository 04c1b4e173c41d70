import { neutralise } from '../flame/names';
import { BASELINE, type Change, type Route } from './route';

/** A JVM that a collector follows now. */
export interface Jvm {
  jvm: string;
  app: string;
  /** May be unknown, which is empty. */
  version: string;
  instance: string;
  main: string;
  pid: number;
}

/** Calls that somebody wanted to be measured. */
export interface Measurement {
  id: string;
  jvm: string;
  app: string;
  version: string;
  instance: string;
  /** Below which methods; none where only the times of single methods are wanted. */
  roots: string[];
  regions: string[];
  seconds: number;
  state: 'waiting' | 'running' | 'ended' | 'failed';
  message: string;
  created: string;
  /** When it began and ended, if it has. */
  from?: string;
  until?: string;
}

/** A calling context. */
export interface CallRow extends Counted {
  /** From all threads on. */
  path: string[];
  depth: number;
  base: number;
  cum: number;
  cumPercent: number;
  recursive?: boolean;
}

export interface CallTree {
  /** Calls themselves where they took less than can be told. */
  resource: { name: string; unit: string };
  total: number;
  totalCalls?: number;
  rows: CallRow[];
}

/** A measurement with what it has seen so far. */
export interface Measured extends Measurement {
  said?: string[];
  /** What the tree could be about. */
  resources?: string[];
  tree?: CallTree;
  times?: Times;
}

/** How long calls of single methods took, in nanoseconds. */
export interface Times {
  /** Since measuring began. */
  duration: number;
  regions: Region[];
}

export interface Region {
  method: string;
  calls: number;
  total: number;
  /** By the percentage of calls that took no longer. */
  percentiles: Record<string, number>;
  histogram: { from: number; to: number; calls: number }[];
  last: { start: number; took: number }[];
  slowest: SlowCall[];
}

export interface SlowCall {
  took: number;
  end: string;
  thread: string;
  /** Types of the first objects that it was given. */
  arguments: string[];
  stack: string[];
}

/** The methods that it is about. */
export function subject({ roots, regions }: Pick<Measurement, 'roots' | 'regions'>): string {
  return [...roots, ...regions].join(', ');
}

export interface Power {
  /** In nanoseconds. */
  below: number;
  calls: number;
}

/** How many calls took less than each power of two and not less than the one before it. */
export function powersOf(histogram: Region['histogram']): Power[] {
  const powers: Power[] = [];
  for (const { from, calls } of histogram) {
    const below = 2 ** Math.floor(Math.log2(Math.max(1, from)) + 1);
    let last = powers.at(-1);
    while (last !== undefined && last.below < below)
      powers.push((last = { below: 2 * last.below, calls: 0 }));
    if (last === undefined) powers.push((last = { below, calls: 0 }));
    last.calls += calls;
  }
  return powers;
}

/** Addresses hold only so much. */
const LONGEST_ROOT = 500;

/** Classes, a method that is no constructor, and types, as `a.B.c(D)`. */
const METHOD =
  /^((?:[\p{L}_$][\p{L}\p{N}_$]*\.)*[\p{L}_$][\p{L}\p{N}_$]*)\.([\p{L}_$][\p{L}\p{N}_$-]*)(\([^()]*\))?$/u;

/** A method as roots are written: `a.B.c(D)` is `a.B::c(D)`. Empty for what can be none. */
export function rootOf(method: string): string {
  const [, type, name, types = ''] = METHOD.exec(method) ?? [];
  const isNone = type === undefined || type.includes('$$Lambda') || neutralise(method) !== method;
  return isNone || method.length >= LONGEST_ROOT ? '' : `${type}::${name}${types}`;
}

/** What somebody wrote as a root, or took from a stack trace: `at app//a.B.c(B.java:12)` is `a.B::c`. */
export function typedRoot(text: string): string {
  const plain = text
    .trim()
    .replace(/^at\s+/, '')
    .replace(/^[^(]*\//, '')
    .replace(/\([^()]*:\d+\)$/, '');
  return rootOf(plain) || plain;
}

export function isUnderWay({ state }: Measurement): boolean {
  return state === 'waiting' || state === 'running';
}

/** By the clock of the reader, which may be another than that of the server. */
export function secondsLeft({ from, seconds }: Measurement, now = Date.now()): number {
  if (from === undefined) return seconds;
  return Math.min(seconds, Math.max(0, Math.ceil(seconds - (now - Date.parse(from)) / 1000)));
}

const STATES: Record<Measurement['state'], string> = {
  waiting: 'Waiting for the collector',
  running: 'Measuring',
  ended: 'Ended',
  failed: 'Failed',
};

/** How far it is, in words. */
export function stateText({ state, message }: Pick<Measurement, 'state' | 'message'>): string {
  const isSaid = message === '' || message === STATES[state].toLowerCase();
  return isSaid ? STATES[state] : `${STATES[state]}: ${message}`;
}

/** The JVMs of the versions and instances that are selected. */
export function narrowed(jvms: readonly Jvm[], route: Route): Jvm[] {
  const among = (name: string, value: string): boolean => {
    const wanted = route.all(name);
    return wanted.length === 0 || wanted.includes(value);
  };
  return jvms.filter((it) => among('version', it.version) && among('instance', it.instance));
}

/** Selects what was measured and nothing else; null as long as it has not ended, or if that is no profile. */
export function whereMeasured(
  { state, regions, version, instance, from, until }: Measurement,
  resource = 'elapsed',
): Change | null {
  if (state !== 'ended' || regions.length > 0 || from === undefined || until === undefined) return null;
  const others = ['thread', 'root', 'task', 'label', ...BASELINE];
  return {
    ...Object.fromEntries(others.map((name) => [name, null])),
    version,
    instance,
    from: String(Date.parse(from)),
    until: String(Date.parse(until) + 1),
    resource,
  };
}

/** What is known of the calls of a method or context. */
export interface Counted {
  calls: number;
  /** How many of them were not timed: what is known of times is of the others. */
  countedOnly?: number;
}

/** What one of the calls that were timed took, on average. */
export function eachCall({ cum, calls, countedOnly = 0 }: Counted & { cum: number }): number {
  return calls > countedOnly ? cum / (calls - countedOnly) : 0;
}

/** What calls took: at least that where some were counted only, and nobody knows where all seem to be. */
export function timeText({ countedOnly = 0 }: Partial<Counted>, value: number, text: string): string {
  if (countedOnly === 0) return text;
  return value === 0 ? UNKNOWN : `> ${text}`;
}

/** What one of them took; what those took that were timed is known. */
export function eachText(row: Counted & { cum: number }, text: (value: number) => string): string {
  return (row.countedOnly ?? 0) > 0 && row.cum === 0 ? UNKNOWN : text(eachCall(row));
}

/** In place of what nobody knows. */
export const UNKNOWN = '–';
