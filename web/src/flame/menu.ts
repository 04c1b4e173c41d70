import { el } from './dom';

export interface MenuItem {
  label: string;
  run: () => void;
  disabled?: boolean;
}

/** A context menu that works the same by pointer and by keyboard, and gives the focus back. */
export class Menu {
  readonly element = el('div', { class: 'hl-menu', role: 'menu', hidden: true, 'aria-label': 'Frame' });
  private returnTo: HTMLElement | null = null;

  constructor() {
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.close(false);
    });
    this.element.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  get open(): boolean {
    return !this.element.hidden;
  }

  show(items: MenuItem[], x: number, y: number, returnTo: HTMLElement): void {
    this.returnTo = returnTo;
    this.element.replaceChildren(
      ...items.map((item) =>
        el(
          'button',
          {
            type: 'button',
            role: 'menuitem',
            tabindex: '-1',
            disabled: item.disabled === true,
            click: () => {
              this.close(true);
              item.run();
            },
          },
          item.label,
        ),
      ),
    );
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(4, Math.min(x, innerWidth - width - 4));
    const top = Math.max(4, Math.min(y, innerHeight - height - 4));
    this.element.style.transform = `translate(${left}px, ${top}px)`;
    this.enabled()[0]?.focus();
  }

  close(restoreFocus: boolean): void {
    if (!this.open) return;
    this.element.hidden = true;
    if (restoreFocus) this.returnTo?.focus({ preventScroll: true });
  }

  private enabled(): HTMLButtonElement[] {
    return [...this.element.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  }

  private onKey(event: KeyboardEvent): void {
    const buttons = this.enabled();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, number> = {
      ArrowDown: (at + 1) % buttons.length,
      ArrowUp: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    };
    if (event.key in moves) buttons[moves[event.key]].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
