import { choice, el } from '../flame/dom';
import { neutralise } from '../flame/names';
import { Unanswered, type Answer, type Api } from './api';
import { coveredBy, RangeChart, rangeOf, type Piece, type Range } from './chart';
import type { Context } from './page';
import { BASELINE, Route, type Change, type ViewName } from './route';
import { amount, between, count, moment } from './words';

/** What can be chosen from. */
interface Choices {
  apps: string[];
  versions: string[];
  instances: string[];
  resources: { name: string; main?: boolean }[];
}

interface Times extends Pick<Answer, 'resource'> {
  rows: Piece[];
}

type Option = readonly [value: string, text: string];

const NONE = '*';
const RANGE = '@';

const TIMES: readonly Option[] = [
  ['', 'all time'],
  ['now-1m', 'last minute'],
  ['now-5m', 'last 5 minutes'],
  ['now-15m', 'last 15 minutes'],
  ['now-1h', 'last hour'],
  ['now-6h', 'last 6 hours'],
  ['now-1d', 'last day'],
  ['now-1w', 'last week'],
  ['now-30d', 'last 30 days'],
];

const MOST_INSTANCES = 200;

/** What a view is not about, by the names of the controls. Of locks, the view itself asks which time is meant. */
const IDLE: Partial<Record<ViewName, readonly string[]>> = {
  locks: ['Resource'],
  measure: ['Compared with', 'Time', 'Resource', 'Threads', 'Root method', 'Task'],
};

/** Views that show what changed since the baseline. */
const COMPARING: readonly ViewName[] = ['flame', 'method', 'compare'];

/** Milliseconds by which profiles may cover more than was asked for without anybody minding. */
const SLACK = 1000;

/**
 * What every view shows a part of: which profiles, and what of them. Its controls are made once and
 * follow the page's address, so that nobody loses what is being typed.
 */
export class SelectionBar {
  readonly element = el('section', { class: 'selection', 'aria-label': 'Selection', hidden: true });
  private readonly stated = el('p', { class: 'stated', role: 'status' });
  private readonly allTime = el(
    'button',
    { type: 'button', class: 'link', click: () => this.change({ from: null, until: null }) },
    'all time',
  );
  private readonly strip = el('div', { class: 'strip' });
  private readonly updates: ((route: Route, choices: Choices) => void)[] = [];

  /** Of what needs no answer: it says at once what the address does. */
  private readonly prompt: ((route: Route) => void)[] = [];

  /** Null until they are known. */
  private choices: Choices | null = null;

  /** The resource that the view is about; empty if that is not known. */
  private answered = '';

  /** Says what the chosen resource leaves out; empty if nothing. */
  private readonly apart = el('p', { class: 'stated' });

  /**
   * @param current where the page is now, with what views noted there
   */
  constructor(
    private readonly api: Api,
    private readonly current: () => Route,
    private readonly go: (route: Route) => void,
  ) {
    const form = el('form', { submit: (event: Event) => event.preventDefault() }, ...this.controls());
    const more = el(
      'button',
      {
        type: 'button',
        class: 'more',
        'aria-expanded': 'false',
        click: () => more.setAttribute('aria-expanded', String(form.classList.toggle('all'))),
      },
      'All filters',
    );
    form.append(more);
    const beside = el('div', { class: 'beside-stated' }, this.stated, this.allTime);
    this.element.append(form, this.strip, beside, this.apart);
  }

  /** Says what an answer rests on. */
  state(answer: Answer): void {
    this.answered = answer.profiles === 0 ? '' : answer.resource.name;
    this.update();
    const profiles = answer.profiles === 1 ? '1 profile' : `${count(answer.profiles)} profiles`;
    const route = this.current();
    const compared = route.hasBaseline && COMPARING.includes(route.view);
    const baseline = compared ? `; compared with ${this.baselineText(route)}` : '';
    this.stated.textContent =
      answer.profiles === 0
        ? 'Nothing was recorded in this selection.'
        : `${amount(answer.total, answer.resource)} ${answer.resource.name}${restsOn(answer)} in ${profiles}${compared ? '' : reach(route, answer)}, as of ${moment(answer.asOf)}${baseline}`;
  }

