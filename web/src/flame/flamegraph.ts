import { Breadcrumb } from './breadcrumb';
import { Controls } from './controls';
import type { FlameData, Head } from './data';
import type { Description } from './describe';
import { el } from './dom';
import { Help } from './help';
import { AddressHistory, OwnHistory, type Kept } from './history';
import { bindKeys, firstFrame } from './keyboard';
import { Legend } from './legend';
import { Menu } from './menu';
import { MethodPanel } from './methods';
import { Model } from './model';
import { neutralise } from './names';
import type { Frame } from './pane';
import { PointerInput } from './pointer';
import { Session, type Surroundings } from './session';
import { Stage, type Bounds } from './stage';
import type { Theme } from './colors';
import { initialTheme, rememberTheme } from './theme';
import { ThreadPanel } from './threads';
import { Tooltip } from './tooltip';

export interface Options extends Surroundings {
  /** What it is called where there are several on a page. */
  label?: string;
  /** Keep the state in the page's address (default), or to itself. */
  address?: boolean;
  /** Where to keep the state instead. */
  kept?: Kept;
  /** More that can be done with the method of a frame. */
  actions?: readonly Action[];
  /** What the page around it is drawn in; without, the graph has the page to itself. */
  theme?: Theme;
}

export interface Action {
  label: string;
  run(method: string): void;
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

/** The flame graph: puts its parts together, and has them show what the session says. */
export class FlameGraph {
  readonly element = el('section', { class: 'hl-root' });
  private readonly model: Model;
  private readonly stage: Stage;
  private readonly session: Session;
  private readonly controls: Controls;
  private readonly breadcrumb: Breadcrumb;
  private readonly legend: Legend;
  private readonly tooltip = new Tooltip();
  private readonly menu = new Menu();
  private readonly help = new Help();
  private readonly threadPanel: ThreadPanel;
  private readonly methodPanel: MethodPanel;
  private readonly panel = el('aside', { class: 'hl-panel', hidden: true });
  private readonly subtitle = el('p');
  private readonly status = el('div', { class: 'hl-status' });
  private readonly live = el('div', { class: 'hl-unseen', role: 'status', 'aria-live': 'polite' });
  private readonly item = el('div', { role: 'treeitem' }, 'No frame is chosen');
  private readonly nothing = el('div', { class: 'hl-empty', hidden: true });

  private openPanel: PanelName | null = null;
  private hint = '';
  private description: Description | null = null;

