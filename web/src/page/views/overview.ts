import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import type { Answer } from '../api';
import { bars, type Piece } from '../chart';
import type { Context } from '../page';
import { Route } from '../route';
import { Table, type Column } from '../table';
import { tableOptions } from '../tables';
import { warnings } from '../trusting';
import { ago, count, moment, percent } from '../words';

interface Application {
  app: string;
  versions: number;
  instances: number;
  last: string;
  profiles: number;
  samples: number;
}

interface Row extends Application {
  resource: string;
  cost?: number;
  warnings: string[];
  pieces: Piece[];
}

/** So many applications get a picture each, those seen last; a table of thousands has none for the others. */
const PICTURED = 30;

const AGAIN_MILLIS = 10_000;
const HOUR_MILLIS = 3_600_000;

/** What is known at all; again and again. */
export async function overview(context: Context): Promise<void> {
  const options = tableOptions(context, 'applications', '-samples', 'Nothing has been profiled yet.');
  const table = new Table<Row>('Applications', COLUMNS, [], options);
  const late = el('p', { class: 'quiet', role: 'status' });
  const show = (rows: Row[]): void => {
    late.textContent = '';
    table.update(rows);
    if (rows.length === 0) context.main.replaceChildren(...nothingYet(), late);
    else if (!context.main.contains(table.element))
      context.main.replaceChildren(el('h1', {}, 'Applications'), table.element, late);
  };
  // Pictures and warnings take longer.
  show((await listed(context)).map(plain));
  let updated = Date.now();
  let timer = 0;
  let left = false;
  const again = async (): Promise<void> => {
    try {
      if (!document.hidden) {
        show(await described(context));
        updated = Date.now();
      }
    } catch (error) {
      late.textContent = `Not brought up to date since ${moment(updated)}: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!left) timer = window.setTimeout(() => void again(), AGAIN_MILLIS);
  };
  timer = window.setTimeout(() => void again());
  context.onLeave(() => {
    left = true;
    clearTimeout(timer);
  });
}

function nothingYet(): Node[] {
  return [
    el('h1', {}, 'Nothing has been profiled yet'),
    el(
      'p',
      {},
      'Start ',
      el('code', {}, 'heatline collect'),
      ' on a machine that runs JVMs, or send a file with ',
      el('code', {}, 'heatline push'),
      '. What comes is shown here by itself; the first profile of a collector after its first interval, which is a minute if nothing else was said.',
    ),
  ];
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'app',
    title: 'Application',
    value: (row) => row.app,
    show: (row) =>
      el('a', { href: Route.of('').with({ app: row.app }, 'flame').address }, neutralise(row.app)),
  },
  {
    key: 'activity',
    title: 'Last hour',
    action: true,
    value: () => '',
    show: (row) =>
      row.pieces.length === 0 ? '' : bars(row.pieces, 24, `${row.resource} of ${row.app} over the last hour`),
  },
  { key: 'versions', title: 'Versions', value: (row) => row.versions },
  { key: 'instances', title: 'Instances', value: (row) => row.instances },
  {
    key: 'last',
    title: 'Last seen',
    value: (row) => row.last,
    show: (row) => el('span', { title: moment(row.last) }, ago(row.last)),
  },
  { key: 'samples', title: 'Samples', value: (row) => row.samples, show: (row) => count(row.samples) },
  {
    key: 'cost',
    title: 'Cost of profiling',
    hint: 'CPU time that profiling took, of the CPU time that was profiled, over the last hour',
    value: (row) => row.cost ?? '',
    show: (row) => (row.cost === undefined ? '–' : percent(row.cost)),
  },
  { key: 'warnings', title: 'Warnings', value: (row) => row.warnings.join('; ') },
];

/** Those seen last first. */
async function listed(context: Context): Promise<Application[]> {
  const { rows } = await context.api.ask<{ rows: Application[] }>('applications');
  return rows.sort((a, b) => b.last.localeCompare(a.last));
}

async function described(context: Context): Promise<Row[]> {
  const rows = await listed(context);
  return Promise.all(rows.map((row, i) => (i < PICTURED ? pictured(context, row) : plain(row))));
}

function plain(row: Application): Row {
  return { ...row, warnings: [], pieces: [], resource: '' };
}

async function pictured(context: Context, row: Application): Promise<Row> {
  const now = Date.now();
  const params = new URLSearchParams({
    app: row.app,
    from: String(now - HOUR_MILLIS),
    until: String(now),
    pieces: '60',
  });
  const answer = await context.api.ask<Answer & { rows: Piece[] }>('timeline', params);
  const counts = answer.provenance.counts;
  const profiled = counts['profiled cpu us'] ?? 0;
  return {
    ...row,
    cost: profiled > 0 ? (100 * (counts['profiling cpu us'] ?? 0)) / profiled : undefined,
    warnings: warnings(answer),
    pieces: answer.rows,
    resource: answer.resource.name,
  };
}
