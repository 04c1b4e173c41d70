export * from '../src/flame/compare';
export * from '../src/flame/data';
export * from '../src/flame/format';
export * from '../src/flame/model';
export * from '../src/flame/names';
export * from '../src/flame/path';
export * from '../src/flame/search';
export * from '../src/flame/state';
export * from '../src/flame/tree';

export { rangeOf } from '../src/page/chart';
export { folded, histogram, orderOf, replaced, REST, timeOf, withRests } from '../src/page/contentions';
export { cellsOf, gridOf } from '../src/page/heat';
export { Route, written } from '../src/page/route';
export { csv } from '../src/page/table';
export { cpus, warnings } from '../src/page/trusting';
export { ago, stretch } from '../src/page/words';
export { classOf } from '../src/page/views/source';
export { inOrder } from '../src/page/views/compare';
