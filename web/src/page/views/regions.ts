import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { powersOf, type Region, type SlowCall, type Times } from '../measuring';
import type { Context } from '../page';
import { arrange, become } from '../redrawing';
import { amount, count, moment } from '../words';
import { bar, LONGEST_NAME, methodLink } from './methods';

/** How many of the calls that were told last are shown. */
const LAST = 10;

const NANOS = 1e9;

/** How long calls of single methods took, method by method. */
export class RegionsView {
  readonly element = el('div', { class: 'regions' });
  private readonly known = new Map<string, RegionView>();

  constructor(private readonly context: Context) {}

  update(times: Times): void {
    for (const { method } of times.regions)
      if (!this.known.has(method)) this.known.set(method, new RegionView(this.context, method));
    const views = times.regions.map((region) => {
      const view = this.known.get(region.method)!;
      view.update(region, times);
      return view.element;
    });
    arrange(this.element, views);
  }

  clear(): void {
    this.known.clear();
    this.element.replaceChildren();
  }
}

/** One method. What is the same a second later is not drawn anew: it keeps the focus, and its place. */
class RegionView {
  readonly element: HTMLElement;
  private readonly head: HTMLElement;
  private readonly facts = el('div');
  private readonly slowest = el('div');
  private readonly slow = el('div', { hidden: true }, el('h4', {}, 'Slowest calls'), this.slowest);
  private known = new Map<string, HTMLElement>();

  constructor(context: Context, method: string) {
    this.head = el('h3', { class: 'name', tabindex: '-1' }, methodLink(context, method));
    this.element = el('section', {}, this.head, this.facts, this.slow);
  }

  update(region: Region, times: Times): void {
    const facts = el('div', {}, ...factsOf(region, times));
    if (facts.childElementCount === this.facts.childElementCount) become(this.facts, facts);
    else this.facts.replaceChildren(...facts.children);
    this.slow.hidden = region.slowest.length === 0;
    const isInside = this.slowest.contains(document.activeElement);
    const calls = region.slowest.map((call) => [keyOf(call), call] as const);
    this.known = new Map(calls.map(([key, call]) => [key, this.known.get(key) ?? slowCall(call)]));
    arrange(this.slowest, [...this.known.values()]);
    // Slower calls have taken its place.
    if (isInside && !this.slowest.contains(document.activeElement)) this.head.focus({ preventScroll: true });
  }
}

function keyOf({ took, end, thread }: SlowCall): string {
  return `${took} ${end} ${thread}`;
}

function factsOf(region: Region, { duration }: Times): HTMLElement[] {
  if (region.calls === 0) return [el('p', {}, 'It was not called.')];
  const rate = region.calls / (duration / NANOS);
  const each = time(region.total / region.calls);
  const percentiles = Object.entries(region.percentiles).map(
    ([percent, nanos]) => `${Number(percent)} %: ${time(nanos)}`,
  );
  const slowest = region.slowest.length > 0 ? [`slowest: ${time(region.slowest[0].took)}`] : [];
  const last = region.last.slice(-LAST).map((it) => time(it.took));
  return [
    el(
      'p',
      {},
      `${count(region.calls)} calls, ${rate < 100 ? rate.toPrecision(3) : count(rate)} a second, ${time(region.total)} in all, ${each} each.`,
    ),
    el('p', {}, [...percentiles, ...slowest].join(', ')),
    histogram(region),
    el('p', {}, `Last calls: ${last.join(', ')}`),
  ];
}

function time(nanos: number): string {
  return amount(nanos / NANOS, { name: 'time', unit: 's' });
}

function histogram(region: Region): HTMLElement {
  const powers = powersOf(region.histogram);
  const most = Math.max(1, ...powers.map((it) => it.calls));
  const head = ['Took less than', 'Calls', 'Share'].map((it) =>
    el('th', { scope: 'col', class: 'number' }, it),
  );
  const rows = powers.map(({ below, calls }) => {
    const part = bar((100 * calls) / region.calls);
    part.querySelector<HTMLElement>('.fill')!.style.width = `${(100 * calls) / most}%`;
    const cells = [time(below), count(calls), part].map((it) => el('td', { class: 'number' }, it));
    return el('tr', {}, ...cells);
  });
  return el(
    'table',
    { class: 'times' },
    el('caption', {}, 'How many calls took how long'),
    el('thead', {}, el('tr', {}, ...head)),
    el('tbody', {}, ...rows),
  );
}

function slowCall(call: SlowCall): HTMLElement {
  const text = (it: string): string => clipped(neutralise(it), LONGEST_NAME);
  const given = call.arguments.length === 0 ? '' : `, with ${call.arguments.map(text).join(', ')}`;
  return el(
    'details',
    {},
    el('summary', {}, `${time(call.took)} at ${moment(call.end)} in ${text(call.thread)}${given}`),
    el('pre', { tabindex: '0' }, call.stack.map(text).join('\n')),
  );
}
