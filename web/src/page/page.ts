import { el } from '../flame/dom';
import type { Theme } from '../flame/colors';
import { initialTheme, rememberTheme } from '../flame/theme';
import { Api, Unanswered, type Answer } from './api';
import { Route, VIEWS, type Change, type ViewName } from './route';
import { SelectionBar } from './selection';
import { compare } from './views/compare';
import { flame } from './views/flame';
import { locks } from './views/locks';
import { measure } from './views/measure';
import { method } from './views/method';
import { methods } from './views/methods';
import { overview } from './views/overview';
import { source } from './views/source';
import { tasks } from './views/tasks';
import { threads } from './views/threads';
import { timeline } from './views/timeline';
import { tree } from './views/tree';
import { trust } from './views/trust';

/** What a view needs of the page. */
export interface Context {
  readonly route: Route;
  readonly api: Api;
  /** Where it puts what it shows. */
  readonly main: HTMLElement;
  /** Where the page is now: what is still shown may be of an earlier selection. */
  here(): Route;
  /** Goes somewhere else; the way back is kept. */
  go(route: Route): void;
  /** Notes a change of this view in the address without drawing anything again. */
  note(change: Change): void;
  /** Does something; what goes wrong is shown in place of the view. */
  attempt(action: Promise<void>): void;
  /** Shows something in a place of the view when it comes, without keeping the rest waiting; then it is there. */
  later(place: HTMLElement, action: Promise<Node>): Promise<void>;
  /** Tells the selection bar what was really selected. */
  selected(answer: Answer): void;
  readonly theme: Theme;
  /** Called when the page is drawn in other colours. */
  onTheme(action: (theme: Theme) => void): void;
  /** Called when the page leaves the view. */
  onLeave(action: () => void): void;
}

type View = (context: Context) => Promise<void>;

const SHOWN: Record<ViewName, View> = {
  overview,
  flame,
  tree,
  methods,
  method,
  source,
  threads,
  locks,
  measure,
  timeline,
  compare,
  tasks,
  trust,
};

/** The frame around all views: navigation, selection, and what went wrong. */
export class Page {
  private readonly api = new Api();
  private readonly nav = el('nav', { 'aria-label': 'Views' });
  private readonly main = el('main', { id: 'main', tabindex: '-1' });
  private route = Route.of(location.search);
  private readonly bar = new SelectionBar(
    this.api,
    () => this.route,
    (route) => this.go(route),
  );

  /** Counts what was shown: what was asked for in an earlier turn comes too late. */
  private turn = 0;
  private leaving: (() => void)[] = [];

  /** Which of the view's sliders had the focus when it was drawn again, until that has it back; else -1. */
  private sought = -1;
  private themed: ((theme: Theme) => void)[] = [];

  constructor(private readonly root: HTMLElement) {
    const theme = el('button', { type: 'button', click: () => this.switchTheme() }, 'Light / dark');
    root.append(
      el(
        'a',
        { class: 'skip', href: '#main', click: (event: Event) => this.skip(event) },
        'Skip to the content',
      ),
      el('header', {}, el('a', { class: 'brand', href: '.' }, 'Heatline'), this.nav, theme),
      this.bar.element,
      this.main,
    );
    this.useTheme(initialTheme((chosen) => this.useTheme(chosen)));
    root.addEventListener('click', (event) => this.follow(event));
    addEventListener('popstate', () => {
      const next = Route.of(location.search);
      // The flame graph keeps steps of its own behind the #.
      if (next.address !== this.route.address) void this.show(next);
    });
  }

  start(): Promise<void> {
    return this.show(this.route);
  }

  private useTheme(theme: Theme): void {
    this.root.dataset.theme = theme;
    this.themed.forEach((action) => action(theme));
  }

  private switchTheme(): void {
    const theme = this.root.dataset.theme === 'dark' ? 'light' : 'dark';
    this.useTheme(theme);
    rememberTheme(theme);
  }

