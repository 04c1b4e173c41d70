import { INKS, paletteFor, type Palette, type Theme } from './colors';
import type { Head } from './data';
import { Describer } from './describe';
import { clipped } from './dom';
import { amount, percent } from './format';
import type { History } from './history';
import type { Model, Scene } from './model';
import { Pane, type Frame } from './pane';
import { frameOf, pathText } from './path';
import { search, TreeMatches, type Matches } from './search';
import type { Stage } from './stage';
import { fromHash, toHash, type State, type View } from './state';

/** What a session tells whoever shows it. */
export interface Watcher {
  /** Other frames exist than before. */
  rebuilt(): void;
  /** Anything else may have changed too. */
  changed(): void;
  /** Something happened that not everyone can see. */
  say(text: string): void;
}

/** What is decided around a graph and not in it. */
export interface Surroundings {
  /** The page says which resource is shown: the graph offers no other. */
  oneResource?: boolean;
  /** Packages that choose their colours first, in this order: graphs that share it agree on colours. */
  packages?: readonly string[];
}

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

/**
 * What is shown, and everything that changes it: the state with its history, and what follows from it
 * (frames, matches, colours) on the stage. It has no elements and knows none of the parts around the stage.
 */
export class Session {
  // Others read these; only this class writes them.
  state: State;
  scene!: Scene;
  palette!: Palette;
  describer!: Describer;
  matches: Matches | null = null;

  /** Which match was stepped to last; -1 if the focus has moved on since. */
  private matchAt = -1;
  private readonly defaults: State;

  constructor(
    private readonly model: Model,
    private readonly stage: Stage,
    private readonly history: History,
    public theme: Theme,
    private readonly watcher: Watcher,
    private readonly around: Surroundings,
  ) {
    this.state = this.defaults = defaultsFor(model.head);
  }

  /** Shows what the history holds, now and whenever that changes. */
  start(): void {
    this.apply(this.restored(this.history.current), true);
    this.history.listen((text) => this.apply(this.restored(text)));
  }

  /** What a link says, as far as it can be true of this graph. */
  private restored(text: string): State {
    const state = fromHash(text, this.defaults);
    if (this.around.oneResource) state.resource = this.defaults.resource;
    if (state.colour === 'change' && !this.model.head.compare) state.colour = this.defaults.colour;
    return state;
  }

  /** A step that "back" undoes, or a mere adjustment. */
  change(part: Partial<State>, step = false): void {
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
    if (first) this.forgetLostZoom();
    this.syncZoom(!rebuilt);
    this.watcher.changed();
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
    this.scene = this.model.scene(this.state);
    this.describer = new Describer(this.model, this.state, this.scene.selection);
    this.place();
    this.watcher.rebuilt();
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
    this.palette = this.paletteNow();
    this.setLook();
    this.stage.redraw();
  }

  private paletteNow(): Palette {
    const { colour } = this.state;
    return paletteFor(colour, this.model, this.scene.selection, this.theme, this.around.packages);
  }

  private setLook(): void {
    const { sums } = this.scene.selection;
    if (this.palette === undefined) {
      this.palette = this.paletteNow();
    }
    this.stage.look = {
      palette: this.palette,
      ink: INKS[this.theme],
      rowHeight: matchMedia('(pointer: coarse)').matches ? TOUCH_ROW : ROW,
      shares: sums.map((sum) => (sum > 0 ? 1 / sum : 0)),
    };
  }

  /** A link may come from another selection, where a frame was zoomed that is not here. */
  private forgetLostZoom(): void {
    const { pane, index } = this.zoomFrame();
    const depth = this.state.zoom === '' ? 0 : this.state.zoom.split('.').length;
    if (pane.tree.count > 0 && pane.depthOf(index) === depth) return;
    this.state = { ...this.state, zoom: '' };
    this.history.replace(toHash(this.state, this.defaults));
  }

  /** The frame that is zoomed, or the last above it that is there. */
  private zoomFrame(): Frame {
    const { zoom, lines } = this.state;
    const pane = this.stage.panes[zoom.startsWith('^') ? 1 : 0] ?? this.stage.panes[0];
    return { pane, index: frameOf(this.model, pane.tree, zoom.replace('^', ''), lines === 'keep') };
  }

