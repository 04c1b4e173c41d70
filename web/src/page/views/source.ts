import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { Unanswered, type Answer } from '../api';
import type { Context } from '../page';
import { Table } from '../table';
import { tableOptions } from '../tables';
import { amount, percent } from '../words';
import type { Line, Stanza } from './method';

interface Source {
  file: string;
  text: string;
}

/** No file system has longer ones. */
const LONGEST_FILE = 255;

/** The class of a method as it is shown, if it can have a file: `a.B.c(D)` has `a.B`. */
export function classOf(method: string): string {
  const name = method.split('(', 1)[0];
  const found = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  return found.length - found.lastIndexOf('.') > LONGEST_FILE ? '' : found;
}

/** A file with what its lines used in the margin. */
export async function source(context: Context): Promise<void> {
  const name = context.route.get('class');
  if (name === '') {
    context.main.append(
      el('h1', {}, 'Source'),
      el('p', {}, 'What runs here belongs to no class that has a file.'),
    );
    return;
  }
  const question = context.route.question();
  // The file has all classes within it.
  question.set('class', name.split('$', 1)[0]);
  question.set('lines', 'true');
  question.set('limit', '1');
  const [file, answer] = await Promise.all([
    known(context, name),
    context.api.ask<Answer & { stanzas: Stanza[] }>('classes', question),
  ]);
  context.selected(answer);
  const lines = summed(answer.stanzas);
  context.main.append(el('h1', { class: 'name' }, neutralise(file?.file ?? name)));
  if (file === null) {
    context.main.append(
      el(
        'p',
        {},
        'The server does not know the source of this class. ',
        el('code', {}, 'heatline serve --sources FOLDER'),
        ' tells it where sources are.',
      ),
    );
  }
  const text = file === null ? [] : file.text.split(/\r\n|[\n\r]/);
  context.main.append(summary(context, answer, lines), margin(context, answer, lines, text));
}

async function known(context: Context, name: string): Promise<Source | null> {
  try {
    return await context.api.ask<Source>('source', new URLSearchParams({ class: name }));
  } catch (error) {
    if (error instanceof Unanswered && error.status === 404) return null;
    throw error;
  }
}

function summed(stanzas: readonly Stanza[]): Map<number, Line> {
  const lines = new Map<number, Line>();
  for (const { line, base, cum } of stanzas.flatMap((it) => it.lines ?? [])) {
    // A line that is not known is nowhere in the file.
    if (line < 1) continue;
    const before = lines.get(line) ?? { line, base: 0, cum: 0 };
    lines.set(line, { line, base: before.base + base, cum: before.cum + cum });
  }
  return lines;
}

const HOTTEST = 5;

function hottest(lines: Map<number, Line>): Line[] {
  return [...lines.values()].sort((a, b) => b.cum - a.cum).slice(0, HOTTEST);
}

function summary(context: Context, answer: Answer, lines: Map<number, Line>): HTMLElement {
  const most = hottest(lines);
  if (most.length === 0) return el('p', {}, 'Nothing was recorded in this class.');
  const paragraph = el('p', {}, 'Most was used in ');
  most.forEach(({ line, cum }, i) =>
    paragraph.append(
      i === 0 ? '' : ', ',
      el('a', { href: context.route.with({ line: String(line) }).address }, `line ${line}`),
      ` (${percent((100 * cum) / Math.max(answer.total, Number.MIN_VALUE))})`,
    ),
  );
  return paragraph;
}

/** Without its text, only the lines that used something. */
function margin(context: Context, answer: Answer, lines: Map<number, Line>, text: string[]): HTMLElement {
  const most = Math.max(...[...lines.values()].map((it) => it.cum), Number.MIN_VALUE);
  const wanted = Number(context.route.get('line')) || hottest(lines)[0]?.line;
  const numbers = text.length > 0 ? text.map((_, i) => i + 1) : [...lines.keys()].sort((a, b) => a - b);
  const rows = numbers.map((line) => ({
    ...(lines.get(line) ?? { line, base: 0, cum: 0 }),
    code: text[line - 1] ?? '',
  }));
  const used = (value: number): string => (value > 0 ? amount(value, answer.resource) : '');
  const table = new Table(
    'Source',
    [
      {
        key: 'cum',
        title: 'With callees',
        value: (row) => row.cum,
        show: (row) => {
          const heat = el('span', { class: 'warm' }, used(row.cum));
          heat.style.setProperty('--heat', `${(60 * row.cum) / most}%`);
          return heat;
        },
      },
      { key: 'base', title: 'Self', value: (row) => row.base, show: (row) => used(row.base) },
      { key: 'line', title: 'Line', value: (row) => row.line },
      {
        key: 'code',
        title: 'Source',
        value: (row) => row.code,
        show: (row) => el('code', {}, neutralise(row.code)),
      },
    ],
    rows,
    {
      ...tableOptions(context, 'source', 'line', 'Nothing was recorded in this class.'),
      mark: (row) => (row.line === wanted ? 'here' : undefined),
    },
  );
  table.element.classList.add('source');
  requestAnimationFrame(() => reveal(table.element));
  return table.element;
}

/** Brings the line that is meant to the middle of the table, and leaves the page where it is. */
function reveal(table: HTMLElement): void {
  const box = table.querySelector('.scroll');
  const here = table.querySelector('.here');
  if (box === null || here === null) return;
  const above = here.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTop += above - box.clientHeight / 2;
}
