import { check, decode, type FlameData, type Head } from './data';
import { el } from './dom';
import { FlameGraph, type Options } from './flamegraph';
import style from './style.css';

export interface FlameGraphInput {
  head: Head;
  /** As embedded (base64), or decoded before. */
  columns: string | FlameData;
}

/** Puts a flame graph into an element, which should have a height. What is wrong with the data is said there. */
export async function mountFlameGraph(
  element: HTMLElement,
  { head, columns }: FlameGraphInput,
  options: Options = {},
): Promise<FlameGraph> {
  addStyle();
  try {
    const data = typeof columns === 'string' ? await decode(columns) : columns;
    check(head, data);
    const graph = new FlameGraph(head, data, options);
    element.replaceChildren(graph.element);
    return graph;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    element.replaceChildren(
      el('p', { class: 'hl-failed', role: 'alert' }, `The flame graph cannot be shown. ${reason}`),
    );
    throw error;
  }
}

function addStyle(): void {
  if (document.getElementById('heatline-style')) return;
  document.head.append(el('style', { id: 'heatline-style' }, style));
}
