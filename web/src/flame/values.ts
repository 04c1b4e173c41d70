import type { FlameData, Rows } from './data';
import type { Forest } from './forest';

/** What every calling context spent of one resource, itself and with its callees. */
export interface Measure {
  self: Float64Array;
  cum: Float64Array;
}

/** @param chosen one flag per thread id as rows have them (0 is "no thread"), or null for all threads */
export function measure(data: FlameData, forest: Forest, rows: Rows, chosen: Uint8Array | null): Measure {
  const self = new Float64Array(data.count);
  const { node, thread, value } = rows;
  const home = forest.home;
  for (let r = 0; r < node.length; r++) {
    if (chosen === null || chosen[thread[r]] !== 0) self[home[node[r]]] += value[r];
  }
  const cum = self.slice();
  for (let i = data.count - 1; i > 0; i--) if (home[i] === i) cum[forest.parent[i]] += cum[i];
  return { self, cum };
}

/** Sum of a resource per thread id as rows have them. */
export function perThread(rows: Rows, threadCount: number): Float64Array {
  const sums = new Float64Array(threadCount + 1);
  for (let r = 0; r < rows.node.length; r++) sums[rows.thread[r]] += rows.value[r];
  return sums;
}

/** Adds what a context and all below it spent to the parts of its threads. */
export function addPerThread(data: FlameData, rows: Rows, context: number, parts: Float64Array): void {
  let end = context + 1;
  while (end < data.count && data.depth[end] > data.depth[context]) end++;
  // Rows are in the order of their nodes.
  let low = 0;
  let high = rows.node.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows.node[middle] < context) low = middle + 1;
    else high = middle;
  }
  for (let r = low; r < rows.node.length && rows.node[r] < end; r++) parts[rows.thread[r]] += rows.value[r];
}

/**
 * Flags the contexts that are not below another context of the same consumer. Their cum values add up
 * to the consumer's cum with every recursive call counted once.
 */
export function outermost(data: FlameData, consumerCount: number): Uint8Array {
  const flags = new Uint8Array(data.count);
  const active = new Int32Array(consumerCount);
  const path: number[] = [];
  for (let i = 0; i < data.count; i++) {
    while (path.length > data.depth[i]) active[path.pop()!]--;
    const consumer = data.consumer[i];
    if (active[consumer]++ === 0) flags[i] = 1;
    path.push(consumer);
  }
  return flags;
}

/** Self and cum of every consumer over all its calling contexts. */
export function perConsumer(
  data: FlameData,
  forest: Forest,
  values: Measure,
  outermostFlags: Uint8Array,
  consumerCount: number,
): Measure {
  const self = new Float64Array(consumerCount);
  const cum = new Float64Array(consumerCount);
  for (let i = 0; i < data.count; i++) {
    if (forest.home[i] !== i) continue;
    self[data.consumer[i]] += values.self[i];
    if (outermostFlags[i] === 1) cum[data.consumer[i]] += values.cum[i];
  }
  return { self, cum };
}
