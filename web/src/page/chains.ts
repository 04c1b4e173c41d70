import { clipped, el } from '../flame/dom';
import { neutralise, withoutPackage } from '../flame/names';

/** Between the methods of a call chain, innermost first. */
const CALLED_BY = ' ← ';

/** What belongs to the JDK or to the tracer, or stands for a lambda: nobody can mend it there. */
const PLATFORM = /^(java|javax|jdk|sun|com\.sun)\.|^dev\.heatline\.agent\.|\$\$Lambda/;

/** So many calls in a row are worth folding. */
const LONG = 3;

const LONGEST_NAME = 400;

/** The methods of a call chain, innermost first; what is none has one name. */
export function methodsOf(chain: string): string[] {
  return chain.split(CALLED_BY);
}

export function isPlatform(method: string): boolean {
  return PLATFORM.test(method);
}

/** A call chain as people look for it. */
export interface Shortened {
  /** The innermost method of the application; of a chain without any, the innermost of all. */
  method: string;
  /** How many calls lie above it. */
  callers: number;
  /** The innermost method, where that is another one: what the application called. */
  calling: string;
}

export function shortened(chain: string): Shortened {
  const methods = methodsOf(chain);
  const at = Math.max(
    0,
    methods.findIndex((it) => !isPlatform(it)),
  );
  return { method: methods[at], callers: methods.length - 1 - at, calling: at === 0 ? '' : methods[0] };
}

/** The same as text. */
export function folded(chain: string): string {
  const { method, callers, calling } = shortened(chain);
  const text = callers === 0 ? method : `${method} [+${callers}]`;
  return calling === '' ? text : `${text} → ${withoutPackage(calling)}`;
}

/**
 * Which callers tell call chains from each other that are the same when shortened, as numbers of
 * callers above the method that is shown: where others go on in another way.
 */
export function forksOf(chains: readonly string[]): Map<string, number[]> {
  const alike = new Map<string, Outwards[]>();
  for (const chain of chains) {
    const { method, callers, calling } = shortened(chain);
    const key = withoutPackage(method) + CALLED_BY + withoutPackage(calling);
    const group = alike.get(key) ?? [];
    alike.set(key, group);
    group.push({
      chain,
      names: methodsOf(chain)
        .slice(-callers - 1)
        .map(withoutPackage),
    });
  }
  const forks = new Map<string, number[]>();
  for (const group of alike.values()) {
    group.sort((a, b) => compared(a.names, b.names));
    const common = group.slice(1).map((it, i) => inCommon(group[i].names, it.names));
    group.forEach(({ chain, names }, place) => {
      const after = lessening(common, place, 1, names.length);
      const before = lessening(common, place - 1, -1, names.length);
      forks.set(
        chain,
        [...new Set([...before, ...after])].sort((a, b) => a - b),
      );
    });
  }
  return forks;
}

/** A call chain from the method that is shown outwards, as it is shown. */
interface Outwards {
  chain: string;
  names: string[];
}

/** What is left in common with one neighbour after the other, farther and farther off. */
function lessening(common: readonly number[], from: number, step: number, length: number): number[] {
  const all: number[] = [];
  let same = length;
  for (let i = from; i >= 0 && i < common.length && same > 1; i += step) {
    if (common[i] < same) {
      same = common[i];
      all.push(same);
    }
  }
  return all;
}

function compared(a: readonly string[], b: readonly string[]): number {
  const at = inCommon(a, b);
  if (at === a.length || at === b.length) return a.length - b.length;
  return a[at] < b[at] ? -1 : 1;
}

/** How many names both begin with. */
function inCommon(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** The method of a chain and how many callers it has, without packages; callers at forks are named. */
export function withCallers(chain: string, forks: readonly number[]): string {
  const { method, callers } = shortened(chain);
  const outwards = methodsOf(chain).slice(-callers - 1);
  let text = shown(method);
  let last = 0;
  for (const fork of forks) {
    text += (fork === last + 1 ? '' : `${CALLED_BY}…`) + CALLED_BY + shown(outwards[fork]);
    last = fork;
  }
  return last < callers ? `${text} [+${callers - last}]` : text;
}

function shown(method: string): string {
  return clipped(neutralise(withoutPackage(method)), LONGEST_NAME);
}

/** The same for a line of a table, where what the JDK does is less to be seen. */
export function chainLine(chain: string, forks: readonly number[] = []): Node[] {
  const { method, calling } = shortened(chain);
  const text = withCallers(chain, forks);
  const line: Node[] = [el('span', { class: isPlatform(method) ? 'platform' : undefined }, text)];
  if (calling !== '') line.push(el('span', { class: 'platform' }, ` → ${shown(calling)}`));
  return line;
}

/** Neighbours in a call chain that are all of the application or all of the platform. */
interface Stretch {
  platform: boolean;
  methods: string[];
}

export function stretchesOf(methods: readonly string[]): Stretch[] {
  const all: Stretch[] = [];
  for (const method of methods) {
    const last = all.at(-1);
    const platform = isPlatform(method);
    if (last?.platform === platform) last.methods.push(method);
    else all.push({ platform, methods: [method] });
  }
  return all;
}

/** A whole call chain; many calls of the JDK in a row are folded, unless there is nothing else. */
export function chainList(chain: string, link: (method: string) => Node): HTMLElement {
  const list = el('ol', { class: 'plain chain' });
  const stretches = stretchesOf(methodsOf(chain));
  const item = (method: string, platform: boolean): HTMLElement =>
    el('li', { class: platform ? 'platform' : undefined }, link(method));
  for (const { platform, methods } of stretches) {
    const items = methods.map((method) => item(method, platform));
    if (platform && methods.length >= LONG && stretches.length > 1) {
      const inner = el('ol', { class: 'plain' }, ...items);
      const calls = el('summary', {}, `${methods.length} calls in the JDK`);
      list.append(el('li', { class: 'platform' }, el('details', {}, calls, inner)));
    } else list.append(...items);
  }
  return list;
}
