import { clipped, el } from './dom';
import { amount, percent } from './format';
import type { MethodValues, Model, Selection } from './model';
import { patternOf } from './search';
import type { State } from './state';

const MOST_ROWS = 200;

/** All consumers by self or cum; choosing one shows its callers and callees. */
export class MethodPanel {
  readonly element = el('div', { class: 'hl-panel-body' });
  private readonly filter = el('input', {
    type: 'search',
    placeholder: 'Filter (regular expression)',
    'aria-label': 'Filter methods by regular expression',
    spellcheck: 'false',
    input: () => this.render(),
  });
  private readonly note = el('p', { class: 'hl-note', role: 'status' });
  private readonly list = el('div', { class: 'hl-list' });
  private readonly sorts: Record<'self' | 'cum', HTMLButtonElement>;
  private sortBy: 'self' | 'cum' = 'self';
  private values: MethodValues | null = null;
  private state: State | null = null;

  constructor(
    private readonly model: Model,
    private readonly open: (consumer: number) => void,
  ) {
    const sort = (by: 'self' | 'cum', text: string) =>
      el('button', { type: 'button', click: () => this.sort(by) }, text);
    this.sorts = { self: sort('self', 'Self'), cum: sort('cum', 'Total') };
    this.element.append(
      this.filter,
      el(
        'div',
        { class: 'hl-switch', role: 'group', 'aria-label': 'Sort by' },
        this.sorts.self,
        this.sorts.cum,
      ),
      this.note,
      this.list,
    );
  }

  sync(state: State, selection: Selection): void {
    this.values = this.model.methods(selection);
    this.state = state;
    this.render();
  }

  private sort(by: 'self' | 'cum'): void {
    this.sortBy = by;
    this.render();
  }

  private render(): void {
    for (const by of ['self', 'cum'] as const)
      this.sorts[by].setAttribute('aria-pressed', String(by === this.sortBy));
    if (this.values === null || this.state === null) return;
    const { sum, self, cum } = this.values;
    const values = this.values[this.sortBy];
    const pattern = patternOf(this.filter.value);
    const found: number[] = [];
    for (let c = 0; c < values.length; c++) {
      if (cum[c] > 0 && this.model.typeOf(c) !== 'r' && pattern.test(this.model.names[c])) found.push(c);
    }
    found.sort((a, b) => values[b] - values[a] || cum[b] - cum[a] || self[b] - self[a] || a - b);
    this.note.textContent = [
      pattern.regular ? '' : 'Not a regular expression: taken as plain text.',
      found.length > MOST_ROWS ? `First ${MOST_ROWS} of ${found.length}.` : '',
      found.length === 0 ? 'No such method.' : '',
    ].join(' ');
    this.list.replaceChildren(...found.slice(0, MOST_ROWS).map((c) => this.row(c, values[c], sum)));
  }

  private row(consumer: number, value: number, sum: number): HTMLElement {
    const resource = this.model.head.columns[this.model.shownColumns(this.state!).at(-1)!];
    const row = el(
      'button',
      {
        type: 'button',
        class: 'hl-row',
        title: `${clipped(this.model.names[consumer], 300)}\n${amount(value, resource)}`,
        'aria-pressed': String(
          this.state!.view === 'sandwich' && this.state!.method === this.model.keyOf(consumer),
        ),
        click: () => this.open(consumer),
      },
      el('span', { class: 'hl-row-name' }, clipped(this.model.short[consumer], 120)),
      el('span', { class: 'hl-row-share' }, percent(value, sum)),
    );
    row.style.setProperty('--share', `${((100 * value) / (sum || 1)).toFixed(2)}%`);
    return row;
  }
}
