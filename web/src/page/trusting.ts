import type { Answer, Provenance } from './api';
import { amount, count, percent } from './words';

/** A share of samples from which on something is worth a warning. */
const NOTABLE = 0.01;

/** A share of the CPU time from which on what a hypervisor stole makes times misleading. */
const NOTABLE_STEAL = 0.05;

/** A count of profiles that were sampled meanwhile. */
const CALLS_MEASURED = 's in which calls were measured exactly';

const DELETED: Record<string, string> = {
  'lost bytes': 'bytes of the recording were lost by the JVM',
  'lost chunks': 'chunks of the recording were deleted before they were read',
  'profiles dropped by the spool': 'profiles found no room while the server was away',
  'profiles left out': 'profiles could not be put together with the others',
};

/** What makes these numbers less certain than they look. */
export function warnings(answer: Answer): string[] {
  const counts = answer.provenance.counts;
  const taken = Math.max(1, answer.recordedCalls ?? answer.totalCalls ?? 1);
  const found: string[] = [];
  // Of other resources than samples, counts have their name.
  const kind = answer.occurrences === 'samples' ? '' : ` ${answer.occurrences}`;
  const notable = (value: number, text: string): void => {
    if (value > NOTABLE * taken) found.push(`${percent((100 * value) / taken)} ${text}`);
  };
  notable(counts[`lost${kind}`] ?? 0, 'of the samples were lost');
  notable(counts.truncated ?? 0, 'of the stacks were cut off');
  notable(counts[`undecodable${kind}`] ?? 0, 'of the stacks could not be decoded');
  if (answer.occurrences === 'cpu-samples')
    notable(counts.biased ?? 0, 'of the samples name a place near the one where they were taken');
  const stolen = stealShare(counts);
  if (stolen >= NOTABLE_STEAL)
    found.push(
      `${percent(100 * stolen)} of the CPU time was stolen by the hypervisor: times taken by the clock are too long by that`,
    );
  for (const [name, text] of Object.entries(DELETED))
    if ((counts[name] ?? 0) > 0) found.push(`${count(counts[name])} ${text}`);
  const measured = counts[CALLS_MEASURED] ?? 0;
  if (measured > 0 && answer.occurrences !== 'calls')
    found.push(
      `for ${count(measured)} s calls were measured exactly in a JVM that was sampled: what that took is in these numbers`,
    );
  const reduced = reductions(answer.provenance);
  if (reduced.length > 0)
    found.push(`to stay within the budget, at least for a while: ${reduced.join(', ')}`);
  return found;
}

/** What the budget left out in some of the profiles, each once. */
export function reductions({ reduced }: Provenance): string[] {
  if (typeof reduced !== 'string' || reduced === '') return [];
  const all = [...new Set(reduced.split(', '))];
  const every = /^samples every (\d+) ms$/;
  const slower = all.flatMap((it) => every.exec(it)?.[1] ?? []).map(Number);
  const others = all.filter((it) => !every.test(it));
  if (slower.length === 0) return others;
  const [least, most] = [Math.min(...slower), Math.max(...slower)];
  return [...others, `samples every ${least === most ? '' : `${least} to `}${most} ms`];
}

/** What the tracer counts of what it could not see. */
const UNSEEN = /^(lock|wait)/;

/** How many classes it could not change, or not back: facts, which do not add up over profiles. */
const CLASSES = ['classes not traced', 'classes not restored'];

/** What is missing of the locks in particular. */
export function lockWarnings(answer: Answer): string[] {
  const found = Object.entries(answer.provenance.counts)
    .filter(([name, value]) => value > 0 && UNSEEN.test(name))
    .map(([name, value]) => `${count(value)} ${name}`);
  for (const what of CLASSES) {
    const classes = answer.provenance[what];
    if (typeof classes === 'string') found.push(`${classes} ${what}`);
  }
  if (reductions(answer.provenance).includes(NO_LOCKS))
    found.push(
      'The budget switched lock tracing off for a part of this time: what happened then is missing here',
    );
  return found;
}

/** What a profile says that was recorded while the budget had no room for lock tracing. */
export const NO_LOCKS = 'no locks';

/** What a hypervisor stole of the CPU time, from 0 to 1. */
function stealShare(counts: Record<string, number>): number {
  const steal = counts['steal us'] ?? 0;
  return steal === 0 ? 0 : steal / (steal + (counts['corrected cpu us'] ?? 0));
}

/** What the JVM had of the CPUs and what was taken from it; empty where nobody knows. */
export function cpus(answer: Answer): string {
  const counts = answer.provenance.counts;
  const seconds = (name: string): number => (counts[name] ?? 0) / 1e6;
  const steal = seconds('steal us');
  const time = (value: number): string => amount(value, { name: 'time', unit: 's' });
  const used = steal + seconds('corrected cpu us');
  if (used === 0) return '';
  const parts = [`${time(used)} on CPUs`];
  parts.push(`${time(steal)} of it stolen by the hypervisor (${percent(100 * stealShare(counts))})`);
  if (seconds('run queue us') > 0) parts.push(`${time(seconds('run queue us'))} waiting for one`);
  if (seconds('throttled us') > 0) parts.push(`${time(seconds('throttled us'))} throttled by a CPU limit`);
  return parts.join(', ');
}
