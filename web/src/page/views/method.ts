import { clipped, el } from '../../flame/dom';
import { neutralise, shortName } from '../../flame/names';
import type { Answer } from '../api';
import { bars, type Piece } from '../chart';
import { rootOf, timeText } from '../measuring';
import type { Context } from '../page';
import { BASELINE, written } from '../route';
import { Table } from '../table';
import { partOptions } from '../tables';
import { amount, count, moment, percent } from '../words';
import { arrow } from '../arrow';
import { bar, LONGEST_NAME, methodLink, type MethodRow } from './methods';
import { classOf } from './source';
import { escaped, threadsLink } from './threads';

interface Neighbour extends MethodRow {
  callerTime?: number;
  calleeTime?: number;
}

export interface Line {
  line: number;
  base: number;
  cum: number;
}

interface Beside {
  calls: number;
  /** Not known where one went on for much longer than the other. */
  samples?: number;
  callsPerSample?: number;
  /** In seconds; not known if no call was timed. */
  timePerCall?: number;
}

export interface Stanza {
  self: MethodRow & {
    methodTime: number;
    selfTime: number;
    /** Not known of every profile. */
    threads?: { thread: string; threadTime: number }[];
    baseline?: { cum: number; methodTime: number };
    /** Where it was both sampled and measured call by call. */
    beside?: Beside;
    angle?: number;
    noise?: number | null;
  };
  parents: Neighbour[];
  children: Neighbour[];
  lines?: Line[];
}

/** One method: who calls it, what it calls, where, on which threads, since when. */
export async function method(context: Context): Promise<void> {
  const name = context.route.get('name');
  const question = context.route.question('name', ...BASELINE);
  question.set('limit', '50');
  const answer = await context.api.ask<Answer & { stanzas: Stanza[] }>('method', question);
  context.selected(answer);
  const several = answer.stanzas.length !== 1;
  const title = several ? name : answer.stanzas[0].self.consumer;
  context.main.append(el('h1', { class: 'name' }, clipped(neutralise(title), LONGEST_NAME)));
  if (answer.stanzas.length === 0)
    context.main.append(el('p', {}, 'Nothing of this was recorded in this selection.'));
  for (const stanza of answer.stanzas) context.main.append(...described(context, answer, stanza, several));
  const over = el('section');
  context.main.append(over);
  context.later(over, history(context, name));
}

function described(context: Context, answer: Answer, stanza: Stanza, several: boolean): Node[] {
  const { self } = stanza;
  const root = written(self.consumer);
  const facts = el(
    'p',
    {},
    `${amount(self.cum, answer.resource)} (${percent(self.cumPercent)}) with all it calls, of which ${amount(self.base, answer.resource)} (${percent(100 * self.selfTime)}) in its own statements. `,
    el('a', { href: context.route.to('flame', { root }).address }, 'Flame graph from here'),
    ' · ',
    el('a', { href: context.route.to('tree', { root }).address }, 'call tree from here'),
    ' · ',
    sourceLink(context, self.consumer, 'source', hottestLine(stanza)),
    ...measureLink(context, self.consumer),
  );
  if (self.beside !== undefined) facts.append(el('br'), besideText(self.beside));
  if (self.baseline !== undefined && self.angle !== undefined) {
    facts.append(
      el('br'),
      arrow(self.angle),
      ` ${percent(100 * self.baseline.methodTime)} → ${percent(self.cumPercent)}, `,
      noise(context, self.consumer, self.noise ?? null),
    );
  }
  return [
    ...(several ? [el('h2', {}, neutralise(shortName(self.consumer)))] : []),
    facts,
    el(
      'div',
      { class: 'columns' },
      neighbours(context, answer, 'Called by', 'Nobody.', stanza.parents, (it) => it.callerTime ?? 0),
      neighbours(context, answer, 'Calls', 'Nothing.', stanza.children, (it) => it.calleeTime ?? 0),
    ),
    el('div', { class: 'columns' }, threadsOf(context, stanza), linesOf(context, answer, stanza)),
  ];
}

/** Whether it takes long or is called often. */
function besideText({ calls, samples, callsPerSample, timePerCall }: Beside): string {
  const each = timePerCall === undefined ? '' : `, ${amount(timePerCall, { name: 'time', unit: 's' })} each`;
  if (samples === undefined || callsPerSample === undefined) return `${count(calls)} calls${each}.`;
  const part = callsPerSample < 10 ? callsPerSample.toPrecision(2) : count(callsPerSample);
  return `${count(calls)} calls${each}; ${count(samples)} samples: ${part} calls for each sample.`;
}

function hottestLine({ lines = [] }: Stanza): string {
  const hottest = lines.reduce((a, b) => (b.cum > (a?.cum ?? 0) ? b : a), lines[0]);
  return String(hottest?.line ?? '');
}

