import type { LegendEntry } from './colors';
import { clipped, el } from './dom';
import { percent } from './format';

/** What the colours mean; an entry that can be searched for is a button that does so. */
export class Legend {
  readonly element = el('ul', { class: 'hl-legend', 'aria-label': 'Legend' });

  constructor(private readonly search: (text: string) => void) {}

  sync(entries: LegendEntry[], searched: string): void {
    this.element.replaceChildren(
      ...entries.map((entry) => {
        const swatch = el('span', { class: 'hl-swatch' });
        swatch.style.background = entry.colour;
        const share = Number.isNaN(entry.share) ? '' : percent(entry.share, 1);
        const content = [swatch, clipped(entry.label, 60), el('small', {}, share)];
        const { search } = entry;
        if (search === undefined) return el('li', {}, ...content);
        const pressed = String(search === searched);
        const title = `Self of ${clipped(entry.label, 60)}: click to highlight`;
        const toggle = () => this.search(search === searched ? '' : search);
        return el(
          'li',
          {},
          el('button', { type: 'button', title, 'aria-pressed': pressed, click: toggle }, ...content),
        );
      }),
    );
  }
}
