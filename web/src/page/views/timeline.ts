import { el } from '../../flame/dom';
import type { Answer } from '../api';
import { barsOf, RangeChart, selectedIn, type Piece, type Range } from '../chart';
import { cellsOf, gridOf, heatMap, surroundings } from '../heat';
import type { Context } from '../page';
import { spanOf } from '../picking';
import { pick } from '../selection';
import { Table } from '../table';
import { tableOptions } from '../tables';
import { amount, moment, stretch } from '../words';

const MOST_BARS = 240;

type Times = Answer & { rows: Piece[] };

/** When it was used. */
export async function timeline(context: Context): Promise<void> {
  const question = context.route.question();
  for (const name of ['thread', 'root', 'task']) question.delete(name);
  question.set('pieces', String(barsOf(context.route, MOST_BARS)));
  const answer = await context.api.ask<Times>('timeline', question);
  context.selected(answer);
  context.main.append(
    el('h1', {}, 'Timeline'),
    el(
      'p',
      { class: 'quiet' },
      `Drag over a range to profile it; hold ctrl and drag another to compare the two. With the keyboard, arrows, home and end choose a range, with shift its end; enter profiles it, ctrl and enter compares, escape gives up what is being picked. A range is profiled to the second; profiles that do not tell their seconds are taken whole. Times are those of all threads and methods${scale(answer)}.`,
    ),
  );
  if (answer.rows.length === 0) {
    context.main.append(el('p', {}, 'Nothing was recorded in this selection.'));
    return;
  }
  const choose = (range: Range, second: boolean): void => pick(context, range, second);
  const shown = (piece: Piece): string => amount(piece.value, answer.resource);
  const chart = new RangeChart(answer.rows, 200, `${answer.resource.name} over time`, shown, choose);
  chart.markAll(context.route);
  const table = new Table(
    'Pieces of time',
    [
      { key: 'from', title: 'From', value: (row) => row.from, show: (row) => moment(row.from) },
      { key: 'until', title: 'Until', value: (row) => row.until, show: (row) => moment(row.until) },
      {
        key: 'value',
        title: answer.resource.name,
        value: (row) => row.value,
        show: (row) => amount(row.value, answer.resource),
      },
    ],
    answer.rows,
    tableOptions(context, 'timeline', 'from', 'Nothing was recorded in this selection.'),
  );
  context.main.append(
    chart.element,
    el('h2', {}, 'Heat map'),
    ...(await heat(context, answer, question, choose)),
    el('details', {}, el('summary', {}, 'Over time as a table'), table.element),
  );
}

/** How long a bar of the chart is, and how much the highest of them. */
function scale({ rows, resource }: Times): string {
  if (rows.length === 0) return '';
  const millis = Date.parse(rows[0].until) - Date.parse(rows[0].from);
  const most = Math.max(...rows.map((it) => it.value));
  return `; each bar is ${amount(millis / 1000, { name: '', unit: 's' })}, the highest ${amount(most, resource)}`;
}

async function heat(
  context: Context,
  answer: Times,
  question: URLSearchParams,
  choose: (range: Range, second: boolean) => void,
): Promise<Node[]> {
  const range = spanOf(answer.rows);
  const grid = gridOf(context.route.hasRange ? surroundings(range) : range);
  question.set('from', String(grid.from));
  question.set('until', String(grid.until));
  question.set('pieces', String(cellsOf(grid)));
  // What is mostly used may be something else around the range.
  question.set('resource', answer.resource.name);
  const cells = await context.api.ask<Times>('timeline', question);
  return [
    el(
      'p',
      { class: 'quiet' },
      `Each column is ${stretch(grid.column)}, each cell ${stretch(grid.cell)} of it; time goes down, then to the right; the stronger the colour, the more.`,
    ),
    heatMap(
      grid,
      cells.rows,
      selectedIn(context.route, range),
      (piece) => amount(piece.value, answer.resource),
      choose,
    ),
    el(
      'p',
      { class: 'quiet' },
      'Samples are known by the second, and by ten seconds or minutes once they were rolled up; what nobody knows the time of is spread evenly over its profile.',
    ),
  ];
}
