/**
 * Characters that reorder, hide or break the text around them. A profile's names come from the profiled
 * program, so they are shown for what they are: U+202E becomes ⟨U+202E⟩.
 */
const TREACHEROUS =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function neutralise(name: string): string {
  if (name.search(TREACHEROUS) < 0) return name;
  return name.replace(
    TREACHEROUS,
    (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Where a method name `pkg.Class.method(Param)` has its parts; all offsets into the name. */
interface MethodParts {
  classAt: number;
  paramsAt: number;
}

function partsOf(name: string): MethodParts | null {
  const params = name.indexOf('(');
  const paramsAt = params < 0 ? name.length : params;
  // Hidden classes carry an address after $$Lambda that may contain dots of its own.
  const lambda = name.indexOf('$$Lambda');
  const methodDot = lambda > 0 && lambda < paramsAt ? lambda : name.lastIndexOf('.', paramsAt - 1);
  if (methodDot <= 0 || name.includes('::')) return null;
  return { classAt: name.lastIndexOf('.', methodDot - 1) + 1, paramsAt };
}

/**
 * The package of a consumer, '' for the default package, null for what has none (native and kernel symbols).
 *
 * @param type its letter in the head: m method, c class, p package; others have none
 */
export function packageOf(name: string, type = 'm'): string | null {
  if (type === 'p') return name;
  if (type === 'c') return name.slice(0, Math.max(0, name.lastIndexOf('.')));
  if (type !== 'm') return null;
  const parts = partsOf(name);
  if (parts === null) return null;
  return parts.classAt === 0 ? '' : name.slice(0, parts.classAt - 1);
}

/** `Class.method`: what tells frames apart when there is no room for packages and parameters. */
export function shortName(name: string, type = 'm'): string {
  if (type === 'c') return name.slice(name.lastIndexOf('.') + 1);
  if (type !== 'm') return name;
  const parts = partsOf(name);
  return parts === null ? name : name.slice(parts.classAt, parts.paramsAt);
}

/** `Class.method(Param)`: a method's name where its package goes without saying. */
export function withoutPackage(name: string): string {
  return name.slice(partsOf(name)?.classAt ?? 0);
}

/** A 53-bit hash of a name in base 36. Links keep names in this form: short, and stable across profiles. */
export function nameKey(name: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
