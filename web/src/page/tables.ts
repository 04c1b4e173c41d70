import type { Context } from './page';
import type { TableOptions } from './table';

/** Options of the table of a view, whose order and filter are in the page's address. */
export function tableOptions(context: Context, file: string, sort: string, empty: string): TableOptions {
  return options(context, '', file, sort, empty);
}

/** Options of a table that is one of several in its view, so that its name is in the address too. */
export function partOptions(context: Context, file: string, sort: string, empty: string): TableOptions {
  return options(context, `${file}.`, file, sort, empty);
}

function options(context: Context, prefix: string, file: string, sort: string, empty: string): TableOptions {
  const { route } = context;
  return {
    state: { sort: route.get(`${prefix}sort`) || sort, filter: route.get(`${prefix}filter`) },
    changed: (now) =>
      context.note({
        [`${prefix}sort`]: now.sort === sort ? null : now.sort,
        [`${prefix}filter`]: now.filter === '' ? null : now.filter,
      }),
    file: route.app === '' ? file : `${route.app}-${file}`,
    empty,
  };
}
