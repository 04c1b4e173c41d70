import type { Answer } from './api';
import { el } from '../flame/dom';
import { ordered, partAt, RangePicker, spanOf } from './picking';
import type { Route } from './route';

export interface Piece {
  from: string;
  until: string;
  value: number;
}

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 1000;

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** Bars of equal width, one for each piece of time; as high as the largest is. */
export function bars(pieces: readonly Piece[], height: number, label: string): SVGElement {
  const picture = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
    class: 'bars',
  });
  const most = Math.max(...pieces.map((it) => it.value), Number.MIN_VALUE);
  const width = WIDTH / Math.max(1, pieces.length);
  pieces.forEach((piece, i) => {
    const tall = (piece.value / most) * height;
    picture.append(svg('rect', { x: i * width, y: height - tall, width: width * 0.92, height: tall }));
  });
  return picture;
}

/** So many pixels a pointer moves before it drags; a mere click marks nothing. */
const DRAGGED = 3;

export interface Range {
  from: number;
  until: number;
}

/** What is selected, and what it is compared with. */
export type Selected = Record<'main' | 'other', Range | null>;

/** Bars on which a range of time can be picked. */
export class RangeChart {
  readonly element = el('div', { class: 'range' });
  private readonly marks = { main: el('div', { class: 'mark' }), other: el('div', { class: 'mark other' }) };

  private selected: Selected = { main: null, other: null };

  /**
   * @param shown a piece's value as it is read
   */
  constructor(
    private readonly pieces: readonly Piece[],
    height: number,
    label: string,
    shown: (piece: Piece) => string,
    chosen: (range: Range, second: boolean) => void,
  ) {
    const picker = new RangePicker(pieces, label, shown, chosen, {
      element: this.element,
      steps: { ArrowLeft: -1, ArrowRight: 1 },
      start: pieces.length - 1,
      slack: DRAGGED,
      at: (event) => {
        const box = this.element.getBoundingClientRect();
        return partAt(event.clientX - box.left, box.width, pieces.length);
      },
      mark: (picked, second) => {
        this.markSelected();
        if (picked !== null) this.mark(spanOf(pieces, ...ordered(picked)), second ? 'other' : 'main');
      },
    });
    this.element.append(
      el('div', { class: 'drawn' }, bars(pieces, height, label), this.marks.main, this.marks.other),
      picker.axis,
    );
  }

  /** Shows what is selected, and what it is compared with. */
  markAll(route: Route): void {
    this.selected = selectedIn(route, spanOf(this.pieces));
    this.markSelected();
  }

  private markSelected(): void {
    this.mark(this.selected.main, 'main');
    this.mark(this.selected.other, 'other');
  }

  private mark(range: Range | null, which: keyof Selected): void {
    const mark = this.marks[which];
    const { from, until } = spanOf(this.pieces);
    const part = (time: number): number => Math.min(1, Math.max(0, (time - from) / (until - from)));
    const [left, right] = range === null ? [0, 0] : [part(range.from), part(range.until)];
    // What covers all marks nothing.
    mark.hidden = right <= left || right - left === 1;
    mark.style.left = `${100 * left}%`;
    mark.style.width = `${100 * (right - left)}%`;
  }
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };

/** What a range in the address means; null if there is none. An open end is that of what is shown. */
export function rangeOf(
  route: Route,
  from: string,
  until: string,
  begin: number,
  end: number,
  now = Date.now(),
): Range | null {
  if (route.get(from) === '' && route.get(until) === '') return null;
  return { from: time(route.get(from), begin, now), until: time(route.get(until), Math.max(end, now), now) };
}

/** The ranges in the address; an open end is that of what is shown. */
export function selectedIn(route: Route, { from, until }: Range): Selected {
  return {
    main: rangeOf(route, 'from', 'until', from, until),
    other: rangeOf(route, 'baselineFrom', 'baselineUntil', from, until),
  };
}

/** How many bars a selection gets: none is shorter than the seconds that samples are known by. */
export function barsOf(route: Route, most: number): number {
  const range = rangeOf(route, 'from', 'until', 0, 0);
  const seconds = range === null ? most : Math.floor((range.until - range.from) / 1000);
  return Math.min(most, Math.max(1, seconds));
}

/** The time of all that an answer rests on; null if that is not known. */
export function coveredBy({ provenance }: Pick<Answer, 'provenance'>): Range | null {
  const [from, until] = [provenance.from, provenance.until].map((it) => Date.parse(String(it)));
  return Number.isNaN(from) || Number.isNaN(until) ? null : { from, until };
}

function time(written: string, otherwise: number, now: number): number {
  const relative = /^now(?:-(\d+)([smhdw]))?$/.exec(written);
  if (relative) return now - 1000 * Number(relative[1] ?? 0) * SECONDS[relative[2] ?? 's'];
  const found = /^\d+$/.test(written) ? Number(written) : Date.parse(written);
  return Number.isNaN(found) ? otherwise : found;
}
