import { el } from '../flame/dom';
import type { Piece, Range } from './chart';
import { moment, within } from './words';

/** Two pieces by their numbers: where picking began, and where it has come to, which may be before. */
export interface Picked {
  start: number;
  cursor: number;
}

export function ordered({ start, cursor }: Picked): [first: number, last: number] {
  return [Math.min(start, cursor), Math.max(start, cursor)];
}

/** All of it goes on by a step as long as there is room, or its cursor alone as far as there is. */
export function stepped({ start, cursor }: Picked, step: number, extend: boolean, pieces: number): Picked {
  const inside = (at: number): number => Math.min(pieces - 1, Math.max(0, at));
  if (extend) return { start, cursor: inside(cursor + step) };
  const fits = [start + step, cursor + step].every((at) => at === inside(at));
  return fits ? { start: start + step, cursor: cursor + step } : { start, cursor };
}

/** To a piece alone, or the cursor to it. */
export function jumped({ start }: Picked, to: number, extend: boolean): Picked {
  return { start: extend ? start : to, cursor: to };
}

/** From the begin of one piece to the end of another; else of all. */
export function spanOf(pieces: readonly Piece[], first = 0, last = pieces.length - 1): Range {
  return { from: Date.parse(pieces[first].from), until: Date.parse(pieces[last].until) };
}

/** With the seconds that have a part of it: what was observed is known by whole ones. */
export function inSeconds({ from, until }: Range): Range {
  return { from: 1000 * Math.floor(from / 1000), until: 1000 * Math.ceil(until / 1000) };
}

/** The first and the last piece that have a part of a range; null if none has, or all have. */
export function piecesOf(
  pieces: readonly Piece[],
  range: Range | null,
): [first: number, last: number] | null {
  if (range === null) return null;
  const first = pieces.filter((it) => Date.parse(it.until) <= range.from).length;
  const last = pieces.filter((it) => Date.parse(it.from) < range.until).length - 1;
  const isAll = first === 0 && last === pieces.length - 1;
  return last < first || isAll ? null : [first, last];
}

/** Which of equal parts of a length a place is in; the nearest if it is beside. */
export function partAt(place: number, length: number, parts: number): number {
  return Math.min(parts - 1, Math.max(0, Math.floor((place / length) * parts)));
}

/** How pieces of time lie, and how some of them are marked. */
export interface Surface {
  element: HTMLElement;
  /** By how many pieces a key goes on. */
  steps: Readonly<Record<string, number>>;
  /** The piece at which keys begin. */
  start: number;
  /** So many pixels a pointer moves before it drags; with none, a mere click picks a piece. */
  slack: number;
  at(event: PointerEvent): number;
  /** Marks what is being picked; with null, no longer. */
  mark(picked: Picked | null, second: boolean): void;
}

/**
 * Picks a range of time: by dragging, with ctrl for a second range to compare with, or by the arrow
 * keys, home and end, with shift to move the end. Enter takes it, with ctrl as the second one; escape
 * gives it up.
 */
export class RangePicker {
  /** Begin and end of all pieces, and between them what is picked or pointed at. */
  readonly axis: HTMLElement;
  private readonly read = el('span');
  private readonly said: (time: number) => string;
  private picked: Picked | null = null;
  private dragging = new AbortController();

  /**
   * @param shown a piece's value as it is read
   */
  constructor(
    private readonly pieces: readonly Piece[],
    label: string,
    private readonly shown: (piece: Piece) => string,
    private readonly chosen: (range: Range, second: boolean) => void,
    private readonly surface: Surface,
  ) {
    const { from, until } = spanOf(pieces);
    this.said = within(from, until);
    this.axis = el(
      'div',
      { class: 'axis' },
      el('span', {}, moment(from)),
      this.read,
      el('span', {}, this.said(until)),
    );
    const { element } = surface;
    for (const [name, value] of Object.entries({
      tabindex: '0',
      role: 'slider',
      'aria-label': `${label}; arrow keys choose a range, with shift they move its end, enter takes it, with control to compare`,
      'aria-valuemin': '0',
      'aria-valuemax': String(pieces.length - 1),
    }))
      element.setAttribute(name, value);
    this.speak(surface.start, 'nothing chosen');
    element.addEventListener('pointerdown', (event) => this.drag(event));
    element.addEventListener('pointermove', (event) => {
      const at = surface.at(event);
      if (event.buttons === 0) this.read.textContent = this.text([at, at]);
    });
    element.addEventListener('keydown', (event) => this.key(event));
  }

  private text([first, last]: [number, number]): string {
    const { from, until } = spanOf(this.pieces, first, last);
    const value = this.pieces.slice(first, last + 1).reduce((sum, piece) => sum + piece.value, 0);
    const amount = this.shown({ from: this.pieces[first].from, until: this.pieces[last].until, value });
    return first === last
      ? `${this.said(from)}: ${amount}`
      : `${this.said(from)} to ${within(from, until)(until)}: ${amount}`;
  }

  private speak(at: number, text: string): void {
    this.surface.element.setAttribute('aria-valuenow', String(at));
    this.surface.element.setAttribute('aria-valuetext', text);
  }

  private drag(down: PointerEvent): void {
    if (down.button !== 0) return;
    const { element, slack } = this.surface;
    const start = this.surface.at(down);
    const second = isSecond(down);
    let moved = false;
    const move = (event: PointerEvent): void => {
      moved ||= Math.abs(event.clientX - down.clientX) >= slack;
      if (moved) this.pick({ start, cursor: this.surface.at(event) }, second);
    };
    element.setPointerCapture(down.pointerId);
    this.dragging.abort();
    this.dragging = new AbortController();
    const options = { signal: this.dragging.signal };
    move(down);
    element.addEventListener('pointermove', move, options);
    element.addEventListener(
      'pointerup',
      (event) => {
        this.dragging.abort();
        move(event);
        if (moved) this.choose(second);
      },
      options,
    );
    element.addEventListener('pointercancel', () => this.giveUp(), options);
  }

  private key(event: KeyboardEvent): void {
    const next = this.next(event);
    if (next !== null) {
      this.pick(next, isSecond(event));
      event.preventDefault();
    } else if (event.key === 'Enter') this.choose(isSecond(event));
    else if (event.key === 'Escape') this.giveUp();
  }

  /** What a key picks; null if it is for something else. */
  private next({ key, shiftKey }: KeyboardEvent): Picked | null {
    const { steps, start } = this.surface;
    const here = this.picked ?? { start, cursor: start };
    if (key === 'Home') return jumped(here, 0, shiftKey);
    if (key === 'End') return jumped(here, this.pieces.length - 1, shiftKey);
    if (!(key in steps)) return null;
    // The first arrow only shows where one is.
    return this.picked === null ? here : stepped(here, steps[key], shiftKey, this.pieces.length);
  }

  private pick(picked: Picked, second: boolean): void {
    this.picked = picked;
    this.surface.mark(picked, second);
    this.read.textContent = this.text(ordered(picked));
    this.speak(picked.cursor, this.read.textContent);
  }

  private giveUp(): void {
    this.dragging.abort();
    this.picked = null;
    this.surface.mark(null, false);
    this.read.textContent = '';
    this.speak(this.surface.start, 'nothing chosen');
  }

  private choose(second: boolean): void {
    if (this.picked !== null) this.chosen(inSeconds(spanOf(this.pieces, ...ordered(this.picked))), second);
  }
}

function isSecond(event: MouseEvent | KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey;
}
