import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import type { Answer } from '../api';
import { eachCall, eachText, timeText, UNKNOWN, type Counted } from '../measuring';
import type { Context } from '../page';
import { written } from '../route';
import { Table, type Column } from '../table';
import { tableOptions } from '../tables';
import { amount, count, percent } from '../words';

export interface MethodRow extends Counted {
  consumer: string;
  base: number;
  cum: number;
  basePercent: number;
  cumPercent: number;
  recursive?: boolean;
}

const MOST = 2000;

/** Longer ones are cut off where they are shown. */
export const LONGEST_NAME = 400;

/** All methods, flat. */
export async function methods(context: Context): Promise<void> {
  const question = context.route.question();
  question.set('limit', String(MOST));
  const answer = await context.api.ask<Answer & { found: number; leftOut: number; rows: MethodRow[] }>(
    'methods',
    question,
  );
  context.selected(answer);
  const table = new Table<MethodRow>(
    'Methods',
    [
      {
        key: 'method',
        title: 'Method',
        value: (row) => row.consumer,
        show: (row) => methodLink(context, row.consumer, row.recursive),
      },
      { ...amountColumn('base', 'Self', answer.resource), hint: 'used by its own statements' },
      {
        key: 'basePercent',
        title: 'Self %',
        value: (row) => row.basePercent,
        show: (row) => knownBar(row, row.basePercent),
      },
      amountColumn('cum', 'With callees', answer.resource),
      {
        key: 'cumPercent',
        title: 'With callees %',
        value: (row) => row.cumPercent,
        show: (row) => knownBar(row, row.cumPercent),
      },
      {
        key: 'calls',
        title: answer.occurrences ?? 'Occurrences',
        value: (row) => row.calls,
        show: (row) => count(row.calls),
      },
      ...(answer.occurrences === 'calls' ? [eachColumn(answer.resource)] : []),
    ],
    answer.rows,
    tableOptions(context, 'methods', '-base', 'Nothing was recorded in this selection.'),
  );
  context.main.append(el('h1', {}, 'Methods'), table.element);
  if (answer.leftOut > 0) {
    context.main.append(
      el('p', { class: 'quiet' }, `${count(answer.leftOut)} methods with less are not shown.`),
    );
  }
}

/** What was measured exactly has a time of each call. */
function eachColumn(resource: Answer['resource']): Column<MethodRow> {
  return {
    key: 'each',
    title: 'Each call',
    hint: 'with callees, on average',
    value: eachCall,
    show: (row) => eachText(row, (value) => amount(value, resource)),
  };
}

/** What was used, in its unit. */
export function amountColumn<K extends string>(
  key: K,
  title: string,
  resource: Answer['resource'],
): Column<Record<K, number> & Partial<Counted>> {
  return {
    key,
    title,
    value: (row) => row[key],
    show: (row) => timeText(row, row[key], amount(row[key], resource)),
  };
}

/** A method's name as the way to its page. */
export function methodLink(context: Context, name: string, recursive = false): Node {
  const link = el(
    'a',
    { class: 'name', href: context.route.to('method', { name: written(name) }).address },
    clipped(neutralise(name), LONGEST_NAME),
  );
  return recursive
    ? el(
        'span',
        {},
        link,
        ' ',
        el('span', { class: 'tag', title: 'calls itself, directly or not' }, 'recursive'),
      )
    : link;
}

/** The same of a row, as far as it is known. */
export function knownBar(row: Partial<Counted>, value: number): HTMLElement | string {
  return (row.countedOnly ?? 0) > 0 && value === 0 ? UNKNOWN : bar(value);
}

/** A percentage with a bar as long. */
export function bar(value: number): HTMLElement {
  const fill = el('span', { class: 'fill' });
  fill.style.width = `${Math.min(100, Math.max(0, value))}%`;
  return el('span', { class: 'bar' }, fill, el('span', {}, percent(value)));
}