  constructor(
    head: Head,
    data: FlameData,
    private readonly options: Options = {},
  ) {
    const label = options.label ?? 'Flame graph';
    this.element.setAttribute('aria-label', label);
    const ownsAddress = options.address !== false && options.kept === undefined;
    this.model = new Model(head, data);
    this.stage = new Stage(this.model);
    const session = (this.session = new Session(
      this.model,
      this.stage,
      ownsAddress
        ? new AddressHistory()
        : new OwnHistory(options.kept ?? { text: '', changed: () => undefined }),
      options.theme ?? initialTheme((theme) => session.useTheme(theme)),
      {
        rebuilt: () => this.onRebuilt(),
        changed: () => {
          this.sync();
          this.refocus();
        },
        say: (text) => this.say(text),
      },
      options,
    ));
    this.controls = new Controls(this.model, label, options.oneResource === true, {
      change: (part) => session.change(part),
      view: (view) => session.showView(view),
      step: (direction) => this.stepMatch(direction),
      panel: (name) => this.togglePanel(name),
      showAll: () => session.change({ hidden: '' }),
      theme: () => this.switchTheme(),
      help: () => this.help.show(),
    });
    this.breadcrumb = new Breadcrumb(
      this.model,
      label,
      (frame) => session.zoom(frame),
      () => session.back(),
    );
    this.legend = new Legend((text) => session.change({ search: text }));
    this.threadPanel = new ThreadPanel(this.model, (threads) => session.change({ threads }));
    this.methodPanel = new MethodPanel(this.model, (consumer) => session.showSandwich(consumer));
    this.assemble();
    this.bind(ownsAddress && !this.isWithinPage);
    session.start();
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

  useTheme(theme: Theme): void {
    this.session.useTheme(theme);
  }

  destroy(): void {
    this.session.destroy();
    this.stage.destroy();
    this.element.remove();
  }

  private get isWithinPage(): boolean {
    return this.options.theme !== undefined;
  }

  private assemble(): void {
    const { head } = this.model;
    const heading = el('div', { class: 'hl-heading' }, el('h1', {}, neutralise(head.title)), this.subtitle);
    this.item.id = `hl-item-${Math.random().toString(36).slice(2)}`;
    this.stage.canvas.append(this.item);
    this.stage.canvas.setAttribute('aria-activedescendant', this.item.id);
    this.stage.canvas.setAttribute('aria-label', 'Flame graph. Arrows move between frames, Enter zooms.');
    this.element.append(
      el(
        'header',
        { class: 'hl-header', hidden: this.isWithinPage },
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
    // Where the page has a head of its own, there is none of the graph.
    if (this.isWithinPage) this.breadcrumb.element.append(this.controls.helpButton);
  }

  private bind(ownsPage: boolean): void {
    const { session } = this;
    // On a page of its own its keys work before anything has the focus.
    bindKeys(ownsPage ? document.documentElement : this.element, this.stage, {
      focus: (frame) => this.focus(frame),
      zoom: (frame) => session.zoom(frame),
      reset: () => session.reset(),
      back: () => session.back(),
      openMenu: (frame) => this.openMenuAt(frame),
      sandwich: (frame) => session.showSandwich(frame.pane.tree.consumer[frame.index]),
      hide: (frame) => session.hide(frame),
      flip: () => session.flip(),
      step: (direction) => this.stepMatch(direction),
      searchBox: () => this.controls.search.focus(),
      help: () => this.help.show(),
    });
    new PointerInput(this.stage, {
      hover: (frame, x, y) => this.hover(frame, x, y),
      zoom: (frame) => session.zoom(frame),
      reset: () => session.reset(),
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

  private onRebuilt(): void {
    this.tooltip.hide();
    const sum = this.session.scene.main.width[0];
    this.nothing.hidden = sum > 0;
    if (sum <= 0) this.sayNothing();
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
      el('button', { type: 'button', click: () => this.session.change({ threads: '' }) }, 'Show all threads'),
    );
  }

  private say(text: string): void {
    this.live.textContent = text;
  }

  private sync(): void {
    const { session, model } = this;
    this.element.dataset.theme = session.theme;
    this.syncSubtitle();
    this.controls.sync(session.state, {
      matches: session.matchText(),
      notice: session.matches?.regular === false ? 'Not a regular expression: searched as plain text.' : '',
      hidden: model.hiddenConsumers(session.state).length,
      threads: session.threadText(),
      panel: this.openPanel,
      theme: session.theme,
    });
    this.breadcrumb.sync(session.zoomed(), session.canGoBack);
    this.legend.sync(session.palette.legend, session.state.search);
    this.syncPanel();
    this.syncStatus();
  }

  private syncSubtitle(): void {
    const { head } = this.model;
    const shown = head.columns[this.model.column(this.session.state)];
    const text = shown?.subtitle ?? head.subtitle ?? '';
    this.subtitle.textContent = neutralise(text);
    this.subtitle.hidden = text === '';
  }

  private syncStatus(): void {
    const { session, stage } = this;
    const frame = stage.hovered ?? stage.focused;
    const step = stage.hovered === null ? session.matchStep() : '';
    this.status.textContent = frame
      ? step + session.describer.describe(frame).sentence
      : this.hint || session.summary();
  }

  private syncPanel(): void {
    if (this.openPanel === 'threads') this.threadPanel.sync(this.session.state);
    if (this.openPanel === 'methods') this.methodPanel.sync(this.session.state, this.session.scene.selection);
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

  private focus(frame: Frame): void {
    this.session.leaveMatches();
    this.show(frame);
  }

  private stepMatch(direction: 1 | -1): void {
    const frame = this.session.stepMatch(direction);
    if (frame) this.show(frame);
  }

  /** Gives a frame the focus, with all that says so. */
  private show(frame: Frame): void {
    this.stage.focused = frame;
    this.stage.revealWide(frame);
    this.tooltip.hide();
    const { pane, index } = frame;
    const { tree } = pane;
    const parent = tree.parent[index];
    const { sentence, origin } = this.session.describer.describe(frame);
    const text = this.session.matchStep() + [sentence, origin].filter(Boolean).join(', ');
    this.item.textContent = text;
    this.item.setAttribute('aria-level', String(pane.depthOf(index) + 1));
    this.item.setAttribute('aria-expanded', String(tree.childStart[index + 1] > tree.childStart[index]));
    this.item.setAttribute('aria-posinset', String(parent < 0 ? 1 : index - tree.childStart[parent] + 1));
    this.item.setAttribute(
      'aria-setsize',
      String(parent < 0 ? 1 : tree.childStart[parent + 1] - tree.childStart[parent]),
    );
    this.say(text);
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
      if (!same) this.description = this.session.describer.describe(frame);
      if (this.description) this.tooltip.show(this.description, x, y);
    } else {
      this.tooltip.hide();
    }
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
        { label: 'Zoom here', run: () => this.session.zoom(frame) },
        {
          label: 'Callers and callees',
          run: () => this.session.showSandwich(consumer),
          disabled: this.model.typeOf(consumer) === 'r',
        },
        {
          label: 'Highlight this method',
          run: () => this.session.change({ search: exactly(this.model.names[consumer]) }),
        },
        ...(this.options.actions ?? []).map((action) => ({
          label: action.label,
          run: () => action.run(this.model.head.consumers[consumer]),
          disabled: !'mn'.includes(this.model.typeOf(consumer)),
        })),
        { label: 'Copy name', run: () => void this.copy(this.model.head.consumers[consumer]) },
        {
          label: 'Hide this frame everywhere',
          run: () => this.session.hide(frame),
          disabled: !this.session.canHide(frame),
        },
        {
          label: 'Show all',
          run: () => this.session.change({ hidden: '' }),
          disabled: this.session.state.hidden === '',
        },
        { label: 'Reset zoom', run: () => this.session.reset(), disabled: this.session.state.zoom === '' },
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
    this.say('Name copied');
  }

  private switchTheme(): void {
    const theme = this.session.theme === 'dark' ? 'light' : 'dark';
    rememberTheme(theme);
    this.session.useTheme(theme);
  }
}

function exactly(name: string): string {
  return `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}