  async show(route: Route): Promise<void> {
    this.element.hidden = route.app === '';
    this.stated.textContent = '';
    this.allTime.hidden = !route.hasRange || route.view === 'measure';
    // Nobody measures what has been.
    this.strip.hidden = route.view === 'measure';
    this.choices = null;
    this.answered = '';
    if (route.app === '') return;
    for (const update of this.prompt) update(route);
    const app = encodeURIComponent(route.app);
    const [apps, versions, instances, resources, timeline] = await Promise.all([
      this.rows<{ app: string }>('applications'),
      this.rows<{ version: string }>(`applications/${app}/versions`),
      this.rows<{ instance: string }>(`applications/${app}/instances`),
      this.rows<{ name: string; main?: boolean }>('resources', ofAllTime(route)),
      this.timeline(route),
    ]);
    this.choices = {
      apps: apps.map((it) => it.app),
      versions: versions.map((it) => it.version),
      instances: [...new Set(instances.map((it) => it.instance))],
      resources,
    };
    this.update();
    const names = new Set(resources.map((it) => it.name));
    this.apart.hidden = !(names.has('cpu') && names.has('cpu-time'));
    this.apart.textContent =
      'Some JVMs here sample by the clock (cpu, JDK 17 to 24) and some by CPU time (cpu-time, JDK 25): these are two resources, of which one is shown.';
    this.drawStrip(timeline);
  }

  private update(): void {
    if (this.choices !== null) for (const update of this.updates) update(this.current(), this.choices);
  }

  /** None where the question has no answer: the view says why, and the controls can mend it. */
  private async rows<R>(path: string, params?: URLSearchParams): Promise<R[]> {
    try {
      return (await this.api.ask<{ rows: R[] }>(path, params)).rows;
    } catch (error) {
      if (error instanceof Unanswered) return [];
      throw error;
    }
  }

  private async timeline(route: Route): Promise<Times> {
    try {
      return await this.api.ask<Times>('timeline', wholeTime(route));
    } catch (error) {
      if (error instanceof Unanswered) return { rows: [], resource: { name: '', unit: '' } };
      throw error;
    }
  }

  private change(change: Change): void {
    this.go(this.current().with(change));
  }

  private controls(): HTMLElement[] {
    const versions = ({ versions }: Choices): Option[] => versions.map(named);
    return [
      this.select(
        'Application',
        (route, { apps }) => withOption(apps.map(named), named(route.app)),
        (route) => route.app,
        (app) => this.go(elsewhere(this.current(), app)),
      ),
      this.select(
        'Version',
        (route, choices) => {
          const all: readonly Option[] = [[NONE, 'all'], ...versions(choices)];
          return route.all('version').reduce((options, it) => withOption(options, named(it)), all);
        },
        (route) => route.all('version')[0] ?? NONE,
        (version) => this.change({ version: version === NONE ? null : version }),
      ),
      this.spacious(
        this.select(
          'Compared with',
          (route, choices) => {
            const all: Option[] = [[NONE, 'nothing'], ...versions(choices)];
            return baselineOf(route) === RANGE ? [...all, [RANGE, this.baselineText(route)]] : all;
          },
          baselineOf,
          (baseline) =>
            this.change({
              ...Object.fromEntries(BASELINE.map((name) => [name, null])),
              baseline: baseline === NONE ? null : baseline,
            }),
        ),
      ),
      this.rare(this.instances(), 'instance'),
      this.spacious(
        this.select(
          'Time',
          (route) => withOption(TIMES, [timeOf(route), spoken(route.get('from'), route.get('until'))]),
          timeOf,
          (from) => this.change({ from: from === '' ? null : from, until: null }),
        ),
      ),
      this.rare(
        this.select(
          'Resource',
          (route, { resources }) => {
            const all = resources.map(({ name }): Option => [name, name]);
            const chosen = route.get('resource');
            return chosen === '' ? all : withOption(all, [chosen, chosen]);
          },
          // In a range, something else may be the main resource than in all time.
          (route, { resources }) => {
            const answered = resources.find((it) => it.name === this.answered);
            const usual = answered ?? resources.find((it) => it.main) ?? resources[0];
            return route.get('resource') || (usual?.name ?? '');
          },
          (resource) => this.change({ resource }),
        ),
        'resource',
      ),
      this.text('Threads', 'thread', 'regular expression'),
      this.text('Root method', 'root', 'Class::method'),
      this.text('Task', 'task', 'name or NAME=prefix:…'),
    ];
  }

