import { el } from '../../flame/dom';
import type { Answer } from '../api';
import { RangeChart, type Piece } from '../chart';
import type { Locks, Time } from '../contentions';
import type { Context } from '../page';
import { asBaseline, asSelection } from '../selection';
import { amount } from '../words';

/** When threads had to wait: all of them, since times of parts are not kept. */
export async function blockedOverTime(context: Context, time: Time, locks: Locks): Promise<Node> {
  const question = context.route.question();
  for (const name of ['thread', 'root', 'task']) question.delete(name);
  question.set('resource', time);
  question.set('pieces', '120');
  const answer = await context.api.ask<Answer & { rows: Piece[] }>('timeline', question);
  if (answer.rows.length === 0) return el('p', {}, 'Nothing was recorded in this selection.');
  const chart = new RangeChart(
    answer.rows,
    60,
    `${time} over time`,
    (piece) => amount(piece.value, answer.resource),
    (range, second) =>
      context.go(
        second ? context.route.to('compare', asBaseline(range)) : context.route.with(asSelection(range)),
      ),
  );
  chart.markAll(context.route);
  const part = answer.total > locks.total * 1.001;
  return el(
    'div',
    {},
    chart.element,
    el(
      'p',
      { class: 'quiet' },
      part
        ? `Of ${amount(answer.total, answer.resource)} ${time} by all threads, those above are ${amount(locks.total, locks.resource)}; the rest are other threads, or were recorded without their cause.`
        : `${amount(answer.total, answer.resource)} ${time}, by all threads.`,
    ),
  );
}
