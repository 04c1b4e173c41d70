import { Breadcrumb } from './breadcrumb';
import { INKS, paletteFor, type Palette, type Theme } from './colors';
import { Controls } from './controls';
import type { FlameData, Head } from './data';
import { Describer, type Description } from './describe';
import { clipped, el } from './dom';
import { amount, percent } from './format';
import { Help } from './help';
import { AddressHistory, OwnHistory, type History } from './history';
import { bindKeys, firstFrame } from './keyboard';
import { Legend } from './legend';
import { Menu } from './menu';
import { MethodPanel } from './methods';
import { Model, type Scene } from './model';
import { neutralise } from './names';
import { Pane, type Frame } from './pane';
import { frameOf, pathText } from './path';
import { PointerInput } from './pointer';
import { search, TreeMatches, type Matches } from './search';
import { Stage, type Bounds } from './stage';
import { fromHash, toHash, type State, type View } from './state';
import { initialTheme, rememberTheme } from './theme';
import { ThreadPanel } from './threads';
import { Tooltip } from './tooltip';

export interface Options {
  /** Keep the state in the page's address (default), or to itself. */
  address?: boolean;
}

/** A frame in sight, for pages that want to point at one. */
export interface FrameInSight extends Bounds {
  name: string;
  depth: number;
  /** Stored values, one per measure. */
  cum: number[];
  self: number[];
  matched: boolean;
  pane: 'main' | 'callers';
}

type PanelName = 'threads' | 'methods';

/** State that changes which frames exist or how wide they are. */
const SCENE_KEYS: readonly (keyof State)[] = [
  'view',
  'method',
  'threads',
  'hidden',
  'resource',
  'basis',
  'order',
  'lines',
];

const TOUCH_ROW = 26;
const ROW = 20;

/** The flame graph: keeps the state, and has every part show it. */
export class FlameGraph {
  readonly element = el('section', { class: 'hl-root', 'aria-label': 'Flame graph' });
  private readonly model: Model;
  private readonly stage: Stage;
  private readonly defaults: State;
  private readonly history: History;
  private readonly controls: Controls;
  private readonly breadcrumb: Breadcrumb;
  private readonly legend: Legend;
  private readonly tooltip = new Tooltip();
  private readonly menu = new Menu();
  private readonly help = new Help();
  private readonly threadPanel: ThreadPanel;
  private readonly methodPanel: MethodPanel;
  private readonly panel = el('aside', { class: 'hl-panel', hidden: true });
  private readonly status = el('div', { class: 'hl-status' });
  private readonly live = el('div', { class: 'hl-unseen', role: 'status', 'aria-live': 'polite' });
  private readonly item = el('div', { role: 'treeitem' });
  private readonly nothing = el('div', { class: 'hl-empty', hidden: true });

  private state: State;
  private theme: Theme;
  private scene!: Scene;
  private palette!: Palette;
  private describer!: Describer;
  private matches: Matches | null = null;
  private matchAt = -1;
  private openPanel: PanelName | null = null;
  private hint = '';
  private description: Description | null = null;

  constructor(head: Head, data: FlameData, options: Options = {}) {
    this.model = new Model(head, data);
    this.stage = new Stage(this.model);
    this.defaults = defaultsFor(head);
    this.history = options.address === false ? new OwnHistory() : new AddressHistory();
    this.theme = initialTheme((theme) => this.useTheme(theme));
    this.controls = new Controls(this.model, {
      change: (part) => this.change(part),
      view: (view) => this.showView(view),
      step: (direction) => this.stepMatch(direction),
      panel: (name) => this.togglePanel(name),
      showAll: () => this.change({ hidden: '' }),
      theme: () => this.switchTheme(),
      help: () => this.help.show(),
    });
    this.breadcrumb = new Breadcrumb(
      this.model,
      (frame) => this.zoom(frame),
      () => this.history.back(),
    );
    this.legend = new Legend((text) => this.change({ search: text }));
    this.threadPanel = new ThreadPanel(this.model, (threads) => this.change({ threads }));
    this.methodPanel = new MethodPanel(this.model, (consumer) => this.showSandwich(consumer));
    this.assemble();
    this.bind();
    this.state = this.defaults;
    this.apply(fromHash(this.history.current, this.defaults), true);
    this.history.listen((text) => this.apply(fromHash(text, this.defaults)));
  }

