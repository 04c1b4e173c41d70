import { change } from './compare';
import { KINDS, type FlameJson } from './data';
import type { Model, Selection } from './model';
import { packageOf } from './names';
import type { Colouring } from './state';
import type { Tree } from './tree';

export type Theme = 'light' | 'dark';

export interface Ink {
  canvas: string;
  text: string;
  fadedText: string;
  sliver: string;
  match: string;
  matchText: string;
  focus: string;
  hover: string;
}

/** Lightness keeps every fill apart from its text by a contrast of at least 4.5, whatever the hue. */
const FILLS: Record<
  Theme,
  { lightness: number; chroma: number; fadedLightness: number; fadedChroma: number }
> = {
  light: { lightness: 0.845, chroma: 0.085, fadedLightness: 0.935, fadedChroma: 0.018 },
  dark: { lightness: 0.43, chroma: 0.075, fadedLightness: 0.285, fadedChroma: 0.015 },
};

export const INKS: Record<Theme, Ink> = {
  light: {
    canvas: '#ffffff',
    text: '#16181d',
    fadedText: '#5c6370',
    sliver: '#d4d7dd',
    match: 'oklch(0.76 0.19 345)',
    matchText: '#16181d',
    focus: '#0b57d0',
    hover: '#16181d',
  },
  dark: {
    canvas: '#15171b',
    text: '#f1f2f4',
    fadedText: '#9aa1ac',
    sliver: '#3a3f48',
    match: 'oklch(0.52 0.2 350)',
    matchText: '#ffffff',
    focus: '#8ab4f8',
    hover: '#f1f2f4',
  },
};

interface Swatch {
  hue: number;
  /** Relative to the theme's chroma; 0 is grey. */
  strength: number;
}

const KIND_SWATCHES: readonly Swatch[] = [
  { hue: 260, strength: 0.15 },
  { hue: 215, strength: 1 },
  { hue: 145, strength: 1 },
  { hue: 185, strength: 1 },
  { hue: 75, strength: 1.1 },
  { hue: 40, strength: 1.2 },
  { hue: 25, strength: 1.25 },
  { hue: 115, strength: 1 },
];

/** Slots 0 to 19 are hues for packages, 20 is for what has no package. */
const PACKAGE_SLOTS = 20;
const NO_PACKAGE = PACKAGE_SLOTS;
const CHANGE_STEPS = 16;

export interface LegendEntry {
  label: string;
  colour: string;
  share: number;
  /** A search that highlights the frames of the entry. */
  search?: string;
}

/** Decides the colour of frames; colours are few, so that a frame's colour is an index. */
export interface Palette {
  fills: string[];
  faded: string[];
  of(tree: Tree, frame: number): number;
  legend: LegendEntry[];
}

/** @param packages those that choose their colours first, in this order */
export function paletteFor(
  colouring: Colouring,
  model: Model,
  selection: Selection,
  theme: Theme,
  packages: readonly string[] = [],
): Palette {
  if (colouring === 'kind') return byKind(model, selection, theme);
  if (colouring === 'change' && model.head.compare) return byChange(selection, theme);
  return byPackage(model, selection, theme, packages);
}

function byKind(model: Model, selection: Selection, theme: Theme): Palette {
  const sums = new Float64Array(8);
  const self = selection.measures.at(-1)!.self;
  for (let i = 0; i < self.length; i++) sums[model.data.kind[i]] += self[i];
  const fills = fillsOf(KIND_SWATCHES, theme);
  const legend = KINDS.map((label, k) => ({
    label,
    colour: fills.fills[k],
    share: sums[k] / (selection.sums.at(-1) || 1),
  }));
  return {
    ...fills,
    of: (tree, frame) => tree.kind[frame],
    legend: legend.filter((entry) => entry.share > 0).sort((a, b) => b.share - a.share),
  };
}

/** Blue is no change; the further from it, the stronger the green (improved) or red (regressed). */
function byChange(selection: Selection, theme: Theme): Palette {
  const swatches: Swatch[] = [];
  for (let step = -CHANGE_STEPS; step <= CHANGE_STEPS; step++) {
    const changed = step / CHANGE_STEPS;
    const far = Math.abs(changed);
    const hue = changed > 0 ? 250 - 100 * Math.sqrt(far) : 250 + 135 * Math.sqrt(far);
    swatches.push({ hue: hue % 360, strength: 0.55 + 0.95 * far });
  }
  const [baseline, current] = selection.sums.map((sum) => (sum > 0 ? 1 / sum : 0));
  const fills = fillsOf(swatches, theme);
  return {
    ...fills,
    of: (tree, frame) => {
      const changed = change(tree.cum[0][frame] * baseline, tree.cum[1][frame] * current);
      return Math.round((changed + 1) * CHANGE_STEPS);
    },
    legend: [
      ['half the share or less', 1],
      ['less, − gone', 0.5],
      ['same', 0],
      ['more, + new', -0.5],
      ['twice the share or more', -1],
    ].map(([label, changed]) => ({
      label: label as string,
      colour: fills.fills[Math.round(((changed as number) + 1) * CHANGE_STEPS)],
      share: NaN,
    })),
  };
}

