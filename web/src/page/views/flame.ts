import { fromJson, type FlameJson } from '../../flame/data';
import { el } from '../../flame/dom';
import type { Options } from '../../flame/flamegraph';
import { mountFlameGraph } from '../../flame/mount';
import type { Answer } from '../api';
import type { Context } from '../page';
import { BASELINE, written } from '../route';
import { count } from '../words';
import { classOf } from './source';

/** The flame graph of the selection: as many contexts as a screen can tell apart. */
export async function flame(context: Context): Promise<void> {
  const question = context.route.question(...BASELINE);
  question.set('maxNodes', context.route.get('nodes') || '20000');
  const answer = await context.api.ask<Answer & FlameJson & { contexts: { shown: number; hidden: number } }>(
    'flamegraph',
    question,
  );
  context.selected(answer);
  if (answer.profiles === 0 || answer.nodes.depth.length < 2) {
    context.main.append(el('p', {}, 'Nothing was recorded in this selection.'));
    return;
  }
  context.main.append(el('h1', { class: 'hl-unseen' }, 'Flame graph'));
  const place = el('div', { class: 'graph' });
  context.main.append(place);
  if (answer.contexts.hidden > 0) {
    const more = context.route.with({ nodes: '1000000' });
    context.main.append(
      el(
        'p',
        { class: 'quiet' },
        `The ${count(answer.contexts.shown)} largest of ${count(answer.contexts.shown + answer.contexts.hidden)} calling contexts. `,
        el('a', { href: more.address }, 'Show up to a million'),
      ),
    );
  }
  await mount(context, place, answer);
}

/** Puts a flame graph somewhere; it follows the page's colours and ends with the view. */
export async function mount(
  context: Context,
  place: HTMLElement,
  answer: FlameJson,
  options: Pick<Options, 'label' | 'kept' | 'packages'> = {},
): Promise<void> {
  const graph = await mountFlameGraph(
    place,
    { head: answer.graph, columns: fromJson(answer) },
    {
      ...options,
      theme: context.theme,
      oneResource: true,
      actions: [
        {
          label: 'Only this method and what it calls',
          run: (name) => context.go(context.route.with({ root: written(name) })),
        },
        {
          label: 'Callers, callees, lines, history',
          run: (name) => context.go(context.route.to('method', { name: written(name) })),
        },
        {
          label: 'Source',
          run: (name) => context.go(context.route.to('source', { class: classOf(name) })),
        },
      ],
    },
  );
  context.onTheme((theme) => graph.useTheme(theme));
  context.onLeave(() => graph.destroy());
}
