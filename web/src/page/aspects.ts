import { el } from '../flame/dom';
import { ASPECTS, type Aspect } from './contentions';

/** So many pixels a pointer moves before it drags. */
const DRAGGED = 4;

/**
 * Aspects in an order that people choose: dragged to their place, or moved, taken away and added by
 * buttons and keys.
 */
export class AspectChips {
  private readonly used = el('ol', { class: 'chips', 'aria-label': 'Broken down by, in this order' });
  private readonly others = el('ul', { class: 'chips', 'aria-label': 'Not broken down by' });
  private readonly said = el('span', { class: 'hl-unseen', role: 'status' });
  readonly element = el(
    'section',
    { class: 'aspects', 'aria-label': 'Aspects' },
    el('span', {}, 'Broken down by'),
    this.used,
    el('span', {}, 'not by'),
    this.others,
    this.said,
  );

  constructor(
    private order: Aspect[],
    private readonly all: readonly Aspect[],
    private readonly changed: (order: Aspect[]) => void,
  ) {
    this.draw();
  }

  private draw(): void {
    this.used.replaceChildren(...this.order.map((aspect, at) => this.chip(aspect, at)));
    const others = this.all.filter((aspect) => !this.order.includes(aspect));
    this.others.replaceChildren(...others.map((aspect) => this.other(aspect)));
  }

  private chip(aspect: Aspect, at: number): HTMLLIElement {
    const name = ASPECTS[aspect];
    const button = (action: string, sign: string, off: boolean, click: () => void): HTMLElement =>
      el(
        'button',
        { type: 'button', 'aria-label': `${action} ${name}`, 'data-does': action, disabled: off, click },
        sign,
      );
    const chip = el(
      'li',
      {
        class: 'chip',
        'data-aspect': aspect,
        pointerdown: (event: PointerEvent) => this.drag(event, chip),
        keydown: (event: KeyboardEvent) => this.key(event, aspect),
      },
      button('Move left', '◂', at === 0, () => this.move(aspect, -1)),
      el('span', {}, name),
      button('Move right', '▸', at === this.order.length - 1, () => this.move(aspect, 1)),
      button('Remove', '×', this.order.length === 1, () => this.remove(aspect)),
    );
    return chip;
  }

  private other(aspect: Aspect): HTMLLIElement {
    const name = ASPECTS[aspect];
    const add = el(
      'button',
      { type: 'button', 'aria-label': `Add ${name}`, click: () => this.add(aspect) },
      `+ ${name}`,
    );
    const chip = el(
      'li',
      { class: 'chip', 'data-aspect': aspect, pointerdown: (event: PointerEvent) => this.drag(event, chip) },
      add,
    );
    return chip;
  }

  private key(event: KeyboardEvent, aspect: Aspect): void {
    if (event.key === 'ArrowLeft') this.move(aspect, -1);
    else if (event.key === 'ArrowRight') this.move(aspect, 1);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.remove(aspect);
    else return;
    event.preventDefault();
  }

  private move(aspect: Aspect, step: number): void {
    const at = this.order.indexOf(aspect);
    const to = Math.min(this.order.length - 1, Math.max(0, at + step));
    const order = this.order.filter((it) => it !== aspect);
    order.splice(to, 0, aspect);
    this.take(order);
    this.say(`${ASPECTS[aspect]} is number ${to + 1} of ${order.length}`);
    this.focus(aspect, step < 0 ? 'Move left' : 'Move right');
  }

  private remove(aspect: Aspect): void {
    if (this.order.length === 1) return;
    const at = this.order.indexOf(aspect);
    this.take(this.order.filter((it) => it !== aspect));
    this.say(`${ASPECTS[aspect]} is taken away`);
    this.focus(this.order[Math.min(at, this.order.length - 1)], 'Remove');
  }

  private add(aspect: Aspect): void {
    this.take([...this.order, aspect]);
    this.say(`${ASPECTS[aspect]} is number ${this.order.length} of ${this.order.length}`);
    this.focus(aspect, 'Move left');
  }

  private say(text: string): void {
    this.said.textContent = text;
  }

  /** The chip was drawn again: its button is another one now, and may be off at the end of the list. */
  private focus(aspect: Aspect, does: string): void {
    const buttons = [
      ...this.used.querySelectorAll<HTMLButtonElement>(`[data-aspect=${aspect}] button:enabled`),
    ];
    (buttons.find((it) => it.dataset.does === does) ?? buttons[0])?.focus();
  }

  private take(order: Aspect[]): void {
    const same = order.join() === this.order.join();
    this.order = order;
    this.draw();
    if (!same) this.changed(order);
  }

  private drag(down: PointerEvent, chip: HTMLElement): void {
    if (down.button !== 0) return;
    let moved = false;
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const end = (): void => {
      stop.abort();
      chip.classList.remove('dragged');
    };
    // The chip changes its place meanwhile, so that it cannot capture the pointer.
    addEventListener(
      'pointermove',
      (event) => {
        moved ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= DRAGGED;
        if (!moved) return;
        chip.classList.add('dragged');
        this.place(chip, event);
      },
      options,
    );
    addEventListener(
      'pointerup',
      () => {
        end();
        if (moved) this.drop();
      },
      options,
    );
    const giveUp = (): void => {
      end();
      this.draw();
    };
    addEventListener('pointercancel', giveUp, options);
    addEventListener('keydown', (event) => event.key === 'Escape' && giveUp(), options);
  }

  /** Puts a chip where the pointer is, if that is in one of the lists. */
  private place(chip: HTMLElement, { clientX, clientY }: PointerEvent): void {
    const list = [this.used, this.others].find((it) => {
      const box = it.getBoundingClientRect();
      return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
    });
    if (list === undefined) return;
    const next = [...list.children].find((it) => {
      const box = it.getBoundingClientRect();
      const isLater = clientY < box.top || (clientY <= box.bottom && clientX < box.left + box.width / 2);
      return it !== chip && isLater;
    });
    const stays = chip.parentElement === list && chip.nextElementSibling === (next ?? null);
    if (!stays) list.insertBefore(chip, next ?? null);
  }

  private drop(): void {
    const order = [...this.used.children].map((it) => (it as HTMLElement).dataset.aspect as Aspect);
    this.take(order.length > 0 ? order : this.order);
    this.say(`Broken down by ${this.order.map((it) => ASPECTS[it]).join(', ')}`);
  }
}