  private baselineText(route: Route): string {
    const version = route.get('baseline');
    const range = spoken(route.get('baselineFrom'), route.get('baselineUntil'));
    if (baselineOf(route) !== RANGE) return named(version)[1];
    return version === '' ? range : `${neutralise(version)}, ${range}`;
  }

  private select(
    label: string,
    options: (route: Route, choices: Choices) => readonly Option[],
    value: (route: Route, choices: Choices) => string,
    changed: (value: string) => void,
  ): HTMLElement {
    const { element, select } = choice(label, [], changed);
    let known = '';
    this.updates.push((route, choices) => {
      const now = options(route, choices);
      if (JSON.stringify(now) !== known) {
        known = JSON.stringify(now);
        select.replaceChildren(...now.map(([value, text]) => el('option', { value }, text)));
      }
      select.value = value(route, choices);
    });
    return this.unlessIdle(element, label);
  }

  /** It is only seen in views that are about it. */
  private unlessIdle(control: HTMLElement, label: string): HTMLElement {
    this.prompt.push((route) => (control.hidden = IDLE[route.view]?.includes(label) ?? false));
    return control;
  }

  private text(label: string, name: string, hint: string): HTMLElement {
    const input = el('input', {
      type: 'search',
      placeholder: hint,
      change: () => this.change({ [name]: input.value.trim() === '' ? null : input.value.trim() }),
    });
    this.prompt.push((route) => {
      if (document.activeElement !== input) input.value = route.get(name);
    });
    const control = el('label', { class: 'hl-choice typed' }, el('span', {}, label), input);
    return this.rare(this.unlessIdle(control, label), name);
  }

  /** On a phone it is only seen when it says something, or all are asked for. */
  private rare(control: HTMLElement, name: string): HTMLElement {
    control.classList.add('rare');
    this.prompt.push((route) => control.classList.toggle('set', route.get(name) !== ''));
    return control;
  }

  /** A range of time is said there, which needs room. */
  private spacious(control: HTMLElement): HTMLElement {
    control.classList.add('spacious');
    return control;
  }

  private instances(): HTMLElement {
    const list = el('div', { class: 'choices' });
    const summary = el('summary');
    let known = '';
    this.updates.push((route, { instances }) => {
      const chosen = route.all('instance');
      summary.textContent =
        chosen.length === 0 ? `all ${instances.length}` : `${chosen.length} of ${instances.length}`;
      if (JSON.stringify(instances) !== known) {
        known = JSON.stringify(instances);
        list.replaceChildren(...instances.slice(0, MOST_INSTANCES).map((name) => this.instance(name)));
      }
      for (const box of list.querySelectorAll('input')) box.checked = chosen.includes(box.value);
    });
    return el('div', { class: 'hl-choice' }, el('span', {}, 'Instances'), el('details', {}, summary, list));
  }

  private instance(name: string): HTMLElement {
    const box = el('input', {
      type: 'checkbox',
      value: name,
      change: () => {
        const others = this.current()
          .all('instance')
          .filter((it) => it !== name);
        this.change({ instance: box.checked ? [...others, name] : others });
      },
    });
    return el('label', {}, box, ` ${named(name)[1]}`);
  }

  /** The whole time of the application, where a range can be drawn. */
  private drawStrip({ rows: pieces, resource }: Times): void {
    if (pieces.length === 0) {
      this.strip.replaceChildren();
      return;
    }
    const chart = new RangeChart(
      pieces,
      40,
      'What was used over time',
      (piece) => amount(piece.value, resource),
      (range, second) => this.change(second ? asBaseline(range) : asSelection(range)),
    );
    chart.markAll(this.current());
    const focused = this.strip.contains(document.activeElement);
    this.strip.replaceChildren(chart.element);
    if (focused) chart.element.focus();
  }
}

