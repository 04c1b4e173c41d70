import { packageOrder } from '../../flame/colors';
import type { FlameJson } from '../../flame/data';
import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { Unanswered, type Answer } from '../api';
import { arrow } from '../arrow';
import { coveredBy } from '../chart';
import type { Context } from '../page';
import { BASELINE } from '../route';
import { Table } from '../table';
import { tableOptions } from '../tables';
import { amount, count, moment, percent } from '../words';
import { mount } from './flame';
import { methodLink } from './methods';

interface Side {
  value: number;
  percent: number;
  calls: number;
}

interface ChangedMethod {
  consumer: string;
  baseline: Side;
  current: Side;
  change: number;
  angle: number;
  noise: number | null;
  /** The same of its own statements alone. */
  self: { change: number };
}

/** What changed since the baseline. */
export async function compare(context: Context): Promise<void> {
  context.main.append(el('h1', {}, 'Compare'));
  if (!context.route.hasBaseline) {
    context.main.append(
      el(
        'p',
        {},
        'Choose what to compare with: a version above, or a second range of time by ctrl and dragging on the strip.',
      ),
      await suggestions(context),
    );
    return;
  }
  context.main.append(kinds(context));
  if (context.route.get('show') === 'sides') await sides(context);
  else await changes(context);
}

const MOST_SUGGESTIONS = 5;

/** Each version with the one before it, the newest first. */
async function suggestions(context: Context): Promise<HTMLElement> {
  const app = encodeURIComponent(context.route.app);
  const { rows } = await context.api.ask<{ rows: { version: string }[] }>(`applications/${app}/versions`);
  const versions = inOrder(rows.map((it) => it.version));
  const list = el('ul');
  for (let i = versions.length - 1; i > 0 && list.childElementCount < MOST_SUGGESTIONS; i--) {
    const [baseline, version] = [versions[i - 1], versions[i]];
    const { address } = context.route.with({ version, baseline });
    const text = `${neutralise(version) || '(unknown)'} compared with ${neutralise(baseline) || '(unknown)'}`;
    list.append(el('li', {}, el('a', { href: address }, text)));
  }
  return list;
}

/** As their numbers say where all have some, since several may be seen first at once; else as they came. */
export function inOrder(versions: readonly string[]): string[] {
  const numbered = versions.every((it) => /^v?\d+(\.\d+)+/.test(it));
  return numbered ? [...versions].sort(new Intl.Collator('en', { numeric: true }).compare) : [...versions];
}

/** The ways to look at a difference. */
function kinds(context: Context): HTMLElement {
  const { route } = context;
  const sides = route.get('show') === 'sides';
  const link = (text: string, address: string, here: boolean): HTMLElement =>
    el('a', { href: address, 'aria-current': here ? 'true' : undefined }, text);
  return el(
    'p',
    { class: 'kinds' },
    link('Methods', route.with({ show: null }).address, !sides),
    link('Side by side', route.with({ show: 'sides' }).address, sides),
    link('One flame graph', route.to('flame').address, false),
  );
}

/** The question for the baseline alone. */
function beforeOf(context: Context): URLSearchParams {
  const before = context.route.question();
  if (context.route.all('baseline').length > 0) before.set('version', context.route.get('baseline'));
  if (context.route.hasBaselineRange)
    for (const name of ['from', 'until']) {
      const bound = context.route.get(`baseline${name[0].toUpperCase()}${name.slice(1)}`);
      if (bound === '') before.delete(name);
      else before.set(name, bound);
    }
  return before;
}

/** Both flame graphs, the baseline first; or above, where there is no room beside. */
async function sides(context: Context): Promise<void> {
  const now = context.route.question();
  const before = beforeOf(context);
  const answers = await Promise.all([before, now].map((question) => side(context, question)));
  if (answers[1] !== null) context.selected(answers[1]);
  const columns = el('div', { class: 'columns' });
  context.main.append(columns);
  const version = (name: string): string =>
    context.route.get(name) === '' ? '' : ` (${neutralise(context.route.get(name))})`;
  const titles = { before: `Before${version('baseline')}`, now: `Now${version('version')}` };
  const packages = packageOrder(answers.filter((it) => it !== null));
  for (const [i, [name, title]] of Object.entries(titles).entries()) {
    const answer = answers[i];
    if (answer === null) {
      columns.append(el('section', {}, el('h2', {}, title), el('p', {}, 'There is nothing of this.')));
      continue;
    }
    const place = el('div', { class: 'graph' });
    const used = usedText(answer.total, answer.totalCalls, answer);
    columns.append(el('section', {}, el('h2', {}, title), el('p', { class: 'quiet' }, used), place));
    const kept = {
      text: context.route.get(name),
      changed: (text: string) => context.note({ [name]: text === '' ? null : text }),
    };
    if (answer.nodes.depth.length > 1)
      await mount(context, place, answer, { label: `${title}, flame graph`, kept, packages });
  }
}

