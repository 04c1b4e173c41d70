import { clipped, el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { narrowed, stateText, subject, type Jvm, type Measurement } from '../measuring';
import type { Context } from '../page';
import { Table } from '../table';
import { partOptions } from '../tables';
import { count, moment } from '../words';
import { MeasureForm, REGION } from './measureform';
import { MeasurementView } from './measurement';
import { LONGEST_NAME } from './methods';

interface Jvms {
  leftOut: number;
  rows: Jvm[];
}

/** Every call below chosen methods of a running JVM: how often, how long, in which context. */
export async function measure(context: Context): Promise<void> {
  const app = new URLSearchParams({ app: context.route.app });
  const earlier = async (): Promise<Measurement[]> =>
    (await context.api.ask<{ rows: Measurement[] }>('measurements', app)).rows;
  const [jvms, known] = await Promise.all([context.api.ask<Jvms>('jvms', app), earlier()]);
  const table = listed(context, known);
  const listAgain = (): void => context.attempt(earlier().then((rows) => table.update(rows)));
  const measurement = new MeasurementView(context, listAgain);
  const begun = (it: Measurement): void => {
    context.note({ measurement: it.id });
    measurement.follow(it.id, it);
    measurement.element.scrollIntoView({ block: 'nearest' });
    listAgain();
  };
  context.main.append(
    el('h1', {}, 'Measure'),
    el(
      'p',
      { class: 'quiet' },
      'Exact calls and times of everything that chosen methods call, or of single methods only. The code of the JVM is changed while it runs, and changed back at the end.',
    ),
    ...asking(context, jvms, begun),
    measurement.element,
    el('h2', {}, 'Measurements'),
    table.element,
  );
  const id = context.route.get('measurement');
  if (id !== '') measurement.follow(id);
}

/** The form, or why there is none. */
function asking(context: Context, jvms: Jvms, begun: (it: Measurement) => void): HTMLElement[] {
  const rows = narrowed(jvms.rows, context.route);
  if (rows.length === 0) return unmeasurable(context, jvms.rows.length);
  const form = new MeasureForm(context, rows, begun).element;
  if (jvms.leftOut === 0) return [form];
  return [form, el('p', { class: 'quiet' }, `${count(jvms.leftOut)} more JVMs are not listed.`)];
}

function unmeasurable(context: Context, others: number): HTMLElement[] {
  const again = el('button', { type: 'button', click: () => context.go(context.here()) }, 'Look again');
  if (others > 0) {
    const which = others === 1 ? 'one other' : `${count(others)} others`;
    const text = `No collector follows a JVM of what is selected now, but ${which} of this application.`;
    return [el('p', {}, text), again];
  }
  return [
    el('p', {}, 'No collector follows a JVM of this application now.'),
    el(
      'p',
      { class: 'quiet' },
      'It may have ended, or nobody profiles it any more: that is done by ',
      el('code', {}, 'heatline collect --measure'),
      ' on its machine. Profiles that were sent as files are of no JVM that can be measured.',
    ),
    again,
  ];
}

function listed(context: Context, rows: readonly Measurement[]): Table<Measurement> {
  const shown = (text: string): string => clipped(neutralise(text), LONGEST_NAME);
  const isShown = (row: Measurement): boolean => context.here().get('measurement') === row.id;
  return new Table<Measurement>(
    'Measurements',
    [
      {
        key: 'created',
        title: 'When',
        value: (row) => row.created,
        show: (row) =>
          el(
            'a',
            { href: again(context, row), 'aria-current': isShown(row) ? 'true' : undefined },
            moment(row.created),
          ),
      },
      {
        key: 'instance',
        title: 'JVM',
        value: (row) => row.instance,
        show: (row) => shown(row.instance),
      },
      {
        key: 'roots',
        title: 'Methods',
        value: subject,
        show: (row) => el('span', { class: 'name' }, shown(subject(row))),
      },
      {
        key: 'state',
        title: 'State',
        value: (row) => row.state,
        show: (row) => shown(stateText(row)),
      },
    ],
    rows,
    {
      ...partOptions(context, 'measurements', '', 'Nothing was measured yet.'),
      key: (row) => row.id,
      mark: (row) => (isShown(row) ? 'here' : undefined),
    },
  );
}

/** The way to a measurement, with a form to do the same once more. */
function again({ route }: Context, { id, jvm, roots, regions, seconds }: Measurement): string {
  const what = regions.length > 0 ? REGION : null;
  const measureRoot = [...roots, ...regions];
  return route.with({ measurement: id, jvm, what, measureRoot, seconds: String(seconds) }).address;
}
