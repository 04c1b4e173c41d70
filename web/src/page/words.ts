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

/** A moment in the reader's time. */
export function moment(iso: string | number): string {
  return new Date(iso).toLocaleString(undefined, {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
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
  if (seconds < 60) return `${seconds} seconds`;
  if (seconds < 3600) return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
  if (seconds < 86_400) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
  return seconds === 86_400 ? 'a day' : `${Math.round(seconds / 86_400)} days`;
}
