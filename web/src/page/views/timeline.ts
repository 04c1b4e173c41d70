import { el } from '../../flame/dom';
import type { Answer } from '../api';
import { RangeChart, type Piece, type Range } from '../chart';
import { cellsOf, gridOf, heatMap } from '../heat';
import type { Context } from '../page';
import { asBaseline, asSelection } from '../selection';
import { Table } from '../table';
import { tableOptions } from '../tables';
import { amount, moment, stretch } from '../words';

type Times = Answer & { rows: Piece[] };

/** When it was used. */
export async function timeline(context: Context): Promise<void> {
  const question = context.route.question();
  for (const name of ['thread', 'root', 'task']) question.delete(name);
  question.set('pieces', '240');
  const answer = await context.api.ask<Times>('timeline', question);
  context.selected(answer);
  context.main.append(
    el('h1', {}, 'Timeline'),
    el(
      'p',
      { class: 'quiet' },
      'Drag over a range to profile it; hold ctrl and drag another to compare the two. Times are those of all threads and methods.',
    ),
  );
  if (answer.rows.length === 0) {
    context.main.append(el('p', {}, 'Nothing was recorded in this selection.'));
    return;
  }
  const choose = (range: Range, second: boolean): void =>
    context.go(
      second ? context.route.to('compare', asBaseline(range)) : context.route.with(asSelection(range)),
    );
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

async function heat(
  context: Context,
  answer: Times,
  question: URLSearchParams,
  choose: (range: Range, second: boolean) => void,
): Promise<Node[]> {
  const { rows } = answer;
  const grid = gridOf({ from: Date.parse(rows[0].from), until: Date.parse(rows[rows.length - 1].until) });
  question.set('from', String(grid.from));
  question.set('until', String(grid.until));
  question.set('pieces', String(cellsOf(grid)));
  const cells = await context.api.ask<Times>('timeline', question);
  return [
    el(
      'p',
      { class: 'quiet' },
      `Each column is ${stretch(grid.column)}, each cell ${stretch(grid.cell)} of it; the darker, the more. A profile's values are spread evenly over its interval.`,
    ),
    heatMap(grid, cells.rows, (piece) => amount(piece.value, answer.resource), choose),
    el('div', { class: 'axis' }, el('span', {}, moment(grid.from)), el('span', {}, moment(grid.until))),
  ];
}
