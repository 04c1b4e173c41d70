import { el } from '../flame/dom';
import { neutralise } from '../flame/names';
import type { Context } from './page';
import { moment } from './words';

interface Reduction {
  reduction: string;
  from: string;
  until: string;
}

/** When the budget left something out, thing by thing, or one thing alone. */
export async function reducedWhen(context: Context, only?: string): Promise<Node> {
  const question = context.route.question();
  for (const name of ['thread', 'root', 'task', 'resource']) question.delete(name);
  const { rows } = await context.api.ask<{ rows: Reduction[] }>('reductions', question);
  const list = el('ul', { class: 'reductions' });
  for (const [name, times] of timesOf(rows)) {
    if (only === undefined || only === name)
      list.append(el('li', {}, neutralise(`${name}: ${times.join('; ')}`)));
  }
  return list;
}

/** The stretches of time of each reduction, as people read them; what began first comes first. */
export function timesOf(rows: readonly Reduction[], spoken = moment): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { reduction, from, until } of [...rows].sort((a, b) => a.from.localeCompare(b.from))) {
    const times = found.get(reduction) ?? [];
    times.push(`${spoken(from)} – ${spoken(until)}`);
    found.set(reduction, times);
  }
  return found;
}
