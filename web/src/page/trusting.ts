import type { Answer } from './api';
import { count, percent } from './words';

/** A share of samples from which on something is worth a warning. */
const NOTABLE = 0.01;

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
  for (const [name, text] of Object.entries(DELETED))
    if ((counts[name] ?? 0) > 0) found.push(`${count(counts[name])} ${text}`);
  const reduced = answer.provenance.reduced;
  if (typeof reduced === 'string' && reduced !== '') {
    found.push(`to stay within the budget: ${[...new Set(reduced.split(', '))].join(', ')}`);
  }
  return found;
}
