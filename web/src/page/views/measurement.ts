import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { Unanswered } from '../api';
import {
  eachCall,
  eachText,
  isUnderWay,
  secondsLeft,
  stateText,
  subject,
  timeText,
  UNKNOWN,
  whereMeasured,
  type CallRow,
  type CallTree,
  type Measured,
  type Measurement,
} from '../measuring';
import type { Context } from '../page';
import type { ViewName } from '../route';
import { say } from '../redrawing';
import { Table, type Column } from '../table';
import { partOptions } from '../tables';
import { amount, count, moment } from '../words';
import { bar, knownBar, LONGEST_NAME, methodLink } from './methods';
import { RegionsView } from './regions';
import { indented, PRUNED } from './tree';

const AGAIN_MILLIS = 1000;

/** The largest contexts: those of a second are read at a glance, or at the end in the call tree. */
const MOST_ROWS = 200;

const LONGEST_LINE = 500;

const CALLS = 'elapsed';

/** The resources of objects: their bytes. */
const OBJECTS: Record<string, string> = {
  allocated: 'objects that were made',
  'live-bytes': 'objects that are still alive',
};

const WAYS: readonly (readonly [view: ViewName, text: string])[] = [
  ['flame', 'flame graph'],
  ['tree', 'call tree'],
  ['methods', 'methods'],
];

/** One measurement: how far it is, and its calls as they come. */
export class MeasurementView {
  readonly element = el('section', { class: 'measurement', 'aria-label': 'Measurement', hidden: true });
  private readonly title = el('h2', { class: 'name', tabindex: '-1' }, 'Measurement');
  private readonly state = el('span', { role: 'status', 'aria-live': 'polite' });

  /** Not read out, as it is another one every second. */
  private readonly left = el('span', { class: 'quiet' });
  private readonly endNow = el('button', {
    type: 'button',
    hidden: true,
    click: () => this.context.attempt(this.end()),
  });
  private readonly failure = el('p', { role: 'alert' });
  private readonly late = el('p', { class: 'quiet', role: 'status' });
  private readonly ways = el('p');

  /** The resource that they lead to. */
  private linked = '';
  private readonly said = el('ul', { class: 'plain said' });
  private readonly calls = el('p');
  private readonly shown = el(
    'select',
    { change: () => this.show() },
    el('option', { value: CALLS }, 'calls and their time'),
    ...Object.entries(OBJECTS).map(([value, text]) => el('option', { value }, text)),
  );
  private readonly shownField = el(
    'label',
    { class: 'field', hidden: true },
    el('span', {}, 'Shown'),
    this.shown,
  );
  private readonly table: Table<CallRow>;
  private readonly objects: Table<CallRow>;

  /** One of both tables, or none. */
  private readonly rows = el('div');
  private readonly regions: RegionsView;
  private tree: CallTree | undefined;

  /** Which one is shown; empty if none is. */
  private id = '';
  private timer = 0;
  private isLeft = false;
  private isEnding = false;

  /** Why it could not be ended; empty if nothing is wrong. */
  private unended = '';
  private updated = Date.now();

  /**
   * @param ended called when one that was under way is no more
   */
  constructor(
    private readonly context: Context,
    private readonly ended: () => void,
  ) {
    this.table = new Table<CallRow>('Calls', this.columns(), [], {
      ...partOptions(context, 'calls', '', ''),
      key: (row) => row.path.join('\n'),
    });
    this.objects = new Table<CallRow>('Objects', this.objectColumns(), [], {
      ...partOptions(context, 'objects', '', ''),
      key: (row) => row.path.join('\n'),
    });
    const shown = context.route.get('shown');
    this.shown.value = isOfObjects(shown) ? shown : CALLS;
    this.regions = new RegionsView(context);
    this.element.append(
      this.title,
      el('p', { class: 'tools' }, this.state, this.left, this.endNow),
      this.failure,
      this.late,
      this.ways,
      this.said,
      this.shownField,
      this.calls,
      this.rows,
      this.regions.element,
    );
    context.onLeave(() => {
      this.isLeft = true;
      clearTimeout(this.timer);
    });
  }

  /** Shows a measurement, as it goes on as long as it does. */
  follow(id: string, known?: Measurement): void {
    if (this.isLeft) return;
    clearTimeout(this.timer);
    this.id = id;
    this.isEnding = false;
    this.unended = '';
    this.tree = undefined;
    this.regions.clear();
    this.shownField.hidden = true;
    this.ways.replaceChildren();
    if (known !== undefined) this.draw(known);
    void this.again(id, known !== undefined);
  }

  private show(): void {
    this.context.note({ shown: this.shown.value === CALLS ? null : this.shown.value });
    clearTimeout(this.timer);
    void this.again(this.id, true);
  }

