import { el } from '../flame/dom';
import type { Route } from './route';
import { moment } from './words';

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

/**
 * Bars on which a range of time can be marked: by dragging, with ctrl for a second range to compare
 * with, or by the arrow keys, with shift to move the end.
 */
export class RangeChart {
  readonly element = el('div', { class: 'range', tabindex: '0', role: 'slider' });
  private readonly marks = { main: el('div', { class: 'mark' }), other: el('div', { class: 'mark other' }) };
  private range: [number, number] | null = null;

  /** The chosen range, or what the pointer is on. */
  private readonly read = el('span');

  /**
   * @param shown a piece's value as it is read
   */
  constructor(
    private readonly pieces: readonly Piece[],
    height: number,
    label: string,
    private readonly shown: (piece: Piece) => string,
    private readonly chosen: (range: Range, second: boolean) => void,
  ) {
    const { begin, end } = this.bounds();
    this.element.append(
      el('div', { class: 'drawn' }, bars(pieces, height, label), this.marks.main, this.marks.other),
      el('div', { class: 'axis' }, el('span', {}, moment(begin)), this.read, el('span', {}, moment(end))),
    );
    this.element.setAttribute('aria-label', `${label}; arrow keys choose a range, enter takes it`);
    this.element.setAttribute('aria-valuemin', '0');
    this.element.setAttribute('aria-valuemax', String(pieces.length));
    this.element.setAttribute('aria-valuenow', '0');
    this.element.addEventListener('pointerdown', (event) => this.drag(event));
    this.element.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) this.say(this.at(event));
    });
    this.element.addEventListener('keydown', (event) => this.key(event));
  }

  /** Shows what is selected, and what it is compared with. */
  markAll(route: Route): void {
    const { begin, end } = this.bounds();
    this.mark(rangeOf(route, 'from', 'until', begin, end), 'main');
    this.mark(rangeOf(route, 'baselineFrom', 'baselineUntil', begin, end), 'other');
  }

  private bounds(): { begin: number; end: number } {
    return {
      begin: Date.parse(this.pieces[0].from),
      end: Date.parse(this.pieces[this.pieces.length - 1].until),
    };
  }

  private mark(range: Range | null, which: 'main' | 'other'): void {
    const mark = this.marks[which];
    const { begin, end } = this.bounds();
    const part = (time: number): number => Math.min(1, Math.max(0, (time - begin) / (end - begin)));
    const [left, right] = range === null ? [0, 0] : [part(range.from), part(range.until)];
    // What covers all marks nothing.
    mark.hidden = right <= left || right - left === 1;
    mark.style.left = `${100 * left}%`;
    mark.style.width = `${100 * (right - left)}%`;
  }

  private at(event: PointerEvent): number {
    const box = this.element.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    return Math.min(this.pieces.length - 1, Math.max(0, Math.floor(part * this.pieces.length)));
  }

  private say(at: number): void {
    const piece = this.pieces[at];
    this.read.textContent = `${moment(piece.from)}: ${this.shown(piece)}`;
  }

  private drag(down: PointerEvent): void {
    if (down.button !== 0 || this.pieces.length === 0) return;
    const at = (event: PointerEvent): number => this.at(event);
    const start = at(down);
    let moved = false;
    const second = down.ctrlKey || down.metaKey;
    let end = start;
    this.element.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent): void => {
      moved ||= Math.abs(event.clientX - down.clientX) >= DRAGGED;
      if (!moved) return;
      end = at(event);
      this.preview([Math.min(start, end), Math.max(start, end)], second);
    };
    const stop = new AbortController();
    const options = { signal: stop.signal };
    this.element.addEventListener('pointermove', move, options);
    this.element.addEventListener(
      'pointerup',
      (event) => {
        stop.abort();
        move(event);
        if (moved) this.choose(second);
      },
      options,
    );
    this.element.addEventListener('pointercancel', () => stop.abort(), options);
  }

  private key(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0) {
      const [from, until] = this.range ?? [this.pieces.length - 1, this.pieces.length - 1];
      const inside = (at: number): number => Math.min(this.pieces.length - 1, Math.max(0, at));
      const end = inside(until + step);
      this.preview(event.shiftKey ? [Math.min(from, end), end] : [inside(from + step), end], event.ctrlKey);
      event.preventDefault();
    } else if (event.key === 'Enter' && this.range !== null) {
      this.choose(event.ctrlKey);
    }
  }

  private preview(range: [number, number], second: boolean): void {
    this.range = range;
    const times = this.times(range);
    this.mark(times, second ? 'other' : 'main');
    this.element.setAttribute('aria-valuenow', String(range[0]));
    const text = `${moment(times.from)} to ${moment(times.until)}`;
    this.read.textContent = text;
    this.element.setAttribute('aria-valuetext', text);
  }

  private times([from, until]: [number, number]): Range {
    return { from: Date.parse(this.pieces[from].from), until: Date.parse(this.pieces[until].until) };
  }

  private choose(second: boolean): void {
    if (this.range !== null) this.chosen(this.times(this.range), second);
  }
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };

/** What a range in the address means; null if there is none. An open end is that of what is shown. */
export function rangeOf(route: Route, from: string, until: string, begin: number, end: number): Range | null {
  if (route.get(from) === '' && route.get(until) === '') return null;
  return { from: time(route.get(from), begin), until: time(route.get(until), Math.max(end, Date.now())) };
}

function time(written: string, otherwise: number): number {
  const relative = /^now(?:-(\d+)([smhdw]))?$/.exec(written);
  if (relative) return Date.now() - 1000 * Number(relative[1] ?? 0) * SECONDS[relative[2] ?? 's'];
  const found = /^\d+$/.test(written) ? Number(written) : Date.parse(written);
  return Number.isNaN(found) ? otherwise : found;
}
