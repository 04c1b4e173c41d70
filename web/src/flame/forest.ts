import type { FlameData } from './data';

/**
 * The calling contexts as they are linked once hidden consumers are gone. Node ids stay those of the data;
 * a hidden node has no place in the links, and `home` says which caller takes over its self values.
 */
export interface Forest {
  parent: Int32Array;
  /** Children of node i are children[childStart[i]] up to children[childStart[i + 1]]. */
  childStart: Int32Array;
  children: Int32Array;
  home: Int32Array;
}

/** A hidden frame gives its place to its callees and its self value to its caller: no total changes. */
export function link(data: FlameData, hidden: ReadonlySet<number>): Forest {
  const { count, consumer } = data;
  const home = new Int32Array(count);
  const parent = new Int32Array(count);
  const childStart = new Int32Array(count + 1);
  if (count > 0) parent[0] = -1;
  for (let i = 1; i < count; i++) {
    const caller = home[data.parent[i]];
    parent[i] = caller;
    if (hidden.has(consumer[i])) {
      home[i] = caller;
    } else {
      home[i] = i;
      childStart[caller + 1]++;
    }
  }
  for (let i = 0; i < count; i++) childStart[i + 1] += childStart[i];
  const children = new Int32Array(childStart[count]);
  const next = childStart.slice();
  for (let i = 1; i < count; i++) if (home[i] === i) children[next[parent[i]]++] = i;
  return { parent, childStart, children, home };
}
