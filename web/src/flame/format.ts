import type { Resource } from './data';

const TIMES: readonly [string, number][] = [
  ['ns', 1],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['min', 60e9],
  ['h', 3600e9],
];
const NANOS: Record<string, number> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };
const BYTES: readonly [string, number][] = [
  ['B', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
];

/** A stored value as people say it: 1.24 s, 12 samples, 3.5 MiB. */
export function amount(stored: number, resource: Resource): string {
  const value = stored / resource.perUnit;
  if (resource.kind === 'time' && resource.unit in NANOS) return scaled(value * NANOS[resource.unit], TIMES);
  if (resource.kind === 'bytes') return scaled(value, BYTES);
  const unit = resource.unit === '' || resource.unit === '1' ? resource.name : resource.unit;
  return `${plain(value)} ${unit}`;
}

/** "12 of 340 samples" for counts: a percentage alone hides how little it may rest on. */
export function outOf(stored: number, sum: number, resource: Resource): string {
  return `${plain(stored / resource.perUnit)} of ${amount(sum, resource)}`;
}

export function percent(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const value = (100 * part) / whole;
  if (value === 0) return '0 %';
  if (value < 0.01) return '<0.01 %';
  return `${value.toFixed(value < 1 ? 2 : value < 99.95 ? 1 : 0)} %`;
}

function scaled(value: number, steps: readonly [string, number][]): string {
  if (value === 0) return '0';
  let step = 0;
  // 999.6 would round up to a thousand, which the next unit says better.
  while (step + 1 < steps.length && value >= steps[step + 1][1] * 0.9995) step++;
  return `${plain(value / steps[step][1])} ${steps[step][0]}`;
}

function plain(value: number): string {
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const [whole, fraction] = value.toFixed(digits).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') : whole;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