  private syncZoom(animated: boolean): void {
    const { pane, index } = this.zoomFrame();
    const moved = pane.left !== pane.tree.x[index] || pane.span !== (pane.tree.width[index] || 1);
    if (moved || pane.zoomed !== index) this.stage.zoomTo({ pane, index }, animated);
    for (const other of this.stage.panes) if (other !== pane && other.zoomed !== 0) other.zoomed = 0;
  }

  zoom(frame: Frame): void {
    this.stage.focused = frame;
    this.matchAt = -1;
    this.watcher.say(`Zoomed to ${this.describer.describe(frame).sentence}`);
    this.change({ zoom: this.zoomText(frame) }, true);
  }

  private zoomText({ pane, index }: Frame): string {
    const path = pathText(this.model, pane.tree, index, this.state.lines === 'keep');
    return pane.firstDepth > 0 && path !== '' ? `^${path}` : path;
  }

  reset(): void {
    this.watcher.say('Zoom reset');
    this.change({ zoom: '' }, this.state.zoom !== '');
  }

  back(): void {
    this.history.back();
  }

  get canGoBack(): boolean {
    return this.history.canGoBack;
  }

  flip(): void {
    this.change({ root: this.state.root === 'top' ? 'bottom' : 'top' });
  }

  showView(view: View): void {
    if (view !== this.state.view) this.change({ view, zoom: '' }, true);
  }

  showSandwich(consumer: number): void {
    this.watcher.say(`Callers and callees of ${clipped(this.model.names[consumer], 160)}`);
    this.change({ view: 'sandwich', method: this.model.keyOf(consumer), zoom: '' }, true);
  }

  hide(frame: Frame): void {
    const key = this.model.keyOf(frame.pane.tree.consumer[frame.index]);
    if (!this.canHide(frame)) return;
    const hidden = [...this.state.hidden.split('.').filter(Boolean), key].join('.');
    this.change({ hidden }, true);
  }

  canHide({ pane, index }: Frame): boolean {
    return (
      this.model.typeOf(pane.tree.consumer[index]) !== 'r' && !(this.state.view === 'sandwich' && index === 0)
    );
  }

  /** The next match, the widest first; null if there is none. */
  stepMatch(direction: 1 | -1): Frame | null {
    const [main, callers] = this.stage.panes.map((pane) => ({ pane, matches: this.stage.matches.get(pane) }));
    const inMain = main?.matches?.count ?? 0;
    const count = this.matchCount();
    if (count === 0) return null;
    this.matchAt = (this.matchAt + direction + count + (this.matchAt < 0 && direction < 0 ? 1 : 0)) % count;
    const at = this.matchAt < inMain ? main : callers;
    const index = at.matches!.widestFirst()[this.matchAt < inMain ? this.matchAt : this.matchAt - inMain];
    return { pane: at.pane, index };
  }

  /** The focus goes elsewhere; the next step begins with the widest match again. */
  leaveMatches(): void {
    this.matchAt = -1;
  }

  /** Which of the matches the focus is on, in words; '' if it is on none. */
  matchStep(): string {
    return this.matchAt < 0 ? '' : `Match ${this.matchAt + 1} of ${this.matchCount()}: `;
  }

  private matchCount(): number {
    let count = 0;
    for (const found of this.stage.matches.values()) count += found.count;
    return count;
  }

  zoomed(): Frame | null {
    const pane = this.stage.panes.find((p) => p.zoomed !== 0) ?? this.stage.panes[0];
    return this.scene.main.width[0] > 0 ? { pane, index: pane.zoomed } : null;
  }

  matchText(): string {
    if (this.matches === null) return '';
    return `${this.matches.shares.map((part) => percent(part, 1)).join(' → ')} matched`;
  }

  threadText(): string {
    const all = this.model.head.threads.length;
    const chosen = this.model.chosenThreads(this.state);
    if (chosen === null) return `Threads: all ${all}`;
    const named = chosen.slice(1).reduce((sum, flag) => sum + flag, 0);
    return `Threads: ${named} of ${all}`;
  }

  summary(): string {
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

  useTheme(theme: Theme): void {
    this.theme = theme;
    this.colour();
    this.watcher.changed();
  }

  destroy(): void {
    this.history.destroy();
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