  private async again(id: string, wasUnderWay: boolean): Promise<void> {
    let isUnfinished: boolean;
    try {
      const params = new URLSearchParams({ id, limit: String(MOST_ROWS) });
      const resource = this.shown.value;
      if (resource !== CALLS) params.set('resource', resource);
      const measured = await this.context.api.ask<Measured>('measurement', params);
      if (this.isLeft || id !== this.id || resource !== this.shown.value) return;
      this.updated = Date.now();
      say(this.late, '');
      this.draw(measured);
      isUnfinished = isUnderWay(measured);
      if (wasUnderWay && !isUnfinished) this.ended();
    } catch (error) {
      if (this.isLeft || id !== this.id) return;
      isUnfinished = error instanceof Unanswered && error.mayPass;
      if (isUnfinished) this.sayLate(error);
      else this.giveUp(error);
    }
    if (isUnfinished) this.timer = window.setTimeout(() => void this.again(id, true), AGAIN_MILLIS);
  }

  /** It goes on without anybody looking; the server may be back at once. */
  private sayLate(error: unknown): void {
    this.element.hidden = false;
    say(this.late, `Not brought up to date since ${moment(this.updated)}: ${messageOf(error)}`);
  }

  private giveUp(error: unknown): void {
    if (!(error instanceof Unanswered) || error.isRefused) {
      this.context.attempt(Promise.reject(error));
      return;
    }
    this.element.hidden = false;
    this.hideButton();
    for (const place of [this.state, this.left, this.late]) say(place, '');
    say(this.failure, neutralise(error.message));
    if (this.tree === undefined) this.rows.replaceChildren();
  }

  private async end(): Promise<void> {
    if (this.isEnding) return;
    const { id } = this;
    this.isEnding = true;
    this.unended = '';
    this.drawButton();
    try {
      await this.context.api.change<Measurement>('DELETE', 'measurements', new URLSearchParams({ id }));
    } catch (error) {
      if (!(error instanceof Unanswered) || error.isRefused) throw error;
      if (id !== this.id) return;
      this.isEnding = false;
      this.drawButton();
      this.unended = `It could not be ended: ${neutralise(error.message)}`;
      say(this.failure, this.unended);
    }
  }

  private draw(measured: Measured): void {
    const { state } = measured;
    this.element.hidden = false;
    say(this.title, clipped(neutralise(`${subject(measured)} in ${measured.instance}`), LONGEST_NAME));
    // Why one failed is an alert of its own.
    const message = state === 'failed' ? '' : measured.message;
    say(this.state, neutralise(stateText({ state, message })));
    say(this.left, state === 'running' ? `${secondsLeft(measured)} s left` : '');
    say(this.failure, state === 'failed' ? neutralise(measured.message || 'It failed.') : this.unended);
    if (isUnderWay(measured)) this.endNow.hidden = false;
    else this.hideButton();
    this.drawButton();
    this.drawWays(measured);
    this.drawSaid(measured.said ?? []);
    this.drawShown(measured);
    if (measured.regions.length > 0) this.drawTimes(measured);
    else this.drawTree(measured);
  }

  private drawTimes({ state, times }: Measured): void {
    this.rows.replaceChildren();
    if (times === undefined) {
      say(this.calls, NO_TIMES[state]);
      return;
    }
    say(this.calls, times.regions.length === 0 ? 'No such method is loaded yet.' : '');
    this.regions.update(times);
  }

  /** What there is to be chosen, and what of it is there. */
  private drawShown(measured: Measured): void {
    const resources = measured.resources ?? [];
    this.shownField.hidden = !resources.some(isOfObjects);
    for (const option of this.shown.options)
      option.hidden = option.value !== CALLS && !resources.includes(option.value);
    // Under way, some may still come.
    if (measured.tree !== undefined && !isUnderWay(measured))
      this.shown.value = isOfObjects(measured.tree.resource.name) ? measured.tree.resource.name : CALLS;
  }

  private drawButton(): void {
    this.endNow.setAttribute('aria-disabled', String(this.isEnding));
    say(this.endNow, this.isEnding ? 'Ending …' : 'End now');
  }

  private hideButton(): void {
    const isFocused = document.activeElement === this.endNow;
    this.endNow.hidden = true;
    if (isFocused) this.title.focus({ preventScroll: true });
  }

  /** To what is seen here, which may be something else than what was asked for. */
  private drawWays(measured: Measured): void {
    const resource = measured.tree?.resource.name ?? CALLS;
    const where = whereMeasured(measured, resource);
    this.ways.hidden = where === null;
    if (where === null || (this.linked === resource && this.ways.childElementCount > 0)) return;
    this.linked = resource;
    const { route } = this.context;
    const links = WAYS.map(([view, text]) => el('a', { href: route.to(view, where).address }, text));
    this.ways.replaceChildren(
      ...links.flatMap((link) => [link, ' · ']),
      el('span', { class: 'quiet' }, 'What was measured appears there a few seconds after the end.'),
    );
  }

  private drawSaid(lines: readonly string[]): void {
    const known = [...this.said.children].map((it) => it.textContent);
    const now = lines.map((it) => clipped(neutralise(it), LONGEST_LINE));
    if (now.join('\n') === known.join('\n')) return;
    this.said.replaceChildren(...now.map((line) => el('li', {}, line)));
  }

