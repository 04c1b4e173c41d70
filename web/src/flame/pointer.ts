import type { Frame, Pane } from './pane';
import type { Stage } from './stage';

export interface PointerActions {
  hover(frame: Frame | null, x: number, y: number): void;
  zoom(frame: Frame): void;
  reset(): void;
  openMenu(frame: Frame, x: number, y: number): void;
  hint(text: string): void;
}

const CLICK_SLACK = 4;
const WHEEL_STEP = 0.0022;

/** Mouse, pen and fingers on the canvas. Depth scrolls natively; everything else is handled here. */
export class PointerInput {
  private readonly down = new Map<number, { x: number; y: number }>();
  private moved = 0;
  private pinch: { pane: Pane; distance: number } | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly actions: PointerActions,
  ) {
    const { canvas } = stage;
    canvas.addEventListener('pointerdown', (event) => this.onDown(event));
    canvas.addEventListener('pointermove', (event) => this.onMove(event));
    canvas.addEventListener('pointerup', (event) => this.onUp(event));
    canvas.addEventListener('pointercancel', (event) => this.onUp(event));
    canvas.addEventListener('pointerleave', () => actions.hover(null, 0, 0));
    canvas.addEventListener('click', (event) => this.onClick(event));
    canvas.addEventListener('dblclick', () => actions.reset());
    canvas.addEventListener('contextmenu', (event) => this.onMenu(event));
    canvas.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = 0;
    if (this.down.size === 2) {
      const pane = this.stage.paneAt(event.offsetY);
      if (pane) this.pinch = { pane, distance: this.spread().distance };
    }
  }

  private onMove(event: PointerEvent): void {
    const last = this.down.get(event.pointerId);
    if (last === undefined) {
      if (event.pointerType !== 'touch') {
        this.actions.hover(this.stage.frameAt(event.offsetX, event.offsetY), event.clientX, event.clientY);
      }
      return;
    }
    const dx = event.offsetX - last.x;
    const dy = event.offsetY - last.y;
    if (this.pinch === null && this.moved === 0 && Math.hypot(dx, dy) < CLICK_SLACK) return;
    if (this.moved === 0) this.stage.canvas.setPointerCapture(event.pointerId);
    this.moved += Math.hypot(dx, dy);
    this.actions.hover(null, 0, 0);
    this.down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.pinch !== null) {
      const { distance, centre } = this.spread();
      this.stage.scale(this.pinch.pane, centre, this.pinch.distance / Math.max(1, distance));
      this.pinch.distance = distance;
      return;
    }
    const pane = this.stage.paneAt(event.offsetY);
    if (pane) this.stage.pan(pane, -dx);
    if (event.pointerType !== 'touch') this.stage.scroller.scrollTop -= dy;
  }

  private onUp(event: PointerEvent): void {
    this.down.delete(event.pointerId);
    if (this.down.size < 2) this.pinch = null;
  }

  private onClick(event: MouseEvent): void {
    // The end of a drag is no click, and the second click of a double click resets.
    if (this.moved > 0 || event.detail > 1) return;
    const frame = this.stage.frameAt(event.offsetX, event.offsetY);
    if (frame) this.actions.zoom(frame);
  }

  private onMenu(event: MouseEvent): void {
    const frame = this.stage.frameAt(event.offsetX, event.offsetY);
    if (frame === null) return;
    event.preventDefault();
    this.down.clear();
    this.actions.openMenu(frame, event.clientX, event.clientY);
  }

  private onWheel(event: WheelEvent): void {
    const pane = this.stage.paneAt(event.offsetY);
    if (pane === null) return;
    // Wheels report lines, trackpads pixels.
    const unit = event.deltaMode === 1 ? 20 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const step = Math.max(-120, Math.min(120, event.deltaY * unit));
      // A pinch on a trackpad arrives as a wheel with Ctrl and small steps.
      this.stage.scale(pane, event.offsetX, Math.exp(step * WHEEL_STEP * (Math.abs(step) < 30 ? 4 : 1)));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.stage.pan(pane, (event.deltaX || event.deltaY) * unit);
    } else if (this.stage.scroller.scrollHeight <= this.stage.scroller.clientHeight) {
      this.actions.hint('Hold Ctrl or ⌘ and turn the wheel to zoom.');
    }
    this.actions.hover(null, 0, 0);
  }

  private spread(): { distance: number; centre: number } {
    const [a, b] = [...this.down.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), centre: (a.x + b.x) / 2 };
  }
}