  /** The frames drawn now that are at least a pixel wide, row by row. */
  framesInSight(): FrameInSight[] {
    const found: FrameInSight[] = [];
    this.stage.panes.forEach((pane, at) => {
      for (let depth = pane.firstDepth; depth < pane.rows; depth++) {
        const end = pane.tree.levels[depth + 1];
        for (let i = pane.firstEndingAfter(pane.left, depth); i < end && found.length < 5000; i++) {
          if (pane.tree.x[i] >= pane.left + pane.span) break;
          const bounds = this.stage.boundsOf({ pane, index: i });
          if (bounds.width < 1 || bounds.y < 0 || bounds.y + bounds.height > this.stage.height) continue;
          found.push({
            ...bounds,
            name: this.model.names[pane.tree.consumer[i]],
            depth,
            cum: pane.tree.cum.map((values) => values[i]),
            self: pane.tree.self.map((values) => values[i]),
            matched: this.stage.matches.get(pane)?.has(i) ?? false,
            pane: at === 0 ? 'main' : 'callers',
          });
        }
      }
    });
    return found;
  }

  destroy(): void {
    this.history.destroy();
    this.stage.destroy();
    this.element.remove();
  }

  private assemble(): void {
    const { head } = this.model;
    const heading = el('div', { class: 'hl-heading' }, el('h1', {}, neutralise(head.title)));
    if (head.subtitle) heading.append(el('p', {}, neutralise(head.subtitle)));
    this.item.id = `hl-item-${Math.random().toString(36).slice(2)}`;
    this.stage.canvas.append(this.item);
    this.stage.canvas.setAttribute('aria-activedescendant', this.item.id);
    this.stage.canvas.setAttribute('aria-label', 'Flame graph. Arrows move between frames, Enter zooms.');
    this.element.append(
      el(
        'header',
        { class: 'hl-header' },
        heading,
        el('div', { class: 'hl-group' }, this.controls.themeButton, this.controls.helpButton),
      ),
      this.controls.element,
      this.breadcrumb.element,
      el(
        'div',
        { class: 'hl-body' },
        el('div', { class: 'hl-stage' }, this.stage.scroller, this.nothing),
        this.panel,
      ),
      el('footer', { class: 'hl-footer' }, this.status, this.legend.element),
      this.live,
      this.tooltip.element,
      this.menu.element,
      this.help.element,
    );
  }

  private bind(): void {
    // A graph that owns the address owns the page: its keys work before anything has the focus.
    const root = this.history instanceof AddressHistory ? document.documentElement : this.element;
    bindKeys(root, this.stage, {
      focus: (frame) => this.focus(frame),
      zoom: (frame) => this.zoom(frame),
      reset: () => this.reset(),
      back: () => this.history.back(),
      openMenu: (frame) => this.openMenuAt(frame),
      sandwich: (frame) => this.showSandwich(frame.pane.tree.consumer[frame.index]),
      hide: (frame) => this.hide(frame),
      flip: () => this.change({ root: this.state.root === 'top' ? 'bottom' : 'top' }),
      step: (direction) => this.stepMatch(direction),
      searchBox: () => this.controls.search.focus(),
      help: () => this.help.show(),
    });
    new PointerInput(this.stage, {
      hover: (frame, x, y) => this.hover(frame, x, y),
      zoom: (frame) => this.zoom(frame),
      reset: () => this.reset(),
      openMenu: (frame, x, y) => this.openMenu(frame, x, y),
      hint: (text) => {
        this.hint = text;
        this.syncStatus();
      },
    });
    this.stage.canvas.addEventListener('focus', () => {
      // A press of the pointer says itself what it is about.
      if (!this.stage.canvas.matches(':active')) this.refocus();
    });
  }

  /** While the canvas has the focus, some frame has it: keys must start somewhere, and be seen to. */
  private refocus(): void {
    const frame = firstFrame(this.stage);
    if (document.activeElement === this.stage.canvas && this.stage.focused === null && frame)
      this.focus(frame);
  }

  /** A step that "back" undoes, or a mere adjustment. */
  private change(part: Partial<State>, step = false): void {
    const next = { ...this.state, ...part };
    const text = toHash(next, this.defaults);
    if (step) this.history.push(text);
    else this.history.replace(text);
    this.apply(next);
  }

  private apply(next: State, first = false): void {
    const before = this.state;
    this.state = this.withMethod(next);
    const rebuilt = first || SCENE_KEYS.some((key) => before[key] !== this.state[key]);
    if (rebuilt) this.build();
    else if (before.root !== next.root) this.place();
    if (rebuilt || before.search !== next.search) this.find();
    if (rebuilt || before.colour !== next.colour) this.colour();
    this.syncZoom(!rebuilt);
    this.sync();
    this.refocus();
  }

