import type { Description } from './describe';
import { el } from './dom';

/** Follows the pointer and stays inside the page; the same facts reach screen readers by the status line. */
export class Tooltip {
  readonly element = el('div', { class: 'hl-tooltip', 'aria-hidden': 'true', hidden: true });
  private shown: Description | null = null;

  show(description: Description, x: number, y: number): void {
    if (description !== this.shown) {
      this.shown = description;
      this.element.replaceChildren(...contentOf(description));
    }
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = x + 16 + width > innerWidth ? x - width - 12 : x + 16;
    const top = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
    this.element.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  hide(): void {
    this.element.hidden = true;
    this.shown = null;
  }
}

function contentOf(description: Description): HTMLElement[] {
  const [headings, ...rows] = description.table;
  const table = el('table');
  table.append(el('tr', {}, ...headings.map((text) => el('th', {}, text))));
  for (const [label, ...values] of rows) {
    table.append(
      el('tr', {}, el('th', { scope: 'row' }, label), ...values.map((text) => el('td', {}, text))),
    );
  }
  const content: HTMLElement[] = [el('div', { class: 'hl-name' }, description.name)];
  if (description.origin) content.push(el('div', { class: 'hl-origin' }, description.origin));
  content.push(table);
  if (description.note) content.push(el('div', { class: 'hl-origin' }, description.note));
  return content;
}
