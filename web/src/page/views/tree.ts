import { el } from '../../flame/dom';
import { nameKey } from '../../flame/names';
import type { Answer } from '../api';
import type { Counted } from '../measuring';
import type { Context } from '../page';
import { written } from '../route';
import { Table } from '../table';
import { tableOptions } from '../tables';
import { count } from '../words';
import { amountColumn, knownBar, methodLink } from './methods';

interface TreeRow extends Partial<Counted> {
  /** From the root on. */
  path: string[];
  depth: number;
  base: number;
  cum: number;
}

interface Tree extends Answer {
  contexts: { shown: number; hidden: number };
  rows: TreeRow[];
}

/** How many rows are asked for at a time. */
const MORE = 300;

/** Stands for all that was left out below a context. */
export const PRUNED = '[pruned]';

/** Calling contexts as a tree that unfolds; what is not there yet is asked for when it is wanted. */
export async function tree(context: Context): Promise<void> {
  const answer = await ask(context, [], MORE);
  context.selected(answer);
  let rows = answer.rows;
  const open = context.route.all('open');
  for (const key of open) {
    const row = rows.find((it) => it.path[it.depth] === PRUNED && keyOf(it) === key);
    if (row !== undefined) rows = await unfolded(context, rows, row);
  }
  // Of the whole selection, also where a part of it was asked for.
  const part = (row: TreeRow): number => (answer.total > 0 ? (100 * row.cum) / answer.total : 0);
  const table: Table<TreeRow> = new Table<TreeRow>(
    'Call tree',
    [
      amountColumn('base', 'Self', answer.resource),
      amountColumn('cum', 'With callees', answer.resource),
      {
        key: 'cumPercent',
        title: 'With callees %',
        value: part,
        show: (row) => knownBar(row, part(row)),
      },
      {
        key: 'context',
        title: 'Calling context',
        value: (row) => row.path[row.depth],
        show: (row) =>
          name(context, row, async () => {
            rows = await unfolded(context, rows, row);
            table.update(rows);
            open.push(keyOf(row));
            context.note({ open });
          }),
      },
    ],
    rows,
    tableOptions(context, 'tree', '', 'Nothing was recorded in this selection.'),
  );
  context.main.append(
    el('h1', {}, 'Call tree'),
    el(
      'p',
      { class: 'quiet' },
      `The largest of ${count(answer.contexts.shown + answer.contexts.hidden)} contexts.`,
    ),
    table.element,
  );
}

/** What lies below a path, which is written without the root. */
function ask(context: Context, path: string[], limit: number, depth?: number): Promise<Tree> {
  const params = context.route.question();
  params.set('limit', String(Math.min(20_000, limit)));
  if (depth !== undefined) params.set('depth', String(depth));
  for (const each of path) params.append('node', written(each));
  return context.api.ask<Tree>('tree', params);
}

function name(context: Context, row: TreeRow, unfold: () => Promise<void>): HTMLElement {
  const text = row.path[row.depth];
  if (text === PRUNED) {
    const click = (): void => context.attempt(unfold());
    return indented(row.depth, el('button', { type: 'button', class: 'link', click }, 'smaller ones …'));
  }
  return indented(row.depth, row.depth === 0 ? text : methodLink(context, text));
}

/** As far to the right as it is deep. */
export function indented(depth: number, shown: Node | string): HTMLElement {
  const place = el('span', { class: 'context' }, shown);
  place.style.paddingLeft = `${depth * 10}px`;
  return place;
}

/** Puts the next ones below a context in place of what stood for them. */
async function unfolded(context: Context, rows: readonly TreeRow[], pruned: TreeRow): Promise<TreeRow[]> {
  const above = pruned.path.slice(0, -1);
  const child = (row: TreeRow): string => row.path[above.length];
  const below = rows.filter((row) => row.depth === above.length && startsWith(row.path, above));
  const known = new Set(below.filter((row) => row !== pruned).map(child));
  const answer = await ask(context, above.slice(1), 1 + known.size + MORE, 1);
  const more = answer.rows.filter((row) => row.depth >= above.length && !known.has(child(row)));
  const at = rows.indexOf(pruned);
  return [...rows.slice(0, at), ...more, ...rows.slice(at + 1)];
}

/** Short enough for an address. What was unfolded twice at one place has its key there twice. */
function keyOf(row: TreeRow): string {
  return nameKey(row.path.join('\n'));
}

function startsWith(path: readonly string[], begin: readonly string[]): boolean {
  return begin.every((name, i) => path[i] === name);
}
