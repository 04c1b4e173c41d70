import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { Unanswered } from '../api';
import { rootOf, typedRoot, type Jvm, type Measurement } from '../measuring';
import type { Context } from '../page';
import { say } from '../redrawing';
import { TYPING_MILLIS } from '../table';
import { stretch } from '../words';
import type { MethodRow } from './methods';
import { escaped } from './threads';

const SECONDS = ['10', '30', '60', '300'];
const USUAL_SECONDS = '30';

/** That only the times of the methods themselves are wanted, as the address says it. */
export const REGION = 'region';

const CALLS = 'calls';

const WHATS = {
  [CALLS]: 'all calls below the methods',
  [REGION]: 'only the times of the methods themselves',
};

const TIMINGS = {
  exact: 'exact: every call',
  sampled: 'sampled: some calls, costs less',
};

const SUGGESTED = 20;

/** Fewer letters would match nearly everything. */
const FEWEST_LETTERS = 2;

const LONGEST_NAME = 120;

/** What of a selection has nothing to do with which methods there are. */
const BESIDE = ['thread', 'root', 'task', 'label', 'resource'];

/** Names are no prose. */
const PLAIN_TEXT = { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' };

/** Asks what to measure; all of it is in the address. */
export class MeasureForm {
  readonly element: HTMLFormElement;
  private readonly jvm: HTMLSelectElement;
  private readonly what: HTMLSelectElement;

  /** What can be said of calls only. */
  private readonly ofCalls: HTMLElement;
  private readonly roots: HTMLInputElement[] = [];
  private readonly rootFields = el('div', { class: 'roots', role: 'group', 'aria-label': 'Root methods' });
  private readonly suggestions = el('datalist', { id: 'measurable' });
  private readonly seconds: HTMLSelectElement;
  private readonly timing: HTMLSelectElement;
  private readonly alloc: HTMLInputElement;
  private readonly survival: HTMLInputElement;
  private readonly include: HTMLInputElement;
  private readonly failure = el('p', { role: 'alert' });
  private typing = 0;
  private isSending = false;

  /** Counts what was typed: suggestions for something else come too late. */
  private turn = 0;

  constructor(
    private readonly context: Context,
    jvms: readonly Jvm[],
    private readonly begun: (measurement: Measurement) => void,
  ) {
    const { route } = context;
    this.jvm = selectOf(jvmOptions(jvms, route.get('jvm')), route.get('jvm'));
    this.jvm.required = true;
    this.what = selectOf(Object.entries(WHATS), route.get('what') === REGION ? REGION : CALLS);
    const seconds = route.get('seconds');
    this.seconds = selectOf(
      SECONDS.map((it) => [it, stretch(1000 * Number(it))]),
      SECONDS.includes(seconds) ? seconds : USUAL_SECONDS,
    );
    this.timing = selectOf(Object.entries(TIMINGS), route.get('timing') === 'sampled' ? 'sampled' : 'exact');
    this.alloc = el('input', {
      type: 'checkbox',
      input: () => (this.survival.checked &&= this.alloc.checked),
    });
    this.survival = el('input', {
      type: 'checkbox',
      input: () => (this.alloc.checked ||= this.survival.checked),
    });
    this.survival.checked = route.get('survival') === 'true';
    this.alloc.checked = route.get('alloc') === 'true' || this.survival.checked;
    this.include = el('input', {
      type: 'text',
      value: route.get('include'),
      placeholder: 'java.util.*',
      ...PLAIN_TEXT,
    });
    const roots = route.all('measureRoot');
    for (const root of roots.length === 0 ? [''] : roots) this.addRoot(root);
    this.ofCalls = el(
      'div',
      { class: 'of-calls' },
      field('Timing', this.timing),
      field('Classes of the JDK, too', this.include),
      el('label', { class: 'ticked' }, this.alloc, ' Objects, too'),
      el('label', { class: 'ticked' }, this.survival, ' and which are still alive'),
    );
    this.element = this.form();
    this.showWhat();
  }

  private form(): HTMLFormElement {
    const another = (): void => this.addRoot('').focus();
    return el(
      'form',
      {
        class: 'measuring',
        input: () => {
          this.showWhat();
          this.noteSoon();
        },
        submit: (event: Event) => {
          event.preventDefault();
          this.context.attempt(this.begin());
        },
      },
      field('JVM', this.jvm),
      field('What', this.what),
      this.rootFields,
      el('button', { type: 'button', click: another }, 'Another root'),
      field('For how long', this.seconds),
      this.ofCalls,
      el('button', { type: 'submit' }, 'Measure'),
      this.suggestions,
      this.failure,
    );
  }

  private addRoot(value: string): HTMLInputElement {
    const number = this.roots.length + 1;
    const input = el('input', {
      type: 'text',
      value,
      list: this.suggestions.id,
      placeholder: 'com.shop.Checkout::process',
      // Further ones may stay empty.
      required: number === 1,
      ...PLAIN_TEXT,
      input: () => void this.suggest(input.value),
      change: () => {
        input.value = typedRoot(input.value);
        this.note();
      },
    });
    this.roots.push(input);
    this.rootFields.append(field(number === 1 ? 'Root method' : `Root method ${number}`, input));
    return input;
  }

  private get isOfRegions(): boolean {
    return this.what.value === REGION;
  }

  private showWhat(): void {
    this.ofCalls.hidden = this.isOfRegions;
  }

  private noteSoon(): void {
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.note(), TYPING_MILLIS);
  }

  private note(): void {
    clearTimeout(this.typing);
    const unless = (usual: string, value: string): string | null => (value === usual ? null : value);
    this.context.note({
      jvm: unless('', this.jvm.value),
      what: unless(CALLS, this.what.value),
      measureRoot: this.written(),
      seconds: unless(USUAL_SECONDS, this.seconds.value),
      timing: unless('exact', this.timing.value),
      alloc: this.alloc.checked ? 'true' : null,
      survival: this.survival.checked ? 'true' : null,
      include: unless('', this.include.value.trim()),
    });
  }

  /** The roots that are more than an empty field. */
  private written(): string[] {
    return this.roots.map((it) => it.value.trim()).filter((it) => it !== '');
  }

  /** Offers methods that were profiled, after a pause in typing. */
  private async suggest(typed: string): Promise<void> {
    const turn = ++this.turn;
    await new Promise((done) => setTimeout(done, TYPING_MILLIS));
    if (turn !== this.turn || typed.trim().length < FEWEST_LETTERS) return;
    const question = this.context.route.question();
    for (const name of BESIDE) question.delete(name);
    question.set('filter', filterOf(typed));
    question.set('limit', String(SUGGESTED));
    let found: { rows: MethodRow[] };
    try {
      found = await this.context.api.ask('methods', question);
    } catch {
      // Whoever knows the name does without; the rest of the page says what is wrong with the server.
      return;
    }
    if (turn !== this.turn) return;
    const roots = found.rows.map((row) => rootOf(row.consumer)).filter((it) => it !== '');
    this.suggestions.replaceChildren(...roots.map((value) => el('option', { value })));
  }

  private async begin(): Promise<void> {
    if (this.isSending) return;
    this.note();
    say(this.failure, '');
    const params = new URLSearchParams({
      jvm: this.jvm.value,
      seconds: this.seconds.value,
    });
    if (!this.isOfRegions) {
      params.set('timing', this.timing.value);
      params.set('alloc', String(this.alloc.checked));
      params.set('survival', String(this.survival.checked));
      for (const pattern of this.include.value.split(/[\s,]+/))
        if (pattern !== '') params.append('include', pattern);
    }
    for (const method of this.written())
      params.append(this.isOfRegions ? 'region' : 'root', typedRoot(method));
    this.isSending = true;
    try {
      this.begun(await this.context.api.change<Measurement>('POST', 'measurements', params));
    } catch (error) {
      if (!(error instanceof Unanswered) || error.isRefused) throw error;
      // What was written stays, to be mended.
      say(this.failure, neutralise(error.message));
    } finally {
      this.isSending = false;
    }
  }
}

