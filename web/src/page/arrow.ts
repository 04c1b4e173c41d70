import { el } from '../flame/dom';

/**
 * The arrow of a change: straight ahead for none, up to -90 degrees (up) for twice as much or more,
 * down to 90 degrees for half or less (Table 3.2 of Moser's thesis).
 */
export function arrow(angle: number): HTMLElement {
  const direction = angle < -1 ? 'more' : angle > 1 ? 'less' : 'unchanged';
  const sign = el('span', { class: `arrow ${direction}`, role: 'img', 'aria-label': direction }, '→');
  sign.style.transform = `rotate(${Math.max(-90, Math.min(90, angle))}deg)`;
  return sign;
}
