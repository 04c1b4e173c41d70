import { VarintReader } from './varint';

export type ResourceKind = 'time' | 'count' | 'bytes' | 'amount';

export interface Resource {
  name: string;
  unit: string;
  kind: ResourceKind;
  /** Stored values are this many per unit: 1e9 for seconds stored as nanoseconds. */
  perUnit: number;
  /** How it was taken, instead of what the head says for all. */
  subtitle?: string;
}

export interface Thread {
  name: string;
  group?: string;
}

export interface Head {
  version: number;
  title: string;
  subtitle?: string;
  consumer: string;
  columns: Resource[];
  initialColumn?: number;
  compare?: { baseline: number; current: number };
  threads: Thread[];
  consumers: string[];
  /** One character per consumer: m method of a class, n native function, c class, p package, t thread, l lock, k label, r root. */
  consumerTypes: string;
  /** Calling contexts that were pruned before the data was written. */
  folded?: number;
}

/** Self values of one resource: row i gives value[i] to node[i] on thread[i]. */
export interface Rows {
  node: Int32Array;
  /** Index into the head's threads plus one; 0 where no thread is known. */
  thread: Int32Array;
  value: Float64Array;
}

/** Calling contexts in preorder, so that a parent always comes before its children. */
export interface FlameData {
  count: number;
  depth: Int32Array;
  parent: Int32Array;
  consumer: Int32Array;
  line: Int32Array;
  kind: Uint8Array;
  columns: Rows[];
}

export const KINDS = [
  'unknown',
  'interpreted',
  'compiled',
  'inlined',
  'native',
  'kernel',
  'VM',
  'C1 compiled',
] as const;

export async function decode(base64: string): Promise<FlameData> {
  const packed = bytesOf(base64.trim());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return read(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** What the head promises and the columns contain must fit before anything indexes one with the other. */
export function check(head: Head, data: FlameData): void {
  if (head.version !== 1) {
    throw new Error(`This page reads version 1 of the flame graph data, not version ${head.version}.`);
  }
  if (data.columns.length !== head.columns.length) {
    throw new Error(`${head.columns.length} resources are named, ${data.columns.length} are present.`);
  }
  for (let i = 0; i < data.count; i++) {
    if (data.consumer[i] >= head.consumers.length) {
      throw new Error(`Frame ${i} belongs to consumer ${data.consumer[i]}, which has no name.`);
    }
  }
  for (const rows of data.columns) {
    for (let r = 0; r < rows.node.length; r++) {
      if (rows.node[r] >= data.count || rows.thread[r] > head.threads.length) {
        throw new Error(
          `Value ${r} belongs to frame ${rows.node[r]} on thread ${rows.thread[r]}: no such pair.`,
        );
      }
    }
  }
}

/** The same as the server's JSON has it. */
export interface FlameJson {
  graph: Head;
  nodes: { depth: number[]; consumer: number[]; line: number[]; kind: number[] };
  values: { node: number[]; thread: number[]; value: number[] }[];
}

export function fromJson({ nodes, values }: FlameJson): FlameData {
  const depth = Int32Array.from(nodes.depth);
  return {
    count: depth.length,
    depth,
    parent: parentsOf(depth),
    consumer: Int32Array.from(nodes.consumer),
    line: Int32Array.from(nodes.line),
    kind: Uint8Array.from(nodes.kind),
    columns: values.map((rows) => ({
      node: Int32Array.from(rows.node),
      thread: Int32Array.from(rows.thread),
      value: Float64Array.from(rows.value),
    })),
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function read(bytes: Uint8Array): FlameData {
  const reader = new VarintReader(bytes);
  const count = reader.count('frames');
  const depth = ints(reader, count, 'depths');
  const parent = parentsOf(depth);
  const consumer = ints(reader, count, 'consumers');
  const line = new Int32Array(count);
  const kind = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const lineAndKind = reader.next();
    line[i] = lineAndKind / 8;
    kind[i] = lineAndKind % 8;
  }
  reader.expectInside('lines');
  const columns: Rows[] = [];
  for (let c = reader.count('resources'); c > 0; c--) columns.push(readRows(reader));
  return { count, depth, parent, consumer, line, kind, columns };
}

function readRows(reader: VarintReader): Rows {
  const count = reader.count('values');
  const node = ints(reader, count, 'value owners');
  for (let r = 1; r < count; r++) node[r] += node[r - 1];
  const thread = ints(reader, count, 'threads');
  const value = new Float64Array(count);
  for (let r = 0; r < count; r++) value[r] = reader.next();
  reader.expectInside('values');
  return { node, thread, value };
}

function ints(reader: VarintReader, count: number, what: string): Int32Array {
  const result = new Int32Array(count);
  for (let i = 0; i < count; i++) result[i] = reader.next();
  reader.expectInside(what);
  return result;
}

function parentsOf(depth: Int32Array): Int32Array {
  const parent = new Int32Array(depth.length);
  const last: number[] = [0];
  if (depth.length > 0) {
    if (depth[0] !== 0) throw new Error('The first frame is not a root.');
    parent[0] = -1;
  }
  for (let i = 1; i < depth.length; i++) {
    const d = depth[i];
    if (d < 1 || d > depth[i - 1] + 1) throw new Error(`Frame ${i} at depth ${d} has no parent.`);
    parent[i] = last[d - 1];
    last[d] = i;
  }
  return parent;
}
