import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import type { Answer } from '../api';
import { reducedWhen } from '../budget';
import type { Context } from '../page';
import { Table } from '../table';
import { tableOptions } from '../tables';
import { cpus, reductions, warnings } from '../trusting';
import { amount, count, percent } from '../words';

/** What is easily taken for something else. */
const MEANINGS: Record<string, string> = {
  cpu: 'A JDK before 25 looks at intervals which threads are running: its cpu is the number of such samples times the interval. It contains the time in which a thread was ready to run and had to wait for a core.',
  'cpu-time':
    'JDK 25 takes a sample whenever a thread has used so much CPU time: its cpu-time contains no waiting for a core.',
};

/** How far these numbers can be trusted. */
export async function trust(context: Context): Promise<void> {
  const question = context.route.question();
  question.set('limit', '1');
  const answer = await context.api.ask<Answer>('methods', question);
  context.selected(answer);
  const samples = answer.totalCalls ?? 0;
  context.main.append(
    el('h1', {}, 'How far these numbers can be trusted'),
    el('h2', {}, 'Accuracy'),
    el('p', {}, accuracy(samples)),
    ...(answer.resource.name in MEANINGS ? [el('p', {}, MEANINGS[answer.resource.name])] : []),
    el('h2', {}, 'Warnings'),
    list(warnings(answer), 'None.'),
    el('h2', {}, 'CPUs'),
    el('p', {}, cpus(answer) || 'It is not known what the JVM had of the CPUs.'),
  );
  if (reductions(answer.provenance).length > 0) {
    const when = el('section');
    context.main.append(el('h2', {}, 'Left out to stay within the budget'), when);
    void context.later(when, reducedWhen(context));
  }
  context.main.append(el('h2', {}, 'How it was recorded'), facts(context, answer));
}

/** The standard error of a share p of n samples is √(p(1−p)/n); two of them make 95 %. */
function accuracy(samples: number): string {
  if (samples === 0) return 'There are no samples.';
  const error = (share: number): string => percent(200 * Math.sqrt((share * (1 - share)) / samples));
  return `${count(samples)} samples: a method shown with 1 % is exact to ± ${error(0.01)}, one with 10 % to ± ${error(0.1)}, one with 50 % to ± ${error(0.5)} (two standard errors, if samples are independent).`;
}

function list(texts: string[], none: string): HTMLElement {
  if (texts.length === 0) return el('p', {}, none);
  const items = el('ul');
  for (const text of texts) items.append(el('li', {}, neutralise(text)));
  return items;
}

function facts(context: Context, answer: Answer): HTMLElement {
  const { counts, ...rest } = answer.provenance;
  if ('reduced' in rest) rest.reduced = reductions(answer.provenance).join(', ');
  const rows = [
    ...Object.entries(rest).map(([name, value]) => ({ name, value: String(value) as string | number })),
    ...Object.entries(counts).map(counted),
  ];
  const table = new Table(
    'Provenance',
    [
      { key: 'name', title: 'What', value: (row) => row.name },
      {
        key: 'value',
        title: 'Value',
        value: (row) => String(row.value),
        show: (row) => (typeof row.value === 'number' ? count(row.value) : neutralise(row.value)),
      },
    ],
    rows,
    tableOptions(context, 'provenance', 'name', 'Nothing is known.'),
  );
  return table.element;
}

/** Counts of microseconds are shown as times. */
function counted([name, value]: [string, number]): { name: string; value: string | number } {
  return name.endsWith(' us')
    ? { name: name.slice(0, -3), value: amount(value / 1e6, { name, unit: 's' }) }
    : { name, value };
}
