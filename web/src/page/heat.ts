import { el } from '../flame/dom';
import type { Piece, Range, Selected } from './chart';
import { ordered, partAt, piecesOf, RangePicker, type Surface } from './picking';
import { halves, moment, stretch, within } from './words';

/** How long a column and a cell are, in seconds. */
const GRIDS: readonly (readonly [column: number, cell: number])[] = [
  [10, 1],
  [60, 1],
  [600, 10],
  [3600, 60],
  [86_400, 3600],
  [604_800, 21_600],
];

const MOST_COLUMNS = 60;

/** How many pixels a column may take. */
const BROADEST = 100;

/** A range of time as columns of cells: the finest of which there are not too many. */
export interface Grid extends Range {
  column: number;
  cell: number;
}

/** Columns begin where hours and days do at the reader's place. */
export function gridOf(range: Range, zoneMillis = -60_000 * new Date(range.from).getTimezoneOffset()): Grid {
  const grid = utcGrid({ from: range.from + zoneMillis, until: range.until + zoneMillis });
  return { ...grid, from: grid.from - zoneMillis, until: grid.until - zoneMillis };
}

function utcGrid(range: Range): Grid {
  for (const [seconds, part] of GRIDS) {
    const column = seconds * 1000;
    const from = Math.floor(range.from / column) * column;
    const until = Math.max(from + column, Math.ceil(range.until / column) * column);
    if ((until - from) / column <= MOST_COLUMNS) return { from, until, column, cell: part * 1000 };
  }
  const [seconds, part] = GRIDS[GRIDS.length - 1];
  const column = Math.ceil((range.until - range.from) / MOST_COLUMNS / (seconds * 1000)) * seconds * 1000;
  const from = Math.floor(range.from / column) * column;
  const until = Math.ceil(range.until / column) * column;
  return { from, until, column, cell: (column * part) / seconds };
}

/** On both sides of a range at least so much is shown: a second range to compare with is often near. */
const NARROWEST = 60_000;

/** A range with what was before and after it for as long as it takes, but not with what is to come. */
export function surroundings({ from, until }: Range, now = Date.now()): Range {
  const more = Math.max(NARROWEST, until - from);
  return { from: from - more, until: Math.max(until, Math.min(until + more, now)) };
}

/** How many pieces of time a grid has. */
export function cellsOf(grid: Grid): number {
  return Math.round((grid.until - grid.from) / grid.cell);
}

/**
 * Each column a longer stretch of time, downwards its parts; the stronger the colour, the more was
 * used. What comes again in every stretch shows as a line. A range of cells can be picked.
 *
 * @param selected what is marked while nothing is picked
 */
export function heatMap(
  grid: Grid,
  pieces: readonly Piece[],
  selected: Selected,
  shown: (piece: Piece) => string,
  chosen: (range: Range, second: boolean) => void,
): HTMLElement {
  const rows = Math.round(grid.column / grid.cell);
  const columns = Math.ceil(pieces.length / rows);
  const hottest = pieces.reduce((most, piece, i) => (piece.value > pieces[most].value ? i : most), 0);
  const most = pieces[hottest];
  const surface = surfaceOf(cellsFor(grid, pieces, shown, most.value), rows, columns, hottest, {
    main: piecesOf(pieces, selected.main),
    other: piecesOf(pieces, selected.other),
  });
  surface.mark(null, false);
  const picker = new RangePicker(pieces, label(grid, most, shown), shown, chosen, surface);
  const parts = halves(grid.column).map((it) => el('span', {}, it));
  const whole = el(
    'div',
    { class: 'heat-map' },
    el('div', { class: 'rows', 'aria-hidden': 'true' }, ...parts),
    el('div', {}, surface.element, picker.axis),
    el('div', { class: 'scale' }, '0', el('span'), `${shown(most)} in ${stretch(grid.cell)}`),
  );
  whole.style.setProperty('--rows', String(rows));
  // Few columns are not made as broad as many.
  whole.style.setProperty('--broad', `${columns * BROADEST}px`);
  return whole;
}

/** By the numbers of their cells. */
type Marked = Record<keyof Selected, [first: number, last: number] | null>;

function surfaceOf(
  cells: HTMLElement[],
  rows: number,
  columns: number,
  start: number,
  selected: Marked,
): Surface {
  const element = el('div', { class: 'heat' }, ...cells);
  return {
    element,
    steps: { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -rows, ArrowRight: rows },
    start,
    slack: 0,
    at: (event) => {
      const box = element.getBoundingClientRect();
      const column = partAt(event.clientX - box.left, box.width, columns);
      const row = partAt(event.clientY - box.top, box.height, rows);
      return Math.min(cells.length - 1, column * rows + row);
    },
    mark: (picked, second) => {
      const marked =
        picked === null ? selected : { ...selected, [second ? 'other' : 'main']: ordered(picked) };
      const has = (which: keyof Marked, i: number): boolean => {
        const [first, last] = marked[which] ?? [0, -1];
        return i >= first && i <= last;
      };
      cells.forEach((cell, i) => {
        cell.classList.toggle('marked', has('main', i));
        cell.classList.toggle('other', has('other', i));
        cell.classList.toggle('cursor', i === picked?.cursor);
      });
    },
  };
}

function cellsFor(
  grid: Grid,
  pieces: readonly Piece[],
  shown: (piece: Piece) => string,
  most: number,
): HTMLElement[] {
  const said = within(grid.from, grid.until);
  return pieces.map((piece) => {
    const cell = el('span', { title: `${said(Date.parse(piece.from))}: ${shown(piece)}` });
    cell.style.setProperty('--heat', `${Math.round((100 * piece.value) / (most || 1))}%`);
    return cell;
  });
}

function label(grid: Grid, hottest: Piece, shown: (piece: Piece) => string): string {
  return `Heat map, ${stretch(grid.column)} a column and ${stretch(grid.cell)} a cell; most at ${moment(hottest.from)}: ${shown(hottest)}`;
}