  private drawTree({ state, tree }: Measured): void {
    // The first row is all threads, also where none of them did anything.
    this.tree = tree !== undefined && tree.rows.length > 1 ? tree : undefined;
    if (this.tree === undefined) {
      this.rows.replaceChildren();
      say(this.calls, NOTHING[state]);
      return;
    }
    const isObjects = isOfObjects(this.tree.resource.name);
    this.showRows(isObjects ? this.objects : this.table);
    if (isObjects) {
      this.drawObjects(this.tree);
      return;
    }
    const { rows, total, totalCalls, resource } = this.tree;
    const bounded = rows.length >= MOST_ROWS ? '; the largest contexts' : '';
    const calls = totalCalls === undefined ? '' : `${count(totalCalls)} calls`;
    const time = isTimed(this.tree) ? `${amount(total, resource)} below the roots` : '';
    say(this.calls, `${[calls, time].filter((it) => it !== '').join(', ')}${bounded}.`);
    this.table.update(rows);
  }

  /** One that is there already keeps its place and the focus. */
  private showRows({ element }: Table<CallRow>): void {
    if (element.parentElement !== this.rows) this.rows.replaceChildren(element);
  }

  private drawObjects({ rows, total, totalCalls, resource }: CallTree): void {
    const bounded = rows.length >= MOST_ROWS ? '; the largest contexts' : '';
    say(this.calls, `${count(totalCalls ?? 0)} objects, ${amount(total, resource)}${bounded}.`);
    this.objects.update(rows);
  }

  private objectColumns(): Column<CallRow>[] {
    const bytes = (value: number): string => amount(value, { name: 'allocated', unit: 'bytes' });
    return [
      {
        key: 'method',
        title: 'Method or class',
        value: (row) => row.path[row.depth],
        show: (row) => indented(row.depth, this.name(row)),
      },
      {
        key: 'objects',
        title: 'Objects',
        hint: 'of a class, made by the method above',
        value: (row) => row.calls,
        show: (row) => (row.calls > 0 ? count(row.calls) : ''),
      },
      { key: 'cum', title: 'Bytes', value: (row) => row.cum, show: (row) => bytes(row.cum) },
      {
        key: 'each',
        title: 'Each object',
        hint: 'bytes of one object, on average',
        value: (row) => row.cum / Math.max(1, row.calls),
        show: (row) => (row.calls > 0 && !isPruned(row) ? bytes(row.cum / row.calls) : ''),
      },
      { key: 'share', title: 'Share', value: (row) => row.cumPercent, show: (row) => bar(row.cumPercent) },
    ];
  }

  private columns(): Column<CallRow>[] {
    const time = (value: (row: CallRow) => number): Pick<Column<CallRow>, 'value' | 'show'> => ({
      value,
      show: (row) => this.time((text) => timeText(row, value(row), text(value(row)))),
    });
    const each = (row: CallRow): string =>
      row.calls === 0 || isPruned(row) ? UNKNOWN : this.time((text) => eachText(row, text));
    return [
      {
        key: 'method',
        title: 'Method',
        value: (row) => row.path[row.depth],
        show: (row) => indented(row.depth, this.name(row)),
      },
      { key: 'calls', title: 'Calls', value: (row) => row.calls, show: (row) => count(row.calls) },
      { key: 'cum', title: 'Time', hint: 'with all it called', ...time((row) => row.cum) },
      { key: 'base', title: 'Own time', hint: 'in its own statements', ...time((row) => row.base) },
      { key: 'each', title: 'Each call', hint: 'time of one call, on average', value: eachCall, show: each },
      {
        key: 'share',
        title: 'Share',
        value: (row) => row.cumPercent,
        show: (row) => knownBar(row, row.cumPercent),
      },
    ];
  }

  /** A time in its unit, if there are any. */
  private time(show: (text: (value: number) => string) => string): string {
    const { tree } = this;
    if (tree === undefined || !isTimed(tree)) return UNKNOWN;
    return show((value) => amount(value, tree.resource));
  }

  private name(row: CallRow): Node | string {
    const text = row.path[row.depth];
    if (isPruned(row)) return el('span', { class: 'quiet' }, 'smaller ones');
    // Objects have the name of their class, which has no page.
    if (!text.includes('(')) return clipped(neutralise(text), LONGEST_NAME);
    return methodLink(this.context, text, row.recursive);
  }
}

const NOTHING: Record<Measurement['state'], string> = {
  waiting: '',
  running: 'No root has been called yet.',
  ended: 'No calls are known here: no root was called meanwhile, or it is too long ago.',
  failed: '',
};

/** Where only the times of single methods are wanted. */
const NO_TIMES: Record<Measurement['state'], string> = {
  waiting: '',
  running: 'No times are known yet.',
  ended: 'No times are known here any more.',
  failed: '',
};

/** Calls may take less than can be told from what measuring takes. */
function isTimed({ resource }: CallTree): boolean {
  return resource.unit === 's';
}

function isOfObjects(resource: string): boolean {
  return Object.hasOwn(OBJECTS, resource);
}

function isPruned(row: CallRow): boolean {
  return row.path[row.depth] === PRUNED;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
