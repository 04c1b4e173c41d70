import { el } from '../flame/dom';
import type { Piece, Range } from './chart';
import { moment, stretch } from './words';

/** How long a column and a cell are, in seconds. */
const GRIDS: readonly (readonly [column: number, cell: number])[] = [
  [60, 5],
  [600, 30],
  [3600, 120],
  [86_400, 3600],
  [604_800, 21_600],
];

const MOST_COLUMNS = 60;

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

/** How many pieces of time a grid has. */
export function cellsOf(grid: Grid): number {
  return Math.round((grid.until - grid.from) / grid.cell);
}

/**
 * Each column a longer stretch of time, downwards its parts; the darker, the more was used. What
 * comes again in every stretch shows as a line. A range is marked by dragging, with ctrl to compare.
 */
export function heatMap(
  grid: Grid,
  pieces: readonly Piece[],
  shown: (piece: Piece) => string,
  chosen: (range: Range, second: boolean) => void,
): HTMLElement {
  const most = Math.max(...pieces.map((it) => it.value), Number.MIN_VALUE);
  const rows = Math.round(grid.column / grid.cell);
  const map = el('div', { class: 'heat', role: 'img', 'aria-label': label(grid, pieces, shown) });
  map.style.gridTemplateRows = `repeat(${rows}, 1fr)`;
  const cells = pieces.map((piece) => {
    const cell = el('span', { title: `${moment(piece.from)}: ${shown(piece)}` });
    cell.style.setProperty('--heat', `${Math.round((100 * piece.value) / most)}%`);
    return cell;
  });
  map.append(...cells);
  bind(map, cells, pieces, chosen);
  return map;
}

function label(grid: Grid, pieces: readonly Piece[], shown: (piece: Piece) => string): string {
  const hottest = pieces.reduce((a, b) => (b.value > a.value ? b : a), pieces[0]);
  return `Heat map, ${stretch(grid.column)} a column and ${stretch(grid.cell)} a cell; most at ${moment(hottest.from)}: ${shown(hottest)}`;
}

function bind(
  map: HTMLElement,
  cells: HTMLElement[],
  pieces: readonly Piece[],
  chosen: (range: Range, second: boolean) => void,
): void {
  const at = (event: PointerEvent): number =>
    cells.indexOf(document.elementFromPoint(event.clientX, event.clientY) as HTMLElement);
  map.addEventListener('pointerdown', (down) => {
    const start = at(down);
    if (down.button !== 0 || start < 0) return;
    down.preventDefault();
    const second = down.ctrlKey || down.metaKey;
    const stop = new AbortController();
    let end = start;
    const mark = (event: PointerEvent): void => {
      const now = at(event);
      if (now >= 0) end = now;
      const [first, last] = [Math.min(start, end), Math.max(start, end)];
      cells.forEach((cell, i) => cell.classList.toggle('marked', i >= first && i <= last));
    };
    mark(down);
    addEventListener('pointermove', mark, { signal: stop.signal });
    addEventListener('pointercancel', () => stop.abort(), { signal: stop.signal });
    addEventListener(
      'pointerup',
      () => {
        stop.abort();
        const [first, last] = [Math.min(start, end), Math.max(start, end)];
        chosen({ from: Date.parse(pieces[first].from), until: Date.parse(pieces[last].until) }, second);
      },
      { signal: stop.signal },
    );
  });
}
