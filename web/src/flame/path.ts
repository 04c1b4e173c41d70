import type { Model } from './model';
import { pathOf, type Tree } from './tree';

/** Siblings differ in few characters, and a path may be hundreds of frames deep. */
const KEY_LENGTH = 5;

/** A frame as text that finds it again in a tree built anew: one element per frame below the root. */
export function pathText(model: Model, tree: Tree, frame: number, lines: boolean): string {
  return pathOf(tree, frame)
    .slice(1)
    .map((f) => elementOf(model, tree, f, lines))
    .join('.');
}

/** Follows a path as far as it leads. */
export function frameOf(model: Model, tree: Tree, path: string, lines: boolean): number {
  let frame = 0;
  if (path === '' || tree.count === 0) return 0;
  for (const element of path.split('.')) {
    const next = childLike(model, tree, frame, element, lines);
    if (next < 0) return frame;
    frame = next;
  }
  return frame;
}

function childLike(model: Model, tree: Tree, frame: number, element: string, lines: boolean): number {
  const name = element.split('~')[0];
  let similar = -1;
  for (let c = tree.childStart[frame]; c < tree.childStart[frame + 1]; c++) {
    if (model.keyOf(tree.consumer[c]).slice(-KEY_LENGTH) !== name) continue;
    if (elementOf(model, tree, c, lines) === element) return c;
    if (similar < 0) similar = c;
  }
  return similar;
}

function elementOf(model: Model, tree: Tree, frame: number, lines: boolean): string {
  const key = model.keyOf(tree.consumer[frame]).slice(-KEY_LENGTH);
  if (!lines) return key;
  const node = tree.merged.contexts[tree.merged.start[frame]];
  return `${key}~${(model.data.line[node] * 8 + model.data.kind[node]).toString(36)}`;
}