  /** A sandwich needs a method: what the focus is on, or else what spent most itself. */
  private withMethod(state: State): State {
    if (state.view !== 'sandwich' || this.model.consumerOf(state.method) >= 0) return state;
    const { focused } = this.stage;
    const consumer = focused
      ? focused.pane.tree.consumer[focused.index]
      : heaviest(this.model.methods(this.model.select(state)).self);
    return { ...state, method: this.model.keyOf(consumer) };
  }

  private build(): void {
    this.tooltip.hide();
    this.scene = this.model.scene(this.state);
    this.describer = new Describer(this.model, this.state, this.scene.selection);
    this.place();
    const sum = this.scene.main.width[0];
    this.nothing.hidden = sum > 0;
    if (sum <= 0) this.sayNothing();
  }

  private place(): void {
    const panes = [new Pane(this.scene.main)];
    if (this.scene.callers) panes.push(new Pane(this.scene.callers, 1));
    this.setLook();
    this.stage.show(panes, this.state.root, this.state.lines === 'keep');
    this.showMatches();
  }

  private find(): void {
    this.matches = search(this.state.search, this.model.names, this.model.data, this.scene.selection);
    this.matchAt = -1;
    this.showMatches();
  }

  private showMatches(): void {
    this.stage.matches.clear();
    if (this.matches !== null) {
      for (const pane of this.stage.panes) {
        this.stage.matches.set(pane, new TreeMatches(pane.tree, this.matches.consumers));
      }
    }
    this.stage.redraw();
  }

  private colour(): void {
    this.palette = paletteFor(this.state.colour, this.model, this.scene.selection, this.theme);
    this.setLook();
    this.stage.redraw();
  }

  private setLook(): void {
    const { sums } = this.scene.selection;
    this.element.dataset.theme = this.theme;
    if (this.palette === undefined) {
      this.palette = paletteFor(this.state.colour, this.model, this.scene.selection, this.theme);
    }
    this.stage.look = {
      palette: this.palette,
      ink: INKS[this.theme],
      rowHeight: matchMedia('(pointer: coarse)').matches ? TOUCH_ROW : ROW,
      shares: sums.map((sum) => (sum > 0 ? 1 / sum : 0)),
    };
  }

  private syncZoom(animated: boolean): void {
    const { zoom } = this.state;
    const pane = this.stage.panes[zoom.startsWith('^') ? 1 : 0] ?? this.stage.panes[0];
    const index = frameOf(this.model, pane.tree, zoom.replace('^', ''), this.state.lines === 'keep');
    const moved = pane.left !== pane.tree.x[index] || pane.span !== (pane.tree.width[index] || 1);
    if (moved || pane.zoomed !== index) this.stage.zoomTo({ pane, index }, animated);
    for (const other of this.stage.panes) if (other !== pane && other.zoomed !== 0) other.zoomed = 0;
  }

  private sync(): void {
    this.controls.sync(this.state, {
      matches: this.matchText(),
      notice: this.matches?.regular === false ? 'Not a regular expression: searched as plain text.' : '',
      hidden: this.model.hiddenConsumers(this.state).length,
      threads: this.threadText(),
      panel: this.openPanel,
      theme: this.theme,
    });
    this.breadcrumb.sync(this.zoomed(), this.history.canGoBack);
    this.legend.sync(this.palette.legend, this.state.search);
    this.syncPanel();
    this.syncStatus();
  }

  private zoomed(): Frame | null {
    const pane = this.stage.panes.find((p) => p.zoomed !== 0) ?? this.stage.panes[0];
    return this.scene.main.width[0] > 0 ? { pane, index: pane.zoomed } : null;
  }

  private matchText(): string {
    if (this.matches === null) return '';
    return `${this.matches.shares.map((part) => percent(part, 1)).join(' → ')} matched`;
  }

  private matchCount(): number {
    let count = 0;
    for (const found of this.stage.matches.values()) count += found.count;
    return count;
  }

  private threadText(): string {
    const all = this.model.head.threads.length;
    const chosen = this.model.chosenThreads(this.state);
    if (chosen === null) return `Threads: all ${all}`;
    const named = chosen.slice(1).reduce((sum, flag) => sum + flag, 0);
    return `Threads: ${named} of ${all}`;
  }

  private syncStatus(): void {
    const frame = this.stage.hovered ?? this.stage.focused;
    const step =
      this.matchAt >= 0 && this.stage.hovered === null
        ? `Match ${this.matchAt + 1} of ${this.matchCount()}: `
        : '';
    this.status.textContent = frame
      ? step + this.describer.describe(frame).sentence
      : this.hint || this.summary();
  }

