import type { Context } from './page';
import type { TableOptions } from './table';

/** Options of a table whose order and filter are in the page's address. */
export function tableOptions(context: Context, file: string, sort: string, empty: string): TableOptions {
  const state = { sort: context.route.get('sort') || sort, filter: context.route.get('filter') };
  return {
    state,
    changed: (now) =>
      context.note({
        sort: now.sort === sort ? null : now.sort,
        filter: now.filter === '' ? null : now.filter,
      }),
    file: context.route.app === '' ? file : `${context.route.app}-${file}`,
    empty,
  };
}

/** Options of a table that is one of several in its view: its order and filter are soon found again. */
export function partOptions(context: Context, file: string, sort: string, empty: string): TableOptions {
  return {
    state: { sort, filter: '' },
    changed: () => undefined,
    file: `${context.route.app}-${file}`,
    empty,
  };
}
