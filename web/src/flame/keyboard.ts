import type { Frame } from './pane';
import type { Stage } from './stage';

/** What keys can ask of a graph. */
export interface KeyActions {
  focus(frame: Frame): void;
  zoom(frame: Frame): void;
  reset(): void;
  back(): void;
  openMenu(frame: Frame): void;
  sandwich(frame: Frame): void;
  hide(frame: Frame): void;
  flip(): void;
  step(direction: 1 | -1): void;
  searchBox(): void;
  help(): void;
}

/**
 * Letters work only while the canvas has the focus, so that they never take a key from speech control or
 * from a text field; `/` and `?` work wherever no text is being written.
 */
export function bindKeys(root: HTMLElement, stage: Stage, actions: KeyActions): void {
  stage.canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (onCanvasKey(event, stage, actions)) event.preventDefault();
  });
  root.addEventListener('keydown', (event) => {
    const writing = (event.target as HTMLElement).matches('input, select, textarea');
    if (
      !stage.canvas.isConnected ||
      writing ||
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    if (event.key === '/') actions.searchBox();
    else if (event.key === '?') actions.help();
    else return;
    event.preventDefault();
  });
}

function onCanvasKey(event: KeyboardEvent, stage: Stage, actions: KeyActions): boolean {
  const frame = stage.focused ?? firstFrame(stage);
  if (frame === null) return false;
  const centre = stage.width / 2;
  switch (event.key) {
    case 'ArrowUp':
    case 'ArrowDown':
    case 'ArrowLeft':
    case 'ArrowRight':
    case 'Home':
    case 'End':
      actions.focus(stage.focused === null ? frame : neighbour(stage, frame, event.key));
      return true;
    case 'Enter':
    case ' ':
      actions.zoom(frame);
      return true;
    case 'Escape':
      actions.reset();
      return true;
    case 'Backspace':
      actions.back();
      return true;
    case '+':
    case '=':
      stage.scale(frame.pane, centre, 1 / 1.4);
      return true;
    case '-':
      stage.scale(frame.pane, centre, 1.4);
      return true;
    case 'a':
      stage.pan(frame.pane, -stage.width / 8);
      return true;
    case 'd':
      stage.pan(frame.pane, stage.width / 8);
      return true;
    case 'n':
      actions.step(1);
      return true;
    case 'p':
    case 'N':
      actions.step(-1);
      return true;
    case 'm':
    case 'ContextMenu':
      actions.openMenu(frame);
      return true;
    case 'F10':
      if (event.shiftKey) actions.openMenu(frame);
      return event.shiftKey;
    case 's':
      actions.sandwich(frame);
      return true;
    case 'h':
      actions.hide(frame);
      return true;
    case 'i':
      actions.flip();
      return true;
    default:
      return false;
  }
}

export function firstFrame(stage: Stage): Frame | null {
  const zoomed = stage.panes.find((pane) => pane.zoomed !== 0) ?? stage.panes[0];
  return zoomed && zoomed.tree.count > 0 ? { pane: zoomed, index: zoomed.zoomed } : null;
}

function neighbour(stage: Stage, frame: Frame, key: string): Frame {
  const { pane, index } = frame;
  const { tree } = pane;
  const at = (to: number): Frame => ({ pane, index: to });
  const parent = tree.parent[index];
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const deeper = (key === 'ArrowDown') === (pane.direction === 1);
    if (deeper) return at(widestChild(frame));
    if (parent > 0 || (parent === 0 && pane.firstDepth === 0)) return at(parent);
    // Between the panes of a sandwich: the method in the middle belongs to the callees.
    const [main, callers] = stage.panes;
    if (pane === callers) return { pane: main, index: 0 };
    if (callers && callers.rows > 1)
      return { pane: callers, index: widestChild({ pane: callers, index: 0 }) };
    return frame;
  }
  if (key === 'Home' || key === 'End') {
    if (parent < 0) return frame;
    return at(key === 'Home' ? tree.childStart[parent] : tree.childStart[parent + 1] - 1);
  }
  const depth = pane.depthOf(index);
  const to = index + (key === 'ArrowRight' ? 1 : -1);
  return to >= tree.levels[depth] && to < tree.levels[depth + 1] ? at(to) : frame;
}

function widestChild({ pane, index }: Frame): number {
  const { childStart, width } = pane.tree;
  let widest = index;
  for (let c = childStart[index]; c < childStart[index + 1]; c++) {
    if (widest === index || width[c] > width[widest]) widest = c;
  }
  return widest;
}