/** One side; null if it has none of what is selected, as is the case with what is new or gone. */
async function side(context: Context, question: URLSearchParams): Promise<(Answer & FlameJson) | null> {
  try {
    return await context.api.ask<Answer & FlameJson>('flamegraph', question);
  } catch (error) {
    if (error instanceof Unanswered && error.status === 400) return null;
    throw error;
  }
}

/** Profiles that do not tell their seconds are taken whole, so two ranges of time may have some in common. */
async function shared(context: Context): Promise<HTMLElement[]> {
  const [before, now] = [beforeOf(context), context.route.question()];
  if (!context.route.hasBaselineRange || before.get('version') !== now.get('version')) return [];
  const [one, other] = await Promise.all(
    [before, now].map(async (question) => {
      question.set('pieces', '1');
      return coveredBy(await context.api.ask<Answer>('timeline', question));
    }),
  );
  if (one === null || other === null || one.from >= other.until || other.from >= one.until) return [];
  const both = { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) };
  return [
    el(
      'p',
      { class: 'missing' },
      `What was recorded from ${moment(both.from)} to ${moment(both.until)} is on both sides: choose ranges that are further apart. Profiles that do not tell their seconds are taken whole.`,
    ),
  ];
}

/** Method by method. */
async function changes(context: Context): Promise<void> {
  const question = context.route.question(...BASELINE);
  question.set('limit', '1000');
  const answer = await context.api.ask<
    Answer & { baselineTotal: number; baselineCalls?: number; leftOut: number; rows: ChangedMethod[] }
  >('compare', question);
  context.selected(answer);
  const used = (side: Side): string => `${percent(side.percent)}, ${amount(side.value, answer.resource)}`;
  const table = new Table(
    'Changes',
    [
      {
        key: 'method',
        title: 'Method',
        value: (row) => row.consumer,
        show: (row) => methodLink(context, row.consumer),
      },
      { key: 'angle', title: 'Change', value: (row) => row.angle, show: (row) => arrow(row.angle) },
      {
        key: 'change',
        title: 'Points',
        hint: 'percentage points of all that was used, with what it calls',
        value: (row) => row.change,
        show: (row) => points(row.change),
      },
      {
        key: 'self',
        title: 'Self',
        hint: 'percentage points of all that was used, by its own statements',
        value: (row) => row.self.change,
        show: (row) => points(row.self.change),
      },
      {
        key: 'baseline',
        title: 'Before',
        value: (row) => row.baseline.percent,
        show: (row) => (row.baseline.calls === 0 ? 'new' : used(row.baseline)),
      },
      {
        key: 'current',
        title: 'Now',
        value: (row) => row.current.percent,
        show: (row) => (row.current.calls === 0 ? 'gone' : used(row.current)),
      },
      {
        key: 'noise',
        title: 'Noise',
        hint: 'the probability that sampling alone makes such a difference; what two JVMs compiled and were asked to do differs besides',
        value: (row) => row.noise ?? 1,
        show: (row) => chance(row.noise),
      },
    ],
    answer.rows,
    tableOptions(context, 'changes', '', 'Nothing differs.'),
  );
  context.main.append(
    el(
      'p',
      {},
      `Before: ${usedText(answer.baselineTotal, answer.baselineCalls, answer)}. Now: ${usedText(answer.total, answer.totalCalls, answer)}.`,
    ),
    ...(await shared(context)),
    ...(answer.remarks ?? []).map((remark) => el('p', {}, neutralise(remark))),
    el(
      'p',
      { class: 'quiet' },
      'What stands out most comes first: a change by many points, by many times, and by its own statements.',
    ),
    table.element,
  );
  if (answer.leftOut > 0)
    context.main.append(
      el('p', { class: 'quiet' }, `${count(answer.leftOut)} methods that changed less are not shown.`),
    );
}

function points(change: number): string {
  const rounded = change.toFixed(2);
  return Number(rounded) === 0 ? '0' : `${change > 0 ? '+' : ''}${rounded}`;
}

function chance(noise: number | null): string {
  if (noise === null) return 'unknown';
  return noise < 0.0001 ? '<0.01 %' : percent(100 * noise);
}

function usedText(total: number, calls: number | undefined, answer: Answer): string {
  const used = amount(total, answer.resource);
  return calls === undefined || answer.occurrences === undefined
    ? used
    : `${used}, ${count(calls)} ${answer.occurrences}`;
}
