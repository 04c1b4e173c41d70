import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { powersOf, type Region, type SlowCall, type Times } from '../measuring';
import type { Context } from '../page';
import { amount, count, moment } from '../words';
import { bar, LONGEST_NAME, methodLink } from './methods';

/** Most of a second's work is at the end of the list. */
const LAST = 10;

const NANOS = 1e9;

/** How long calls of single methods took; drawn anew every second, and what was unfolded stays so. */
export class RegionsView {
  readonly element = el('div', { class: 'regions' });

  constructor(private readonly context: Context) {}

  update(times: Times): void {
    const focused = this.keyOf(document.activeElement?.closest('details'));
    const unfolded = new Set([...this.element.querySelectorAll('details[open]')].map((it) => this.keyOf(it)));
    this.element.replaceChildren(...times.regions.flatMap((region) => this.drawn(region, times)));
    for (const details of this.element.querySelectorAll('details')) {
      const key = this.keyOf(details);
      details.open = unfolded.has(key);
      if (key === focused) details.querySelector('summary')?.focus({ preventScroll: true });
    }
  }

  clear(): void {
    this.element.replaceChildren();
  }

  private keyOf(details: Element | null | undefined): string | undefined {
    return details?.getAttribute('data-call') ?? undefined;
  }

  private drawn(region: Region, { duration }: Times): Node[] {
    const head = el('h3', { class: 'name' }, methodLink(this.context, region.method));
    if (region.calls === 0) return [head, el('p', {}, 'It was not called.')];
    const rate = (region.calls / (duration / NANOS)).toPrecision(3);
    const each = time(region.total / region.calls);
    const percentiles = Object.entries(region.percentiles).map(
      ([percent, nanos]) => `${Number(percent)} %: ${time(nanos)}`,
    );
    const slowest = region.slowest.length > 0 ? [`slowest: ${time(region.slowest[0].took)}`] : [];
    const last = region.last.slice(-LAST).map((it) => time(it.took));
    return [
      head,
      el(
        'p',
        {},
        `${count(region.calls)} calls, ${rate} a second, ${time(region.total)} in all, ${each} each.`,
      ),
      el('p', {}, [...percentiles, ...slowest].join(', ')),
      histogram(region),
      el('p', {}, `Last calls: ${last.join(', ')}`),
      el('h4', {}, 'Slowest calls'),
      ...region.slowest.map((call) => slow(region, call)),
    ];
  }
}

function time(nanos: number): string {
  return amount(nanos / NANOS, { name: 'time', unit: 's' });
}

function histogram(region: Region): HTMLElement {
  const powers = powersOf(region.histogram);
  const most = Math.max(1, ...powers.map((it) => it.calls));
  const head = ['Took less than', 'Calls', 'Of the most'].map((it) => el('th', { scope: 'col' }, it));
  const rows = powers.map(({ below, calls }) => {
    const part = bar((100 * calls) / region.calls);
    part.querySelector<HTMLElement>('.fill')!.style.width = `${(100 * calls) / most}%`;
    return el('tr', {}, el('td', {}, time(below)), el('td', {}, count(calls)), el('td', {}, part));
  });
  return el(
    'table',
    { class: 'times' },
    el('caption', {}, 'How many calls took how long'),
    el('thead', {}, el('tr', {}, ...head)),
    el('tbody', {}, ...rows),
  );
}

function slow(region: Region, call: SlowCall): HTMLElement {
  const text = (it: string): string => clipped(neutralise(it), LONGEST_NAME);
  const given = call.arguments.length === 0 ? '' : `, with ${call.arguments.map(text).join(', ')}`;
  const details = el(
    'details',
    {},
    el('summary', {}, `${time(call.took)} at ${moment(call.end)} in ${text(call.thread)}${given}`),
    el('pre', { tabindex: '0' }, call.stack.map(text).join('\n')),
  );
  details.setAttribute('data-call', `${region.method} ${call.took} ${call.end} ${call.thread}`);
  return details;
}
