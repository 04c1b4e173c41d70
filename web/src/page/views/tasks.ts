import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import type { Answer } from '../api';
import type { Context } from '../page';
import { Table, TYPING_MILLIS, type Column } from '../table';
import { partOptions } from '../tables';
import { amount, count } from '../words';
import { bar } from './methods';

interface TaskRow {
  task: string;
  roots: number;
  calls: number;
  cum: number;
  cumPercent: number;
}

interface Tasks extends Answer {
  saved: { task: string; definition: string }[];
  rows: TaskRow[];
}

/** Tasks: what begins one, what each used, and a place to write another. */
export async function tasks(context: Context): Promise<void> {
  const question = context.route.question();
  question.delete('task');
  const answer = await context.api.ask<Tasks>('tasks', question);
  const definitions = new Map(answer.saved.map((it) => [it.task, it.definition]));
  context.selected(answer);
  context.main.append(
    el('h1', {}, 'Tasks'),
    el(
      'p',
      { class: 'quiet' },
      'A task is a method and all it calls: ',
      el('code', {}, 'NAME=prefix:com.shop.'),
      ' begins at methods whose name starts so, ',
      el('code', {}, 'NAME=regex:…'),
      ' where the expression is found; ',
      el('code', {}, '${group}'),
      ' in the name stands for a named group.',
    ),
    writing(context, question),
    el('h2', {}, 'Saved'),
    list(context, 'Saved tasks', answer, (task) => definitions.get(task) ?? task, true),
  );
}

/** Shows at once what a definition matches, with every pause in typing. */
function writing(context: Context, question: URLSearchParams): HTMLElement {
  const input = el('input', {
    type: 'text',
    value: context.route.get('define'),
    placeholder: 'sql=prefix:org.h2.',
    size: '50',
    input: () => {
      clearTimeout(typing);
      typing = window.setTimeout(show, TYPING_MILLIS);
    },
  });
  const found = el('div', { 'aria-live': 'polite' });
  let typing = 0;
  const show = (): void => {
    const written = input.value.trim();
    context.note({ define: written === '' ? null : written });
    if (written === '') found.replaceChildren();
    else context.later(found, matched(context, written, question));
  };
  if (input.value !== '') show();
  const form = el(
    'form',
    { class: 'writing', submit: (event: Event) => event.preventDefault() },
    el('label', {}, 'Definition ', input),
  );
  return el('section', {}, form, found);
}

async function matched(context: Context, written: string, question: URLSearchParams): Promise<Node> {
  const asked = new URLSearchParams(question);
  asked.set('task', written);
  const answer = await context.api.ask<Tasks>('tasks', asked);
  const save = (): void => context.attempt(saved(context, written));
  return el(
    'div',
    {},
    list(context, 'What it matches', answer, () => written),
    el('button', { type: 'button', click: save }, 'Save it'),
  );
}

async function saved(context: Context, definition: string): Promise<void> {
  await context.api.change('PUT', 'tasks', new URLSearchParams({ app: context.route.app, task: definition }));
  context.go(context.route.with({ define: null }));
}

function list(
  context: Context,
  caption: string,
  answer: Tasks,
  definition: (task: string) => string,
  isSaved = false,
): HTMLElement {
  const table = new Table(
    caption,
    [
      {
        key: 'task',
        title: 'Task',
        value: (row) => row.task,
        show: (row) =>
          el(
            'a',
            { href: context.route.to('flame', { task: definition(row.task) }).address },
            neutralise(row.task),
          ),
      },
      {
        key: 'roots',
        title: 'Methods that begin it',
        value: (row) => row.roots,
        show: (row) => count(row.roots),
      },
      { key: 'cum', title: 'Used', value: (row) => row.cum, show: (row) => amount(row.cum, answer.resource) },
      { key: 'percent', title: 'Share', value: (row) => row.cumPercent, show: (row) => bar(row.cumPercent) },
      ...(isSaved ? [deletion(context)] : []),
    ],
    answer.rows,
    partOptions(context, isSaved ? 'tasks' : 'matched', '-cum', 'There is none.'),
  );
  return table.element;
}

function deletion(context: Context): Column<TaskRow> {
  return {
    key: 'delete',
    title: 'Delete',
    action: true,
    value: () => '',
    show: (row) =>
      el('button', { type: 'button', click: () => context.attempt(remove(context, row.task)) }, 'Delete'),
  };
}

async function remove(context: Context, task: string): Promise<void> {
  await context.api.change('DELETE', 'tasks', new URLSearchParams({ app: context.route.app, task }));
  context.go(context.route);
}
