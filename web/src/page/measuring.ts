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
  roots: string[];
  seconds: number;
  state: 'waiting' | 'running' | 'ended' | 'failed';
  message: string;
  created: string;
  /** When it began and ended, if it has. */
  from?: string;
  until?: string;
}

/** A calling context. */
export interface CallRow {
  /** From all threads on. */
  path: string[];
  depth: number;
  calls: number;
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
  tree?: CallTree;
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

/** Selects what was measured and nothing else; null as long as it has not ended. */
export function whereMeasured({ state, version, instance, from, until }: Measurement): Change | null {
  if (state !== 'ended' || from === undefined || until === undefined) return null;
  const others = ['thread', 'root', 'task', 'label', ...BASELINE];
  return {
    ...Object.fromEntries(others.map((name) => [name, null])),
    version,
    instance,
    from: String(Date.parse(from)),
    until: String(Date.parse(until) + 1),
    resource: 'elapsed',
  };
}

/** What one call took, on average. */
export function eachCall({ cum, calls }: { cum: number; calls: number }): number {
  return calls > 0 ? cum / calls : 0;
}
