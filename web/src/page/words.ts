import { amount as stored, percent as share } from '../flame/format';
import type { ResourceKind } from '../flame/data';

interface Measured {
  name: string;
  unit: string;
}

const KINDS: Record<string, ResourceKind> = { s: 'time', ns: 'time', bytes: 'bytes' };

/** A value in its unit, as people say it. */
export function amount(value: number, { name, unit }: Measured): string {
  return stored(value, { name, unit, kind: KINDS[unit] ?? 'count', perUnit: 1 });
}

/** A part of a hundred that is already one. */
export function percent(value: number): string {
  return share(value, 100);
}

/** How many, with the thousands apart. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DAY = { year: 'numeric', month: 'short', day: '2-digit' } as const;

/** A moment in the reader's time. */
export function moment(iso: string | number): string {
  return new Date(iso).toLocaleString(undefined, { ...DAY, ...CLOCK, timeZoneName: 'short' });
}

/** How to say moments of a range whose begin was said: the day and the zone again only if they change. */
export function within(from: number, until: number): (time: number) => string {
  const day = (time: number): string =>
    new Date(time).toLocaleDateString(undefined, { ...DAY, timeZoneName: 'short' });
  return day(from) === day(until) ? (time) => new Date(time).toLocaleTimeString(undefined, CLOCK) : moment;
}

/** A range of time in few words: its days only if they are not today, their years if not this one. */
export function between(from: number, until: number, now = Date.now()): string {
  const [begin, end, today] = [from, until, now].map((it) => new Date(it));
  const isYear = [begin, end].every((it) => it.getFullYear() === today.getFullYear());
  const isDay = [begin, end].every((it) => it.toDateString() === today.toDateString());
  const day = isDay ? {} : { ...DAY, year: isYear ? undefined : DAY.year };
  // Without AM and PM, two ranges have room beside each other.
  return new Intl.DateTimeFormat(undefined, { ...day, ...CLOCK, hourCycle: 'h23' }).formatRange(begin, end);
}

/** How long ago a moment is. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 90) return `${seconds} s ago`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

/** A length of time that is a round number of some unit. */
export function stretch(millis: number): string {
  const seconds = millis / 1000;
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  if (seconds < 3600) return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
  if (seconds < 86_400) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
  return seconds === 86_400 ? 'a day' : `${Math.round(seconds / 86_400)} days`;
}

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** Nothing, and half of a length of time, in a unit that suits both. */
export function halves(millis: number): [none: string, half: string] {
  const half = millis / 2000;
  const [name, seconds] = UNITS.find(([, seconds]) => seconds <= half) ?? UNITS[UNITS.length - 1];
  return [`0 ${name}`, `${half / seconds} ${name}`];
}
