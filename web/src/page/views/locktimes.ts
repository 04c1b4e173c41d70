import { el } from '../../flame/dom';
import type { Answer } from '../api';
import { barsOf, RangeChart, type Piece } from '../chart';
import type { Locks, Time } from '../contentions';
import type { Context } from '../page';
import { pick } from '../selection';
import { amount } from '../words';

/** When threads had to wait: all of them, whatever part is asked about. */
export async function blockedOverTime(context: Context, time: Time, locks: Locks): Promise<Node> {
  const question = context.route.question();
  for (const name of ['thread', 'root', 'task']) question.delete(name);
  question.set('resource', time);
  question.set('pieces', String(barsOf(context.route, 120)));
  const answer = await context.api.ask<Answer & { rows: Piece[] }>('timeline', question);
  if (answer.rows.length === 0) return el('p', {}, 'Nothing was recorded in this selection.');
  const chart = new RangeChart(
    answer.rows,
    60,
    `${time} over time`,
    (piece) => amount(piece.value, answer.resource),
    (range, second) => pick(context, range, second),
  );
  chart.markAll(context.route);
  return el('div', {}, chart.element, el('p', { class: 'quiet' }, rest(context, time, answer, locks)));
}

function rest(context: Context, time: Time, answer: Answer, locks: Locks): string {
  const all = `${amount(answer.total, answer.resource)} ${time} by all threads`;
  const shown = amount(locks.total, locks.resource);
  if (['thread', 'root', 'task'].some((name) => context.route.get(name) !== ''))
    return `${all}; what is shown above is ${shown} of that.`;
  // Only of the same moment: what was stored since then is no difference.
  const isMore = answer.asOf === locks.asOf && answer.total > locks.total * 1.001;
  return isMore ? `${all}; of all but ${shown} of that only who waited was recorded, not why.` : `${all}.`;
}
