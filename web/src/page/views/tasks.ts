import { el } from '../../flame/dom';
import { neutralise } from '../../flame/names';
import { Unanswered, type Answer } from '../api';
import type { Context } from '../page';
import { Table } from '../table';
import { tableOptions } from '../tables';
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
  const written = context.route.get('define');
  const question = context.route.question();
  question.delete('task');
  const saved = await context.api.ask<Tasks>('tasks', question);
  context.selected(saved);
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
    await writing(context, written, question),
    el('h2', {}, 'Saved'),
    list(context, 'Saved tasks', saved, saved.saved),
  );
}

async function writing(context: Context, written: string, question: URLSearchParams): Promise<HTMLElement> {
  const input = el('input', {
    type: 'text',
    value: written,
    required: true,
    placeholder: 'sql=prefix:org.h2.',
    size: '50',
  });
  const form = el(
    'form',
    {
      class: 'writing',
      submit: (event: Event) => {
        event.preventDefault();
        context.go(context.route.with({ define: input.value.trim() }));
      },
    },
    el('label', {}, 'Definition ', input),
    el('button', { type: 'submit' }, 'Try it'),
  );
  const section = el('section', {}, form);
  if (written === '') return section;
  const asked = new URLSearchParams(question);
  asked.set('task', written);
  let found: Tasks;
  try {
    found = await context.api.ask<Tasks>('tasks', asked);
  } catch (error) {
    if (!(error instanceof Unanswered) || error.status !== 400) throw error;
    section.append(el('p', { role: 'alert' }, neutralise(error.message)));
    return section;
  }
  section.append(
    list(context, 'What it matches', found, []),
    el('button', { type: 'button', click: () => context.attempt(save(context, written)) }, 'Save it'),
  );
  return section;
}

async function save(context: Context, definition: string): Promise<void> {
  await context.api.change('PUT', 'tasks', new URLSearchParams({ app: context.route.app, task: definition }));
  context.go(context.route.with({ define: null }));
}

function list(context: Context, caption: string, answer: Tasks, saved: Tasks['saved']): HTMLElement {
  const definition = new Map(saved.map((it) => [it.task, it.definition]));
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
            { href: context.route.to('flame', { task: definition.get(row.task) ?? row.task }).address },
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
      {
        key: 'delete',
        title: 'Delete',
        action: true,
        value: () => '',
        show: (row) =>
          definition.has(row.task)
            ? el(
                'button',
                { type: 'button', click: () => context.attempt(remove(context, row.task)) },
                'Delete',
              )
            : '',
      },
    ],
    answer.rows,
    tableOptions(context, 'tasks', '-cum', 'There is none.'),
  );
  return table.element;
}

async function remove(context: Context, task: string): Promise<void> {
  await context.api.change('DELETE', 'tasks', new URLSearchParams({ app: context.route.app, task }));
  context.go(context.route);
}