/** How many samples an answer rests on: how many of those that were taken, and how many never came. */
export function restsOn(answer: Answer): string {
  const { totalCalls, recordedCalls, occurrences } = answer;
  if (totalCalls === undefined || occurrences === undefined) return '';
  // Of what both sides of a comparison lost, nobody knows which lost what.
  const counts = answer.baselineTotal === undefined ? answer.provenance.counts : {};
  const lost = (counts[`lost ${occurrences}`] ?? 0) + (occurrences === 'samples' ? (counts.lost ?? 0) : 0);
  const taken = (recordedCalls ?? totalCalls + lost) - lost;
  const of = taken === totalCalls ? '' : ` of ${count(taken)}`;
  const missing = lost === 0 ? '' : ` (${count(lost)} more were lost)`;
  return `: ${count(totalCalls)}${of} ${occurrences}${missing}`;
}

/** Profiles that do not tell their seconds are taken whole, and may cover more than was asked for. */
function reach(route: Route, answer: Answer): string {
  const covered = coveredBy(answer);
  if (covered === null) return '';
  const range = rangeOf(route, 'from', 'until', covered.from, covered.until, Date.parse(answer.asOf));
  if (range === null) return '';
  const within = covered.from >= range.from - SLACK && covered.until <= range.until + SLACK;
  const whole = answer.profiles === 1 ? 'taken whole' : 'some taken whole';
  return within ? '' : `, ${whole}, from ${moment(covered.from)} to ${moment(covered.until)}`;
}

/** Another application, as far as what was selected can mean the same there. */
function elsewhere(route: Route, app: string): Route {
  const from = route.get('from').startsWith('now') ? route.get('from') : null;
  const view = route.view === 'method' || route.view === 'source' ? 'methods' : route.view;
  return Route.of('').with({ app, from }, view);
}

function ofAllTime(route: Route): URLSearchParams {
  const question = route.question();
  for (const name of ['from', 'until']) question.delete(name);
  return question;
}

/** In pieces, of all threads and methods. */
function wholeTime(route: Route): URLSearchParams {
  const question = ofAllTime(route);
  for (const name of ['thread', 'root', 'task']) question.delete(name);
  question.set('pieces', '120');
  return question;
}

function named(name: string): Option {
  return [name, name === '' ? '(unknown)' : neutralise(name)];
}

function withOption(options: readonly Option[], more: Option): readonly Option[] {
  return options.some(([value]) => value === more[0]) ? options : [...options, more];
}

function baselineOf(route: Route): string {
  if (route.hasBaselineRange) return RANGE;
  return route.all('baseline')[0] ?? NONE;
}

function timeOf(route: Route): string {
  const from = route.get('from');
  return route.get('until') === '' ? from : `${from}/${route.get('until')}`;
}

/** A range of time as it is read; what is relative stays so. */
export function spoken(from: string, until: string, now = Date.now()): string {
  const [begin, end] = [from, until].map(timeIn);
  if (begin !== null && end !== null && begin <= end) return between(begin, end, now);
  const one = (written: string, time: number | null): string =>
    time === null ? neutralise(written) : between(time, time, now);
  return `${from === '' ? 'begin' : one(from, begin)} – ${until === '' ? 'now' : one(until, end)}`;
}

/** The moment that is written; null if it is relative, or none. */
function timeIn(written: string): number | null {
  const time = /^\d+$/.test(written) ? Number(written) : Date.parse(written);
  return written.startsWith('now') || Number.isNaN(new Date(time).getTime()) ? null : time;
}

function asSelection(range: Range): Change {
  return { from: String(range.from), until: String(range.until) };
}

function asBaseline(range: Range): Change {
  return { baselineFrom: String(range.from), baselineUntil: String(range.until) };
}

/** Profiles a range, or compares with a second one. */
export function pick({ here, go }: Pick<Context, 'here' | 'go'>, range: Range, second: boolean): void {
  go(second ? here().to('compare', asBaseline(range)) : here().with(asSelection(range)));
}
