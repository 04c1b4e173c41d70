/**
 * How a share changed from baseline to current, from -1 (doubled or worse) over 0 (the same) to 1 (halved
 * or better). Halving and doubling are equally far from no change; what is new or gone lies halfway.
 */
export function change(baseline: number, current: number): number {
  if (baseline === current) return 0;
  if (baseline <= 0) return -0.5;
  if (current <= 0) return 0.5;
  const ratio = Math.min(2, Math.max(0.5, current / baseline));
  return ratio >= 1 ? -(ratio - 1) : 1 / ratio - 1;
}

/** Degrees of the change arrow: 0 points right, 90 down (improved), -90 up (regressed). */
export function arrowAngle(changed: number): number {
  return 90 * changed;
}
