export * from '../src/flame/compare';
export * from '../src/flame/data';
export * from '../src/flame/format';
export * from '../src/flame/model';
export * from '../src/flame/names';
export * from '../src/flame/path';
export * from '../src/flame/search';
export * from '../src/flame/state';
export * from '../src/flame/tree';

export { timesOf } from '../src/page/budget';
export { rangeOf } from '../src/page/chart';
export { folded, forksOf, shortened, stretchesOf, withCallers } from '../src/page/chains';
export { gathered, histogram, orderOf, replaced, REST, timeOf, withRests } from '../src/page/contentions';
export { cellsOf, gridOf, surroundings } from '../src/page/heat';
export {
  isUnderWay,
  narrowed,
  rootOf,
  secondsLeft,
  stateText,
  typedRoot,
  whereMeasured,
  powersOf,
  eachCall,
  eachText,
  timeText,
} from '../src/page/measuring';
export { jumped, partAt, piecesOf, stepped } from '../src/page/picking';
export { Route, written } from '../src/page/route';
export { restsOn, spoken } from '../src/page/selection';
export { csv } from '../src/page/table';
export { cpus, lockWarnings, reductions, warnings } from '../src/page/trusting';
export { ago, halves, moment, stretch, within } from '../src/page/words';
export { classOf } from '../src/page/views/source';
export { filterOf } from '../src/page/views/measureform';
export { inOrder } from '../src/page/views/compare';
