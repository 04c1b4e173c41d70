export type View = 'top-down' | 'bottom-up' | 'sandwich';
export type Colouring = 'package' | 'kind' | 'change';
export type Basis = 'both' | 'baseline' | 'current';

/** All that a link to a flame graph restores. Names are kept as name keys (see names.ts). */
export interface State {
  view: View;
  /** The method in the middle of the sandwich. */
  method: string;
  /** Path of the zoomed frame, see path.ts. */
  zoom: string;
  search: string;
  /** '' for all threads, '+a.b' for only these, '-a.b' for all but these. */
  threads: string;
  /** Name keys of hidden consumers, separated by dots. */
  hidden: string;
  resource: string;
  /** What a frame's width means when two profiles are compared. */
  basis: Basis;
  colour: Colouring;
  root: 'top' | 'bottom';
  order: 'value' | 'name';
  lines: 'fold' | 'keep';
}

const CHOICES: Partial<Record<keyof State, readonly string[]>> = {
  view: ['top-down', 'bottom-up', 'sandwich'],
  basis: ['both', 'baseline', 'current'],
  colour: ['package', 'kind', 'change'],
  root: ['top', 'bottom'],
  order: ['value', 'name'],
  lines: ['fold', 'keep'],
};

/** Only what differs from the defaults is written, so that a link stays short. */
export function toHash(state: State, defaults: State): string {
  const parts: string[] = [];
  for (const key of Object.keys(defaults) as (keyof State)[]) {
    if (state[key] !== defaults[key]) parts.push(`${key}=${encodeURIComponent(state[key])}`);
  }
  return parts.join('&');
}

/** Links are edited and cut by people and programs: what cannot be understood falls back to the default. */
export function fromHash(hash: string, defaults: State): State {
  const state: Record<string, string> = { ...defaults };
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    const key = part.slice(0, at);
    if (at < 0 || !Object.hasOwn(defaults, key)) continue;
    const value = decoded(part.slice(at + 1));
    const choices = CHOICES[key as keyof State];
    if (value !== null && (!choices || choices.includes(value))) state[key] = value;
  }
  return state as unknown as State;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