  /** Links of the page are followed without loading it again; with a modifier they are the browser's. */
  private follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target !== '') return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname !== location.pathname || url.hash !== '') return;
    event.preventDefault();
    this.go(Route.of(url.search));
  }

  private go(route: Route): void {
    // The flame graph keeps its zoom and search behind the #, and drops what the next one does not have.
    const graph = route.view === this.route.view ? location.hash : '';
    history.pushState(null, '', route.address + graph);
    void this.show(route);
  }

  /** What is behind the # belongs to the flame graph. */
  private skip(event: Event): void {
    event.preventDefault();
    this.main.focus();
  }

  private async show(route: Route): Promise<void> {
    const turn = ++this.turn;
    const moved = route.view !== this.route.view;
    this.route = route;
    this.leaving.forEach((action) => action());
    this.leaving = [];
    this.themed = [];
    this.api.begin();
    this.drawNavigation();
    document.title = `${route.app === '' ? '' : `${route.app} · `}${VIEWS[route.view]} · Heatline`;
    this.main.setAttribute('aria-busy', 'true');
    const fail = (error: unknown): void => {
      if (turn === this.turn) this.fail(error);
    };
    await Promise.all([this.bar.show(route), this.draw(route, turn, moved)]).catch(fail);
    if (turn !== this.turn) return;
    this.main.removeAttribute('aria-busy');
    // The link that led here is another one now.
    if (moved && document.activeElement === document.body) this.main.focus({ preventScroll: true });
  }

  private async draw(route: Route, turn: number, moved: boolean): Promise<void> {
    if (route.view !== 'overview' && route.app === '') {
      this.main.replaceChildren(el('p', {}, 'Choose an application.'));
      return;
    }
    const isShown = (): boolean => turn === this.turn;
    const main = el('div', { class: `view view-${route.view}` });
    await SHOWN[route.view]({
      route,
      api: this.api,
      main,
      here: () => this.route,
      go: (next) => this.go(next),
      note: (change) => {
        if (!isShown()) return;
        this.route = this.route.with(change);
        history.replaceState(history.state, '', this.route.address + location.hash);
      },
      attempt: (action) =>
        void action.catch((error: unknown) => {
          if (isShown()) this.fail(error);
        }),
      later: (place, action) => this.fill(place, action),
      selected: (answer) => {
        if (isShown()) this.bar.state(answer);
      },
      theme: this.root.dataset.theme as Theme,
      onTheme: (action) => this.themed.push(action),
      onLeave: (action) => this.leaving.push(action),
    });
    if (!isShown()) return;
    this.sought = moved ? -1 : this.sliders().findIndex((it) => it === document.activeElement);
    this.main.replaceChildren(main);
    this.refocus();
  }

  private sliders(): HTMLElement[] {
    return [...this.main.querySelectorAll<HTMLElement>('[role=slider]')];
  }

  /** Who picks by keys goes on where that was; a part of a view may come later than the rest. */
  private refocus(): void {
    const slider = this.sliders()[this.sought];
    if (slider === undefined || document.activeElement !== document.body) return;
    slider.focus({ preventScroll: true });
    this.sought = -1;
  }

  /** Shows a part of a view when it comes; what goes wrong with it harms no other. */
  private async fill(place: HTMLElement, action: Promise<Node>): Promise<void> {
    place.setAttribute('aria-busy', 'true');
    place.replaceChildren(el('p', { class: 'quiet' }, 'Asking the server …'));
    try {
      place.replaceChildren(await action);
    } catch (error) {
      place.replaceChildren(el('p', { class: 'quiet' }, messageOf(error)));
    }
    place.removeAttribute('aria-busy');
    this.refocus();
  }

  private drawNavigation(): void {
    const links = (Object.keys(VIEWS) as ViewName[])
      .filter((view) => (view !== 'method' && view !== 'source') || this.route.view === view)
      .filter((view) => view === 'overview' || this.route.app !== '')
      .map((view) =>
        el(
          'a',
          {
            href: (view === this.route.view ? this.route : this.route.to(view)).address,
            'aria-current': view === this.route.view ? 'page' : undefined,
          },
          VIEWS[view],
        ),
      );
    this.nav.replaceChildren(...links);
  }

  private fail(error: unknown): void {
    // What the page itself gave up is no failure.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    const again = el('button', { type: 'button', click: () => void this.show(this.route) }, 'Try again');
    const alert = el('div', { class: 'failed', role: 'alert' }, el('p', {}, messageOf(error)), again);
    if (error instanceof Unanswered && error.isRefused) alert.append(this.asking());
    this.main.replaceChildren(alert);
    alert.querySelector('input')?.focus();
  }

  /** Takes one token. A second one is asked for when the server has refused the first. */
  private asking(): HTMLFormElement {
    const token = el('input', { type: 'password', autocomplete: 'off', required: true });
    const use = el('button', { type: 'submit' }, 'Use it');
    return el(
      'form',
      {
        submit: (event: Event) => {
          event.preventDefault();
          token.disabled = use.disabled = true;
          this.api.useToken(token.value);
          void this.show(this.route);
        },
      },
      el('label', {}, 'Token ', token),
      use,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