  private summary(): string {
    const { head } = this.model;
    const parts = this.model.shownColumns(this.state).map((column, m) => {
      const resource = head.columns[column];
      return `${resource.name} ${amount(this.scene.selection.sums[m], resource)}`;
    });
    // The method of a sandwich is the root of both trees.
    const count = this.scene.main.count + Math.max(0, (this.scene.callers?.count ?? 0) - 1);
    const text = [parts.join(' → '), `${count.toLocaleString('en')} frame${count === 1 ? '' : 's'}`];
    if (head.folded) text.push(`${head.folded.toLocaleString('en')} small ones folded away`);
    const least = Math.max(this.scene.main.least, this.scene.callers?.least ?? 0);
    if (least > 0) text.push(`callers below ${percent(least, this.scene.main.width[0])} not listed`);
    return text.join(' · ');
  }

  private sayNothing(): void {
    const whole = this.model.data.columns.every((rows) => rows.value.every((value) => value === 0));
    if (whole) {
      this.nothing.replaceChildren(
        el('strong', {}, 'No samples'),
        'This profile is empty: nothing was observed while it was recorded.',
      );
      return;
    }
    this.nothing.replaceChildren(
      el('strong', {}, 'Nothing was recorded for this selection'),
      'The chosen threads spent none of this resource.',
      el('button', { type: 'button', click: () => this.change({ threads: '' }) }, 'Show all threads'),
    );
  }

  private focus(frame: Frame, prefix = ''): void {
    if (prefix === '') this.matchAt = -1;
    this.stage.focused = frame;
    this.stage.revealWide(frame);
    this.tooltip.hide();
    const { pane, index } = frame;
    const { tree } = pane;
    const parent = tree.parent[index];
    const { sentence, origin } = this.describer.describe(frame);
    const text = prefix + [sentence, origin].filter(Boolean).join(', ');
    this.item.textContent = text;
    this.item.setAttribute('aria-level', String(pane.depthOf(index) + 1));
    this.item.setAttribute('aria-expanded', String(tree.childStart[index + 1] > tree.childStart[index]));
    this.item.setAttribute('aria-posinset', String(parent < 0 ? 1 : index - tree.childStart[parent] + 1));
    this.item.setAttribute(
      'aria-setsize',
      String(parent < 0 ? 1 : tree.childStart[parent + 1] - tree.childStart[parent]),
    );
    this.live.textContent = text;
    this.syncStatus();
  }

  private hover(frame: Frame | null, x: number, y: number): void {
    const { hovered } = this.stage;
    const same = hovered?.pane === frame?.pane && hovered?.index === frame?.index;
    if (!same) {
      this.stage.hovered = frame;
      this.hint = '';
      this.stage.redraw();
      this.syncStatus();
    }
    if (frame && !this.menu.open) {
      if (!same) this.description = this.describer.describe(frame);
      if (this.description) this.tooltip.show(this.description, x, y);
    } else {
      this.tooltip.hide();
    }
  }

  private zoom(frame: Frame): void {
    this.stage.focused = frame;
    this.matchAt = -1;
    this.live.textContent = `Zoomed to ${this.describer.describe(frame).sentence}`;
    this.change({ zoom: this.zoomText(frame) }, true);
  }

  private zoomText({ pane, index }: Frame): string {
    const path = pathText(this.model, pane.tree, index, this.state.lines === 'keep');
    return pane.firstDepth > 0 && path !== '' ? `^${path}` : path;
  }

  private reset(): void {
    this.live.textContent = 'Zoom reset';
    this.change({ zoom: '' }, this.state.zoom !== '');
  }

  private showView(view: View): void {
    if (view !== this.state.view) this.change({ view, zoom: '' }, true);
  }

  private showSandwich(consumer: number): void {
    this.live.textContent = `Callers and callees of ${clipped(this.model.names[consumer], 160)}`;
    this.change({ view: 'sandwich', method: this.model.keyOf(consumer), zoom: '' }, true);
  }

  private hide(frame: Frame): void {
    const key = this.model.keyOf(frame.pane.tree.consumer[frame.index]);
    if (!this.canHide(frame)) return;
    const hidden = [...this.state.hidden.split('.').filter(Boolean), key].join('.');
    this.change({ hidden }, true);
  }