function byPackage(model: Model, selection: Selection, theme: Theme, packages: readonly string[]): Palette {
  const groups = packageGroups(model, selection, packages);
  const swatches: Swatch[] = [];
  for (let slot = 0; slot < PACKAGE_SLOTS; slot++) {
    swatches.push({ hue: hueOf(slot), strength: slot % 2 ? 1.15 : 0.9 });
  }
  swatches.push({ hue: 260, strength: 0.12 });
  const fills = fillsOf(swatches, theme);
  const sum = selection.sums.at(-1) || 1;
  return {
    ...fills,
    of: (tree, frame) => {
      const kind = tree.kind[frame];
      return kind >= 4 && kind <= 6 ? NO_PACKAGE : groups.slotOf[tree.consumer[frame]];
    },
    legend: groups.sorted.slice(0, 12).map(([name, self, slot]) => ({
      label: name === null ? 'native and other' : name === '' ? 'default package' : name,
      colour: fills.fills[slot],
      share: self / sum,
      search: name ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.` : undefined,
    })),
  };
}

interface PackageGroups {
  slotOf: Uint8Array;
  sorted: [name: string | null, self: number, slot: number][];
}

/** Three segments tell libraries apart without splitting them up. */
function packageGroup(name: string, type: string): string | null {
  const whole = packageOf(name, type);
  return whole === null ? null : whole.split('.', 3).join('.');
}

/**
 * A package's slot comes from its name, so that it keeps its colour from one profile to the next; the
 * heaviest packages choose first and take the next free slot, so that they differ within one profile.
 */
function packageGroups(model: Model, selection: Selection, packages: readonly string[]): PackageGroups {
  const consumers = model.head.consumers;
  const self = new Float64Array(consumers.length);
  for (const values of selection.measures) {
    for (let i = 0; i < values.self.length; i++) self[model.data.consumer[i]] += values.self[i];
  }
  const groupOf = consumers.map((name, c) => packageGroup(name, model.typeOf(c)));
  const sums = new Map<string | null, number>();
  groupOf.forEach((group, c) =>
    sums.set(group, (sums.get(group) ?? 0) + self[c] / selection.measures.length),
  );
  const byWeight = [...sums].sort((a, b) => b[1] - a[1]);
  const slots = new Map<string | null, number>([[null, NO_PACKAGE]]);
  const taken = new Set<number>();
  for (const group of new Set([...packages, ...byWeight.map(([name]) => name)])) {
    if (group === null) continue;
    const slot = freeSlot(slotFor(group), taken);
    taken.add(slot);
    slots.set(group, slot);
  }
  return {
    slotOf: Uint8Array.from(groupOf, (group) => slots.get(group)!),
    sorted: byWeight.filter(([, sum]) => sum > 0).map(([group, sum]) => [group, sum, slots.get(group)!]),
  };
}

/** The packages of some profiles, those first that weigh most in all of them together. */
export function packageOrder(profiles: readonly FlameJson[]): string[] {
  const sums = new Map<string, number>();
  for (const { graph, nodes, values } of profiles) {
    const groupOf = graph.consumers.map((name, c) => packageGroup(name, graph.consumerTypes[c] ?? 'm'));
    for (const group of groupOf) if (group !== null && !sums.has(group)) sums.set(group, 0);
    const rows = values[graph.initialColumn ?? 0] ?? { node: [], value: [] };
    const whole = rows.value.reduce((sum, value) => sum + value, 0) || 1;
    rows.node.forEach((node, r) => {
      const group = groupOf[nodes.consumer[node]];
      if (group !== null) sums.set(group, sums.get(group)! + rows.value[r] / whole);
    });
  }
  return [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([group]) => group);
}

/** The wanted slot or the next one whose hue is not close to one in use; close ones only when there is no other. */
function freeSlot(wanted: number, taken: Set<number>): number {
  const free = (slot: number, distance: number) =>
    [...taken].every((other) => Math.abs(hueOf(slot) - hueOf(other)) >= distance);
  for (const distance of [40, 25, 1]) {
    for (let step = 0; step < PACKAGE_SLOTS; step++) {
      const slot = (wanted + step) % PACKAGE_SLOTS;
      if (free(slot, distance)) return slot;
    }
  }
  return wanted;
}

/** Hues near the colour of matches are left free; neighbours in slots are far apart in hue. */
function hueOf(slot: number): number {
  return 5 + ((slot * 7) % PACKAGE_SLOTS) * (310 / PACKAGE_SLOTS);
}

function slotFor(name: string): number {
  let hash = 7;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) >>> 0;
  return hash % PACKAGE_SLOTS;
}

function fillsOf(swatches: readonly Swatch[], theme: Theme): { fills: string[]; faded: string[] } {
  const { lightness, chroma, fadedLightness, fadedChroma } = FILLS[theme];
  return {
    fills: swatches.map((s) => oklch(lightness, chroma * s.strength, s.hue)),
    faded: swatches.map((s) => oklch(fadedLightness, fadedChroma * s.strength, s.hue)),
  };
}

function oklch(lightness: number, chroma: number, hue: number): string {
  return `oklch(${lightness} ${chroma.toFixed(3)} ${hue.toFixed(0)})`;
}
