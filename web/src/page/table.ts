import { el } from '../flame/dom';
import { neutralise } from '../flame/names';
import { arrange, become, say } from './redrawing';

export interface Column<R> {
  key: string;
  title: string;
  /** What is sorted, filtered and exported. */
  value(row: R): string | number;
  /** What is seen, if that is more. */
  show?(row: R): Node | string;
  /** It is something to do with a row, not something to know of it. */
  action?: boolean;
  /** Explains the title. */
  hint?: string;
}

export interface TableState {
  sort: string;
  filter: string;
}

export interface TableOptions<R = never> {
  /** `key` or `-key` for the largest first, and a text that rows must contain. */
  state: TableState;
  changed(state: TableState): void;
  /** A name for files. */
  file: string;
  /** What to say when there is nothing. */
  empty: string;
  /** The class of a row that is to be seen. */
  mark?(row: R): string | undefined;
  /** Whether a row is there only to be seen, and does not go home. */
  isExtra?(row: R): boolean;
  /** Tells rows apart where they come again and again: those that are the same are not drawn anew. */
  key?(row: R): string;
}

/** More rows take a browser long to lay out, and nobody reads them. */
const MOST_ROWS = 5000;

/** Nobody types faster than this and wants to see what comes of every letter. */
export const TYPING_MILLIS = 150;

/** A table that can be sorted, filtered and taken home. */
export class Table<R> {
  readonly element = el('section', { class: 'table' });
  private readonly body = el('tbody');
  private readonly scroll: HTMLElement;
  private drawn = new Map<string, HTMLTableRowElement>();
  private readonly count = el('span', { class: 'quiet', role: 'status' });
  private typing = 0;
  private readonly heads = new Map<string, HTMLTableCellElement>();

  constructor(
    caption: string,
    private readonly columns: readonly Column<R>[],
    private rows: readonly R[],
    private readonly options: TableOptions<R>,
  ) {
    const filter = el('input', {
      type: 'search',
      value: options.state.filter,
      'aria-label': `Filter ${caption}`,
      placeholder: 'Filter',
      input: () => {
        clearTimeout(this.typing);
        this.typing = window.setTimeout(() => {
          options.state.filter = filter.value;
          this.changed();
        }, TYPING_MILLIS);
      },
    });
    const tools = el(
      'div',
      { class: 'tools' },
      filter,
      this.count,
      el('button', { type: 'button', click: () => this.save('csv') }, 'CSV'),
      el('button', { type: 'button', click: () => this.save('json') }, 'JSON'),
    );
    const head = el('tr');
    for (const column of columns) head.append(this.head(column));
    this.scroll = el(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
      el('table', {}, el('caption', { class: 'hl-unseen' }, caption), el('thead', {}, head), this.body),
    );
    this.element.append(tools, this.scroll);
    this.fill();
  }

  /** Shows other rows in the same order, behind the same filter. */
  update(rows: readonly R[]): void {
    this.rows = rows;
    this.fill();
  }

  private head(column: Column<R>): HTMLTableCellElement {
    if (column.action) return el('th', { scope: 'col' }, column.title);
    const button = el(
      'button',
      { type: 'button', title: column.hint, click: () => this.sortBy(column) },
      column.title,
    );
    const cell = el('th', { scope: 'col' }, button);
    this.heads.set(column.key, cell);
    return cell;
  }

  private isNumeric(column: Column<R>): boolean {
    return this.rows.length > 0 && typeof column.value(this.rows[0]) === 'number';
  }

  /** Numbers begin with the largest, names with the first; again turns the order around. */
  private sortBy(column: Column<R>): void {
    const first = this.isNumeric(column) ? `-${column.key}` : column.key;
    const other = first === column.key ? `-${column.key}` : column.key;
    this.options.state.sort = this.options.state.sort === first ? other : first;
    this.changed();
  }

  private changed(): void {
    this.fill();
    this.options.changed(this.options.state);
  }

  /** The rows that are wanted, in the order that is wanted. */
  private chosen(): R[] {
    const { sort, filter } = this.options.state;
    const wanted = filter.toLowerCase();
    const rows = this.rows.filter((row) =>
      this.columns.some((column) => String(column.value(row)).toLowerCase().includes(wanted)),
    );
    const falling = sort.startsWith('-');
    const column = this.columns.find((it) => it.key === sort.replace(/^-/, ''));
    if (column === undefined) return rows;
    const order = (a: R, b: R): number => {
      const x = column.value(a);
      const y = column.value(b);
      return typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    };
    return rows.sort((a, b) => (falling ? order(b, a) : order(a, b)));
  }

  private fill(): void {
    const { sort } = this.options.state;
    for (const column of this.columns) {
      const cell = this.heads.get(column.key);
      if (cell === undefined) continue;
      const { key } = column;
      cell.classList.toggle('number', this.isNumeric(column));
      const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
      cell.setAttribute('aria-sort', direction);
    }
    const rows = this.chosen();
    this.draw(rows.slice(0, MOST_ROWS));
    if (rows.length === 0) {
      const text = this.rows.length === 0 ? this.options.empty : 'No row contains this.';
      this.body.append(el('tr', {}, el('td', { colspan: String(this.columns.length) }, text)));
    }
    say(
      this.count,
      (rows.length === this.rows.length ? '' : `${rows.length} of `) +
        (this.rows.length === 1 ? '1 row' : `${this.rows.length} rows`) +
        (rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} are shown` : ''),
    );
  }

  private draw(rows: readonly R[]): void {
    const { key } = this.options;
    if (key === undefined) {
      this.body.replaceChildren(...rows.map((row) => this.row(row)));
      return;
    }
    const isInside = this.body.contains(document.activeElement);
    const lines = new Map(rows.map((row) => [key(row), this.row(row)]));
    for (const [name, line] of lines) {
      const known = this.drawn.get(name);
      if (known === undefined) continue;
      become(known, line);
      lines.set(name, known);
    }
    arrange(this.body, [...lines.values()]);
    this.drawn = lines;
    if (isInside && !this.body.contains(document.activeElement)) this.scroll.focus({ preventScroll: true });
  }

  private row(row: R): HTMLTableRowElement {
    const line = el('tr', { class: this.options.mark?.(row) });
    for (const column of this.columns) {
      const value = column.value(row);
      const shown = column.show?.(row) ?? neutralise(String(value));
      line.append(el('td', { class: typeof value === 'number' ? 'number' : undefined }, shown));
    }
    return line;
  }

  private save(format: 'csv' | 'json'): void {
    const rows = this.chosen().filter((row) => !this.options.isExtra?.(row));
    const columns = this.columns.filter((it) => !it.action);
    const text =
      format === 'csv'
        ? csv([columns.map((it) => it.key), ...rows.map((row) => columns.map((it) => it.value(row)))])
        : JSON.stringify(rows, null, 1);
    const type = format === 'csv' ? 'text/csv' : 'application/json';
    const url = URL.createObjectURL(new Blob([text], { type }));
    el('a', { href: url, download: `${this.options.file}.${format}` }).click();
    URL.revokeObjectURL(url);
  }
}

/** As RFC 4180 has it. A name that a spreadsheet would take for a formula is only a name. */
export function csv(lines: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string => {
    const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return lines.map((line) => line.map(cell).join(',')).join('\r\n') + '\r\n';
}