  private canHide({ pane, index }: Frame): boolean {
    return (
      this.model.typeOf(pane.tree.consumer[index]) !== 'r' && !(this.state.view === 'sandwich' && index === 0)
    );
  }

  private openMenuAt(frame: Frame): void {
    const bounds = this.stage.boundsOf(frame);
    const canvas = this.stage.canvas.getBoundingClientRect();
    this.openMenu(frame, canvas.left + bounds.x + 12, canvas.top + bounds.y + bounds.height);
  }

  private openMenu(frame: Frame, x: number, y: number): void {
    this.tooltip.hide();
    this.stage.focused = frame;
    this.stage.redraw();
    const consumer = frame.pane.tree.consumer[frame.index];
    this.menu.show(
      [
        { label: 'Zoom here', run: () => this.zoom(frame) },
        {
          label: 'Callers and callees',
          run: () => this.showSandwich(consumer),
          disabled: this.model.typeOf(consumer) === 'r',
        },
        {
          label: 'Highlight this method',
          run: () => this.change({ search: exactly(this.model.names[consumer]) }),
        },
        { label: 'Copy name', run: () => void this.copy(this.model.head.consumers[consumer]) },
        { label: 'Hide this frame everywhere', run: () => this.hide(frame), disabled: !this.canHide(frame) },
        { label: 'Show all', run: () => this.change({ hidden: '' }), disabled: this.state.hidden === '' },
        { label: 'Reset zoom', run: () => this.reset(), disabled: this.state.zoom === '' },
      ],
      x,
      y,
      this.stage.canvas,
    );
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages opened from a file may not write to the clipboard directly; a selected field still can.
      const field = el('textarea', { class: 'hl-unseen' });
      field.value = text;
      this.element.append(field);
      field.select();
      document.execCommand('copy');
      field.remove();
      this.stage.canvas.focus({ preventScroll: true });
    }
    this.live.textContent = 'Name copied';
  }

  private stepMatch(direction: 1 | -1): void {
    const [main, callers] = this.stage.panes.map((pane) => ({ pane, matches: this.stage.matches.get(pane) }));
    const inMain = main?.matches?.count ?? 0;
    const inCallers = callers?.matches?.count ?? 0;
    const count = inMain + inCallers;
    if (count === 0) return;
    this.matchAt = (this.matchAt + direction + count + (this.matchAt < 0 && direction < 0 ? 1 : 0)) % count;
    const at = this.matchAt < inMain ? main : callers;
    const index = at.matches!.widestFirst()[this.matchAt < inMain ? this.matchAt : this.matchAt - inMain];
    this.focus({ pane: at.pane, index }, `Match ${this.matchAt + 1} of ${count}: `);
  }

  private togglePanel(name: PanelName): void {
    this.openPanel = this.openPanel === name ? null : name;
    this.panel.hidden = this.openPanel === null;
    if (this.openPanel !== null) {
      const title = name === 'threads' ? 'Threads' : 'Methods';
      const close = el(
        'button',
        { type: 'button', 'aria-label': 'Close', click: () => this.togglePanel(name) },
        '×',
      );
      const body = name === 'threads' ? this.threadPanel.element : this.methodPanel.element;
      this.panel.setAttribute('aria-label', title);
      this.panel.replaceChildren(el('div', { class: 'hl-panel-head' }, el('h2', {}, title), close), body);
    }
    this.sync();
    if (this.openPanel !== null) this.panel.querySelector('input')?.focus();
  }

  private syncPanel(): void {
    if (this.openPanel === 'threads') this.threadPanel.sync(this.state);
    if (this.openPanel === 'methods') this.methodPanel.sync(this.state, this.scene.selection);
  }

  private switchTheme(): void {
    const theme = this.theme === 'dark' ? 'light' : 'dark';
    rememberTheme(theme);
    this.useTheme(theme);
  }

  private useTheme(theme: Theme): void {
    this.theme = theme;
    this.colour();
    this.sync();
  }
}

function defaultsFor(head: Head): State {
  const column = head.columns[head.initialColumn ?? 0] ?? head.columns[0];
  return {
    view: 'top-down',
    method: '',
    zoom: '',
    search: '',
    threads: '',
    hidden: '',
    resource: column?.name ?? '',
    basis: 'both',
    colour: head.compare ? 'change' : 'package',
    root: 'top',
    order: 'value',
    lines: 'fold',
  };
}

function heaviest(values: Float64Array): number {
  let best = 0;
  for (let c = 1; c < values.length; c++) if (values[c] > values[best]) best = c;
  return best;
}

function exactly(name: string): string {
  return `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}