/** The way to a line of a method's source. */
function sourceLink(context: Context, method: string, text: string, line: string): HTMLElement {
  const change = { class: classOf(method), line: line === '' ? null : line };
  return el('a', { href: context.route.to('source', change).address }, text);
}

/** The way to its calls one by one, if it is something that can be measured. */
function measureLink(context: Context, method: string): (Node | string)[] {
  const measureRoot = rootOf(method);
  if (measureRoot === '') return [];
  return [' · ', el('a', { href: context.route.to('measure', { measureRoot }).address }, 'measure exactly')];
}

/** How likely it is that nothing changed, or the way to who knows. */
function noise(context: Context, method: string, probability: number | null): Node | string {
  if (probability === null) {
    const { address } = context.route.to('compare', { filter: method.slice(0, 200) });
    return el('a', { href: address }, 'how likely by chance?');
  }
  if (probability < 0.001) return 'hardly by chance';
  return `by chance with a probability of ${percent(100 * probability)}`;
}

function neighbours(
  context: Context,
  answer: Answer,
  title: string,
  empty: string,
  rows: Neighbour[],
  part: (row: Neighbour) => number,
): HTMLElement {
  const table = new Table(
    title,
    [
      {
        key: 'method',
        title,
        value: (row) => row.consumer,
        show: (row) => methodLink(context, row.consumer, row.recursive),
      },
      {
        key: 'cum',
        title: 'Used',
        value: (row) => row.cum,
        show: (row) => timeText(row, row.cum, amount(row.cum, answer.resource)),
      },
      { key: 'part', title: 'Part', value: part, show: (row) => bar(100 * part(row)) },
    ],
    rows,
    partOptions(context, title.toLowerCase().replace(' ', '-'), '-part', empty),
  );
  return table.element;
}

function threadsOf(context: Context, stanza: Stanza): HTMLElement {
  const table = new Table(
    'Threads it runs on',
    [
      {
        key: 'thread',
        title: 'On thread',
        value: (row) => row.thread,
        show: (row) => threadsLink(context, `^${escaped(row.thread)}$`, row.thread),
      },
      {
        key: 'part',
        title: 'Part',
        value: (row) => row.threadTime,
        show: (row) => bar(100 * row.threadTime),
      },
    ],
    stanza.self.threads ?? [],
    partOptions(context, 'threads', '-part', 'Threads are not known.'),
  );
  return table.element;
}

function linesOf(context: Context, answer: Answer, stanza: Stanza): HTMLElement {
  const { consumer } = stanza.self;
  const table = new Table(
    'Its lines',
    [
      {
        key: 'line',
        title: 'Line',
        value: (row) => row.line,
        show: (row) => sourceLink(context, consumer, String(row.line), String(row.line)),
      },
      {
        key: 'base',
        title: 'Self',
        value: (row) => row.base,
        show: (row) => amount(row.base, answer.resource),
      },
      {
        key: 'cum',
        title: 'With calls from there',
        value: (row) => row.cum,
        show: (row) => amount(row.cum, answer.resource),
      },
    ],
    stanza.lines ?? [],
    partOptions(context, 'lines', '-cum', 'Lines are not known.'),
  );
  return table.element;
}

interface History {
  rows: (Piece & { percent: number })[];
  versions: { version: string; percent: number; first: string }[];
}

/** What it took over time and in each version. */
async function history(context: Context, name: string): Promise<Node> {
  const question = context.route.question();
  question.set('name', name);
  const answer = await context.api.ask<History>('history', question);
  const table = new Table(
    'By version',
    [
      {
        key: 'version',
        title: 'Version',
        value: (row) => row.version,
        show: (row) =>
          el(
            'a',
            { href: context.route.with({ version: row.version }).address },
            neutralise(row.version) || '(unknown)',
          ),
      },
      { key: 'first', title: 'First seen', value: (row) => row.first, show: (row) => moment(row.first) },
      { key: 'percent', title: 'Share', value: (row) => row.percent, show: (row) => bar(row.percent) },
    ],
    answer.versions,
    partOptions(context, 'versions', 'first', 'No version is known.'),
  );
  const shares = answer.rows.map((it) => ({ ...it, value: it.percent }));
  const most = Math.max(0, ...shares.map((it) => it.value));
  return el(
    'div',
    {},
    el('h2', {}, 'Over time'),
    bars(shares, 60, `Its share over time, up to ${percent(most)}`),
    el('p', { class: 'quiet' }, scale(shares, most)),
    table.element,
  );
}

function scale(shares: readonly Piece[], most: number): string {
  if (shares.length === 0) return 'Nothing was recorded.';
  return `Its share of what was used, from ${moment(shares[0].from)} to ${moment(shares[shares.length - 1].until)}; the highest bar is ${percent(most)}.`;
}
