import { nameKey } from '../flame/names';

/** The views of the page, in the order of its navigation; the first needs no application. */
export const VIEWS = {
  overview: 'Overview',
  flame: 'Flame graph',
  tree: 'Call tree',
  methods: 'Methods',
  threads: 'Threads',
  locks: 'Locks',
  measure: 'Measure',
  timeline: 'Timeline',
  compare: 'Compare',
  tasks: 'Tasks',
  trust: 'Trust',
  method: 'Method',
  source: 'Source',
} as const;

export type ViewName = keyof typeof VIEWS;

/** What says which part of all profiles is meant, the same in every view and for every question. */
export const SELECTION = [
  'app',
  'version',
  'instance',
  'label',
  'from',
  'until',
  'thread',
  'root',
  'task',
  'resource',
] as const;

/** What says what it is compared with. */
export const BASELINE = ['baseline', 'baselineFrom', 'baselineUntil'] as const;

/** Addresses hold only so much, and a name may stand in one several times. */
const LONGEST_NAME = 500;

/** How a name is asked for: whole, or how it begins and a key that the server finds it by. */
export function written(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, 60)}…${nameKey(name)}`;
}

export type Change = Record<string, string | string[] | null>;

/** Where the page is: everything it shows follows from this, and this is all in its address. */
export class Route {
  private constructor(
    readonly view: ViewName,
    private readonly params: URLSearchParams,
  ) {}

  static of(search: string): Route {
    const params = new URLSearchParams(search);
    const view = params.get('view') ?? '';
    params.delete('view');
    return new Route(Object.hasOwn(VIEWS, view) ? (view as ViewName) : 'overview', params);
  }

  get(name: string): string {
    return this.params.get(name) ?? '';
  }

  all(name: string): string[] {
    return this.params.getAll(name);
  }

  get app(): string {
    return this.get('app');
  }

  get hasBaseline(): boolean {
    return BASELINE.some((name) => this.params.has(name));
  }

  get hasRange(): boolean {
    return this.get('from') !== '' || this.get('until') !== '';
  }

  get hasBaselineRange(): boolean {
    return this.get('baselineFrom') !== '' || this.get('baselineUntil') !== '';
  }

  /** Another place with the same parameters but for these; null and empty lists take one away. */
  with(change: Change, view: ViewName = this.view): Route {
    const params = new URLSearchParams(this.params);
    for (const [name, value] of Object.entries(change)) {
      params.delete(name);
      for (const each of Array.isArray(value) ? value : value === null ? [] : [value])
        params.append(name, each);
    }
    return new Route(view, params);
  }

  /** The same selection in another view; what belongs to this view alone stays behind. */
  to(view: ViewName, change: Change = {}): Route {
    const kept = this.only([...SELECTION, ...BASELINE]);
    // Locks are about times of their own, which other views may not have.
    if (this.view === 'locks' && view !== 'locks') kept.delete('resource');
    return new Route(view, kept).with(change, view);
  }

  /** The parameters of a question about the selection. */
  question(...more: string[]): URLSearchParams {
    return this.only([...SELECTION, ...more]);
  }

  private only(names: readonly string[]): URLSearchParams {
    const kept = new URLSearchParams();
    for (const [name, value] of this.params) if (names.includes(name)) kept.append(name, value);
    return kept;
  }

  get address(): string {
    const params = new URLSearchParams(this.params);
    if (this.view !== 'overview') params.set('view', this.view);
    const text = params.toString();
    return text === '' ? '.' : `?${text}`;
  }
}
