import { deflateRawSync } from 'node:zlib';

/** Writes unsigned LEB128 numbers; BigInt where a Number would lose bits. */
class Varints {
  bytes = Buffer.alloc(1 << 16);
  length = 0;

  push(value) {
    if (this.length + 10 > this.bytes.length) {
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length)]);
    }
    let rest = value;
    if (typeof rest === 'bigint') {
      while (rest >= 128n) {
        this.bytes[this.length++] = Number(rest & 127n) | 128;
        rest >>= 7n;
      }
      rest = Number(rest);
    }
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  pushAll(values) {
    for (const value of values) this.push(value);
  }
}

/** @param columns one array of rows [node, thread, value] per resource, sorted by node, then thread */
export function encodeColumns({ depth, consumer, lineAndKind, columns }) {
  const out = new Varints();
  out.push(depth.length);
  out.pushAll(depth);
  out.pushAll(consumer);
  out.pushAll(lineAndKind);
  out.push(columns.length);
  for (const rows of columns) {
    out.push(rows.length);
    let last = 0;
    for (const [node] of rows) {
      out.push(node - last);
      last = node;
    }
    for (const [, thread] of rows) out.push(thread);
    for (const [, , value] of rows) out.push(value);
  }
  return deflateRawSync(out.bytes.subarray(0, out.length)).toString('base64');
}

export const CPU = { name: 'cpu', unit: 's', kind: 'time', perUnit: 1e9 };
export const SAMPLES = { name: 'samples', unit: '', kind: 'count', perUnit: 1 };
export const ALLOCATED = { name: 'allocated', unit: 'B', kind: 'bytes', perUnit: 1 };

const KIND_CODES = { interpreted: 1, compiled: 2, inlined: 3, native: 4, kernel: 5, vm: 6, c1: 7 };

/**
 * Builds a payload from stacks written as text, outermost frame first:
 * { stack: 'a.B.c;d.E.f:12/native', thread: 'main', values: [5, 2] }, one value per resource.
 */
export function payload(stacks, head = {}) {
  const threads =
    head.threads ?? [...new Set(stacks.map((s) => s.thread).filter(Boolean))].map((name) => ({ name }));
  const consumers = ['all threads'];
  const root = { consumer: 0, lineAndKind: 0, children: new Map(), values: new Map() };
  for (const { stack, thread, values } of stacks) {
    let node = root;
    for (const frame of Array.isArray(stack) ? stack : stack.split(';').filter(Boolean)) {
      node = childOf(node, frame, consumers);
    }
    const threadId = thread ? threads.findIndex((t) => t.name === thread) + 1 : 0;
    const sums = node.values.get(threadId) ?? values.map(() => 0);
    node.values.set(
      threadId,
      sums.map((sum, c) => (sum === 0 ? values[c] : sum + values[c])),
    );
  }
  const columns = head.columns ?? [CPU];
  const flat = flatten(root, columns.length);
  return {
    head: {
      version: 1,
      title: 'A profile',
      subtitle: 'written by a test',
      consumer: 'method',
      columns,
      initialColumn: 0,
      threads,
      consumers,
      consumerTypes: 'r' + 'm'.repeat(consumers.length - 1),
      folded: 0,
      ...head,
    },
    columns: encodeColumns(flat),
  };
}

function childOf(node, frame, consumers) {
  const [, name, line, kind] = Array.isArray(frame)
    ? ['', ...frame]
    : /^(.*?)(?::(\d+))?(?:\/(\w+))?$/s.exec(frame);
  const lineAndKind = (line ? line * 8 : 0) + (kind ? KIND_CODES[kind] : 0);
  const key = `${lineAndKind}/${name}`;
  if (!node.children.has(key)) {
    let consumer = consumers.indexOf(name);
    if (consumer < 0) consumer = consumers.push(name) - 1;
    node.children.set(key, { consumer, lineAndKind, children: new Map(), values: new Map() });
  }
  return node.children.get(key);
}

function flatten(root, columnCount) {
  const flat = {
    depth: [],
    consumer: [],
    lineAndKind: [],
    columns: Array.from({ length: columnCount }, () => []),
  };
  const visit = (node, depth) => {
    const id = flat.depth.push(depth) - 1;
    flat.consumer.push(node.consumer);
    flat.lineAndKind.push(node.lineAndKind);
    for (const thread of [...node.values.keys()].sort((a, b) => a - b)) {
      node.values.get(thread).forEach((value, c) => {
        if (value) flat.columns[c].push([id, thread, value]);
      });
    }
    for (const child of node.children.values()) visit(child, depth + 1);
  };
  visit(root, 0);
  return flat;
}

/** A random tree that looks like a service's: few hot paths, a long tail, stacks up to 120 deep. */
export function randomPayload(count, seed = 1) {
  const random = randomFrom(seed);
  const methods = 20_000;
  const packages = [
    'com.acme.shop',
    'com.acme.shop.cart',
    'java.util',
    'java.util.concurrent',
    'java.lang',
    'org.springframework.web.servlet',
    'io.netty.channel',
    'com.fasterxml.jackson.databind',
    'org.hibernate.engine',
  ];
  const consumers = ['all threads'];
  for (let m = 1; m < methods; m++) {
    consumers.push(`${packages[m % packages.length]}.Type${m % 1500}.step${m}(Object,int)`);
  }
  const depth = new Int32Array(count);
  const consumer = new Int32Array(count);
  const lineAndKind = new Int32Array(count);
  const rows = [];
  const samples = [];
  for (let i = 1; i < count; i++) {
    const last = depth[i - 1];
    const deeper = last < 120 && random() < 0.8;
    depth[i] = deeper ? last + 1 : Math.max(1, last - Math.floor(random() ** 3 * Math.min(last, 40)));
    consumer[i] = 1 + Math.floor(random() * (methods - 1));
    lineAndKind[i] = (1 + Math.floor(random() * 900)) * 8 + 1 + Math.floor(random() * 3);
    const observed = Math.floor(Math.min(1e6, 1 / random() ** 1.15));
    rows.push([i, 1 + Math.floor(random() * 64), observed * 10_000_000]);
    samples.push([i, rows.at(-1)[1], observed]);
  }
  const threads = Array.from({ length: 64 }, (_, t) => ({
    name: `worker-${t}`,
    group: t < 32 ? 'http' : 'jobs',
  }));
  return {
    head: {
      version: 1,
      title: `${count.toLocaleString('en')} calling contexts`,
      subtitle: 'random tree, 64 threads',
      consumer: 'method',
      columns: [CPU, SAMPLES],
      initialColumn: 0,
      threads,
      consumers,
      consumerTypes: 'r' + 'm'.repeat(methods - 1),
      folded: 0,
    },
    columns: encodeColumns({ depth, consumer, lineAndKind, columns: [rows, samples] }),
  };
}

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