/** A regular expression that finds the methods whose names contain what was typed as a root. */
export function filterOf(typed: string): string {
  return `(?i)${escaped(typed.trim().replace('::', '.'))}`;
}

type Options = readonly (readonly [value: string, text: string])[];

/** With the option that is wanted, or else the first. */
function selectOf(options: Options, wanted: string): HTMLSelectElement {
  const select = el('select', {}, ...options.map(([value, text]) => el('option', { value }, text)));
  select.value = wanted;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
  return select;
}

/** One is never chosen for somebody who has a choice: its code is changed. */
function jvmOptions(jvms: readonly Jvm[], chosen: string): Options {
  const options = jvms.map((it) => [it.jvm, jvmText(it)] as const);
  const isGone = chosen !== '' && jvms.every((it) => it.jvm !== chosen);
  if (isGone) return [['', 'that one is not followed any more'], ...options];
  return chosen === '' && jvms.length > 1 ? [['', `one of ${jvms.length}`], ...options] : options;
}

function jvmText({ instance, version, main, pid }: Jvm): string {
  const program = main.replace(/^.*\//, '');
  const parts = [instance, version === '' ? '(unknown version)' : version, program, `PID ${pid}`];
  return parts
    .filter((it) => it !== '')
    .map((it) => clipped(neutralise(it), LONGEST_NAME))
    .join(' · ');
}

function field(label: string, control: HTMLElement): HTMLElement {
  return el('label', { class: 'field' }, el('span', {}, label), control);
}
