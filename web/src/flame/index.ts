import type { Head } from './data';
import type { FlameGraph } from './flamegraph';
import { mountFlameGraph } from './mount';

export { decode } from './data';
export { mountFlameGraph } from './mount';
export type { FlameData, Head } from './data';
export type { FlameGraph, FrameInSight, Options } from './flamegraph';

function mountEmbedded(): Promise<FlameGraph> | null {
  const target = document.getElementById('heatline-flamegraph');
  const head = document.getElementById('heatline-head')?.textContent;
  const columns = document.getElementById('heatline-columns')?.textContent;
  if (!target || !head || !columns) return null;
  return mountFlameGraph(target, { head: JSON.parse(head) as Head, columns });
}

/** The graph of a self-contained file; null on a page that mounts its own. */
export const embedded: Promise<FlameGraph> | null = mountEmbedded();
