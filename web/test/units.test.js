import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findChromium } from './chromium.js';
import { payload, CPU, SAMPLES } from './payload.js';
import {
  ago,
  amount,
  cellsOf,
  change,
  check,
  classOf,
  cpus,
  csv,
  decode,
  depthCount,
  eachCall,
  eachText,
  filterOf,
  folded,
  forksOf,
  frameOf,
  fromHash,
  gathered,
  gridOf,
  halves,
  histogram,
  inOrder,
  isUnderWay,
  jumped,
  lockWarnings,
  Model,
  moment,
  nameKey,
  narrowed,
  neutralise,
  orderOf,
  packageOf,
  partAt,
  powersOf,
  pathText,
  patternOf,
  piecesOf,
  rangeOf,
  reductions,
  replaced,
  REST,
  restsOn,
  rootOf,
  Route,
  search,
  secondsLeft,
  shortened,
  shortName,
  spoken,
  stateText,
  stepped,
  stretch,
  stretchesOf,
  surroundings,
  timeOf,
  timesOf,
  timeText,
  toHash,
  typedRoot,
  warnings,
  whereMeasured,
  within,
  withCallers,
  withRests,
  written,
} from '../target/units.js';

const DEFAULTS = {
  view: 'top-down',
  method: '',
  zoom: '',
  search: '',
  threads: '',
  hidden: '',
  resource: 'cpu',
  basis: 'both',
  colour: 'package',
  root: 'top',
  order: 'value',
  lines: 'fold',
};

async function modelOf(stacks, head) {
  const written = payload(stacks, head);
  const data = await decode(written.columns);
  check(written.head, data);
  return new Model(written.head, data);
}

/** A tree as text: one line per frame, indented by depth, with its cum and self of the first measure. */
function outline(model, tree) {
  const lines = [];
  const visit = (frame, depth) => {
    const name = model.names[tree.consumer[frame]];
    lines.push(`${'  '.repeat(depth)}${name} ${tree.cum[0][frame]} ${tree.self[0][frame]}`);
    for (let c = tree.childStart[frame]; c < tree.childStart[frame + 1]; c++) visit(c, depth + 1);
  };
  visit(0, 0);
  return lines;
}

const STACKS = [
  { stack: 'main;a;c', thread: 't1', values: [3] },
  { stack: 'main;a', thread: 't1', values: [1] },
  { stack: 'main;b;c', thread: 't2', values: [4] },
  { stack: 'main;a;c;a', thread: 't2', values: [2] },
];

test('the browser of the tests is the one named or else the first on the path', () => {
  assert.equal(findChromium({ CHROMIUM: '/my/own', PATH: '' }), '/my/own');
  assert.throws(() => findChromium({ PATH: '/nowhere' }), /set CHROMIUM/);
  const folder = mkdtempSync(join(tmpdir(), 'heatline-'));
  writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o755 });
  assert.equal(findChromium({ PATH: `/nowhere:${folder}` }), join(folder, 'google-chrome'));
  rmSync(folder, { recursive: true });
});

test('top-down merges contexts of one caller, widest first', async () => {
  const model = await modelOf(STACKS);
  const { main } = model.scene(DEFAULTS);
  assert.deepEqual(outline(model, main), [
    'all threads 10 0',
    '  main 10 0',
    '    a 6 1',
    '      c 5 3',
    '        a 2 2',
    '    b 4 0',
    '      c 4 4',
  ]);
  assert.equal(depthCount(main), 5);
});

test('bottom-up puts what was spent first and its callers below', async () => {
  const model = await modelOf(STACKS);
  const { main } = model.scene({ ...DEFAULTS, view: 'bottom-up' });
  assert.deepEqual(outline(model, main).slice(0, 7), [
    'all threads 10 0',
    '  c 7 0',
    '    b 4 0',
    '      main 4 4',
    '    a 3 0',
    '      main 3 3',
    '  a 3 0',
  ]);
});

test('a sandwich counts recursion once', async () => {
  const model = await modelOf(STACKS);
  const method = model.keyOf(model.names.indexOf('a'));
  const { main, callers } = model.scene({ ...DEFAULTS, view: 'sandwich', method });
  assert.equal(main.cum[0][0], 6);
  assert.deepEqual(outline(model, callers), ['a 6 0', '  main 6 6']);
});

test('threads that are not chosen do not count', async () => {
  const model = await modelOf(STACKS);
  const { selection } = model.scene({ ...DEFAULTS, threads: `+${model.threadKeys[1]}` });
  assert.equal(selection.sums[0], 4);
  const others = model.scene({ ...DEFAULTS, threads: `-${model.threadKeys[1]}` });
  assert.equal(others.selection.sums[0], 6);
});

test('a hidden frame gives its place to its callees and its self to its caller', async () => {
  const model = await modelOf(STACKS);
  const hidden = model.keyOf(model.names.indexOf('a'));
  const { main } = model.scene({ ...DEFAULTS, hidden });
  assert.deepEqual(outline(model, main).slice(0, 3), ['all threads 10 0', '  main 10 1', '    c 5 5']);
});

test('lines are folded unless they are kept', async () => {
  const stacks = [
    { stack: 'm:1/compiled', values: [1] },
    { stack: 'm:2/compiled', values: [2] },
  ];
  const model = await modelOf(stacks);
  assert.equal(model.scene(DEFAULTS).main.count, 2);
  assert.equal(model.scene({ ...DEFAULTS, lines: 'keep' }).main.count, 3);
});

test('search counts a match within a match once', async () => {
  const model = await modelOf(STACKS);
  const { selection } = model.scene(DEFAULTS);
  const { shares, regular } = search('^a$', model.names, model.data, selection);
  assert.deepEqual(shares, [0.6]);
  assert.equal(regular, true);
  assert.equal(search('a(', model.names, model.data, selection).regular, false);
});

test('comparing, the width is the mean of both shares', async () => {
  const model = await modelOf(
    [
      { stack: 'a', values: [1, 30] },
      { stack: 'b', values: [1, 10] },
    ],
    { columns: [CPU, SAMPLES], compare: { baseline: 0, current: 1 } },
  );
  const { main } = model.scene(DEFAULTS);
  assert.equal(main.width[0], 1);
  assert.deepEqual([...main.width.slice(1)], [0.625, 0.375]);
});

test('changes are those of the arrow table', () => {
  const angle = (current) => Math.round(90 * change(0.1, current));
  assert.deepEqual([0.05, 0.067, 0.083, 0.1, 0.133, 0.167, 0.2].map(angle), [90, 44, 18, 0, -30, -60, -90]);
  assert.equal(change(0, 0.1), -0.5);
  assert.equal(change(0.1, 0), 0.5);
});

test('a path finds its frame again', async () => {
  const model = await modelOf(STACKS);
  const { main } = model.scene(DEFAULTS);
  for (let frame = 0; frame < main.count; frame++) {
    assert.equal(frameOf(model, main, pathText(model, main, frame, false), false), frame);
  }
});

test('a state survives the address, and nonsense in it is ignored', () => {
  const state = { ...DEFAULTS, search: 'a b&c=#%', view: 'bottom-up' };
  assert.deepEqual(fromHash(toHash(state, DEFAULTS), DEFAULTS), state);
  assert.deepEqual(fromHash('view=sideways&%&zoom=%E0%A4%A&constructor=x', DEFAULTS), DEFAULTS);
});

test('names are cut into package and short name', () => {
  assert.equal(packageOf('java.util.HashMap.get(Object)'), 'java.util');
  assert.equal(shortName('java.util.HashMap.get(Object)'), 'HashMap.get');
  assert.equal(packageOf('Main.main'), '');
  assert.equal(packageOf('std::sort'), null);
  assert.equal(neutralise('a\u202eb'), 'a⟨U+202E⟩b');
});

// The server makes the same keys: its own tests have these values too.
test('a name that no address holds is written short', () => {
  assert.equal(nameKey(''), 'wvjl67o803');
  assert.equal(nameKey('dev.heatline.shop.Search.find(String)'), '2aa85tr49tf');
  assert.equal(nameKey('\u00fc\u202e\u{1f600}'), '1jzmbkz90zu');
  assert.equal(written('a.B.c()'), 'a.B.c()');
  const long = 'long'.repeat(1000);
  assert.equal(written(long), `${long.slice(0, 60)}…${nameKey(long)}`);
});

test('versions are in the order of their numbers, or as they came', () => {
  assert.deepEqual(inOrder(['1.10', '1.9', 'v1.2.1']), ['1.9', '1.10', 'v1.2.1']);
  assert.deepEqual(inOrder(['feed', 'beef', '1.0']), ['feed', 'beef', '1.0']);
});

test('capitals make a search case-sensitive', () => {
  assert.ok(patternOf('cart').test('Cart'));
  assert.ok(!patternOf('Cart').test('cart'));
});

test('amounts are said as people say them', () => {
  assert.equal(amount(1_240_000_000, CPU), '1.24 s');
  assert.equal(amount(12_000_000, CPU), '12 ms');
  assert.equal(amount(12, SAMPLES), '12 samples');
});

test('damaged columns are refused with a sentence', async () => {
  const written = payload(STACKS);
  const cut = Buffer.from(written.columns, 'base64');
  await assert.rejects(decode(cut.subarray(0, cut.length - 4).toString('base64')));
  const data = await decode(written.columns);
  assert.throws(() => check({ ...written.head, version: 2 }, data), /version 1/);
  assert.throws(() => check({ ...written.head, consumers: ['x'] }, data), /has no name/);
});

test('a place of the page is its address, and the other way round', () => {
  const route = Route.of('?view=methods&app=a%26b&version=1&version=2&sort=-base');
  assert.equal(route.view, 'methods');
  assert.deepEqual(route.all('version'), ['1', '2']);
  assert.equal(Route.of(route.address).address, route.address);
  assert.equal(Route.of('?view=constructor').view, 'overview');
  assert.equal(route.to('tree').get('sort'), '', 'what belongs to a view stays there');
  assert.equal(route.with({ version: null, thread: 'x' }).question().toString(), 'app=a%26b&thread=x');
});

test('ranges in the address are moments', () => {
  const range = (search) => rangeOf(Route.of(search), 'from', 'until', 1000, 2000);
  assert.equal(range(''), null);
  assert.deepEqual(range('?from=1200&until=1500'), { from: 1200, until: 1500 });
  assert.equal(range('?from=nonsense&until=1500').from, 1000);
  const { from, until } = range('?from=now-5m');
  assert.ok(Math.abs(Date.now() - 300_000 - from) < 10_000, 'counted from now, not from the last profile');
  assert.ok(until >= from + 299_000);
});

test('a heat map has whole columns, and not too many', () => {
  for (const hours of [0.01, 1, 5, 30, 500, 5000, 50_000]) {
    const until = 1_763_200_000_000;
    const grid = gridOf({ from: until - hours * 3_600_000, until }, 3_600_000);
    assert.ok((grid.until - grid.from) / grid.column <= 61, `${hours} h`);
    assert.ok(cellsOf(grid) <= 4000, `${hours} h: ${cellsOf(grid)} cells`);
    assert.equal((grid.from + 3_600_000) % grid.column, 0, 'columns begin with the hour of the place');
    assert.ok(grid.from <= until - hours * 3_600_000 && grid.until >= until);
  }
});

test('half of a column is said in a unit that suits it', () => {
  const seconds = { 10: '5 s', 60: '30 s', 600: '5 min', 3600: '30 min', 86_400: '12 h', 604_800: '3.5 d' };
  for (const [column, half] of Object.entries(seconds)) assert.equal(halves(1000 * column)[1], half);
  assert.equal(halves(60_000)[0], '0 s');
});

test('a range that is picked moves as a whole, or grows to either side', () => {
  const picked = { start: 4, cursor: 6 };
  assert.deepEqual(stepped(picked, 3, false, 10), { start: 7, cursor: 9 });
  assert.deepEqual(stepped(picked, 5, false, 10), picked, 'it keeps its length');
  assert.deepEqual(stepped(picked, -5, false, 10), picked);
  assert.deepEqual(stepped(picked, -3, true, 10), { start: 4, cursor: 3 });
  assert.deepEqual(stepped(picked, 60, true, 10), { start: 4, cursor: 9 });
});

test('a range that is picked jumps to a piece, or grows to it', () => {
  assert.deepEqual(jumped({ start: 4, cursor: 6 }, 0, false), { start: 0, cursor: 0 });
  assert.deepEqual(jumped({ start: 4, cursor: 6 }, 9, true), { start: 4, cursor: 9 });
});

test('the pieces of a range are those that have a part of it', () => {
  const iso = (second) => new Date(1000 * second).toISOString();
  const pieces = [0, 1, 2, 3].map((second) => ({ from: iso(second), until: iso(second + 1), value: 0 }));
  const found = (from, until) => piecesOf(pieces, { from, until });
  assert.deepEqual(found(1000, 3000), [1, 2]);
  assert.deepEqual(found(1900, 2100), [1, 2]);
  assert.deepEqual(found(3000, 9000), [3, 3]);
  assert.equal(found(-9000, 0), null);
  assert.equal(found(4000, 9000), null);
  assert.equal(found(0, 4000), null, 'what covers all marks nothing');
  assert.equal(piecesOf(pieces, null), null);
});

test('around a range is as much again on both sides, at least a minute, and nothing that is to come', () => {
  assert.deepEqual(surroundings({ from: 100_000, until: 101_000 }, 1e9), { from: 40_000, until: 161_000 });
  assert.deepEqual(surroundings({ from: 400_000, until: 500_000 }, 1e9), { from: 300_000, until: 600_000 });
  assert.equal(surroundings({ from: 400_000, until: 500_000 }, 510_000).until, 510_000);
});

test('a range is said in few words', () => {
  const at = (day, second, year = 2026) => String(new Date(year, 10, day, 7, 41, second, 250).getTime());
  const now = Number(at(16, 50));
  const said = (from, until) => spoken(from, until, now);
  const today = said(at(16, 34), at(16, 37));
  assert.match(today, /^0?7:41:34.*–.*7:41:37/);
  assert.doesNotMatch(today, /16|2026|25/, 'no day, no year, no part of a second');
  const yesterday = said(at(15, 34), at(15, 37));
  assert.match(yesterday, /15.*7:41:34.*–.*7:41:37/);
  assert.equal(yesterday.split('15').length, 2, 'the day is said once');
  assert.doesNotMatch(yesterday, /2026/);
  assert.match(said(at(15, 34), at(16, 37)), /15.*7:41:34.*–.*16.*7:41:37/);
  assert.match(said(at(15, 34, 2025), at(15, 37, 2025)), /2025.*7:41:34.*–.*7:41:37/);
  assert.match(said(at(16, 34), ''), /^0?7:41:34.* – now$/);
  assert.match(said('', at(16, 37)), /^begin – 0?7:41:37/);
  assert.equal(said('now-10m', 'now-5m'), 'now-10m – now-5m');
  assert.equal(said('nonsense', ''), 'nonsense – now');
});

test('a place beside is in the nearest part', () => {
  assert.deepEqual(
    [-5, 0, 49, 50, 99, 100].map((place) => partAt(place, 100, 2)),
    [0, 0, 0, 1, 1, 1],
  );
});

test('the day is said again only if it is another one', () => {
  const noon = new Date(2026, 0, 15, 12).getTime();
  const said = within(noon, noon + 60_000)(noon + 60_000);
  assert.ok(moment(noon + 60_000).includes(said) && !said.includes('2026'), said);
  const tomorrow = noon + 86_400_000;
  assert.equal(within(noon, tomorrow)(noon), moment(noon));
});

test('tables go home without formulas and with their commas', () => {
  assert.equal(
    csv([
      ['a', 'b'],
      ['=1+1', 'x,"y"'],
      [-1, 2.5],
    ]),
    `a,b\r\n'=1+1,"x,""y"""\r\n-1,2.5\r\n`,
  );
});

test('stolen time is told, and is a warning from a twentieth on', () => {
  const answer = (counts) => ({ occurrences: 'samples', totalCalls: 1000, provenance: { counts } });
  const little = answer({ 'steal us': 1_000_000, 'corrected cpu us': 99_000_000, 'throttled us': 500_000 });
  assert.equal(
    cpus(little),
    '1.67 min on CPUs, 1 s of it stolen by the hypervisor (1.0 %), 500 ms throttled by a CPU limit',
  );
  assert.deepEqual(warnings(little), []);
  assert.match(
    warnings(answer({ 'steal us': 5, 'corrected cpu us': 95 }))[0],
    /5\.0 % of the CPU time was stolen/,
  );
  assert.equal(cpus(answer({})), '');
});

test('warnings are about the resource that is shown', () => {
  const answer = (occurrences, counts) => ({ occurrences, recordedCalls: 1000, provenance: { counts } });
  assert.deepEqual(warnings(answer('cpu-samples', { lost: 900, 'lost cpu-samples': 5, biased: 5 })), []);
  assert.match(
    warnings(answer('cpu-samples', { 'lost cpu-samples': 50 }))[0],
    /5\.0 % of the samples were lost/,
  );
  assert.match(warnings(answer('samples', { lost: 500 }))[0], /50\.0 %/);
  assert.deepEqual(warnings(answer('allocations', { biased: 500 })), []);
  assert.match(warnings(answer('samples', { 'lost chunks': 1 }))[0], /1 chunks/);
  const measured = { 's in which calls were measured exactly': 12 };
  assert.match(warnings(answer('samples', measured))[0], /for 12 s calls were measured exactly/);
  assert.deepEqual(warnings(answer('calls', measured)), []);
});

test('times and classes are said as people say them', () => {
  assert.equal(stretch(60_000), 'a minute');
  assert.equal(stretch(7_200_000), '2 hours');
  assert.equal(ago('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:10:00Z')), '10 min ago');
  assert.equal(classOf('a.B$C.d(e.F,int)'), 'a.B$C');
  assert.equal(classOf('native'), '');
});

test('aspects of contentions are read from an address', () => {
  assert.deepEqual(orderOf('owner-chain,nothing,kind,kind', 'blocked'), ['owner-chain', 'kind']);
  assert.deepEqual(orderOf('', 'blocked'), ['lock-class', 'blocked-chain', 'owner-chain']);
  assert.deepEqual(orderOf('blocked-chain', 'held'), ['lock-class', 'owner-chain']);
  assert.equal(timeOf('cpu'), 'blocked');
  assert.equal(timeOf('held'), 'held');
  assert.equal(timeOf('toString'), 'blocked');
});

test('a call chain is its innermost method and how many called it', () => {
  assert.equal(folded('a.B.c() ← a.B.d() ← a.B.main()'), 'a.B.c() [+2]');
  assert.equal(folded('[unknown owner]'), '[unknown owner]');
});

test('a call chain shows what the application does before what the JDK does for it', () => {
  const chain =
    'sun.nio.ch.Net.poll() ← java.io.Writer.flush() ← a.B.c(int) ← a.B$$Lambda.run() ← a.B.main()';
  assert.deepEqual(shortened(chain), { method: 'a.B.c(int)', callers: 2, calling: 'sun.nio.ch.Net.poll()' });
  assert.equal(folded(chain), 'a.B.c(int) [+2] → Net.poll()');
  assert.equal(folded('java.lang.Thread.run() ← java.lang.Thread.go()'), 'java.lang.Thread.run() [+1]');
  assert.deepEqual(
    stretchesOf(chain.split(' ← ')).map(({ platform, methods }) => [platform, methods.length]),
    [
      [true, 2],
      [false, 1],
      [true, 1],
      [false, 1],
    ],
  );
});

const rowOf = (blocked, ...path) => ({ path, blocked });

test('what a tree of contentions leaves out has a row where it belongs', () => {
  const rows = [rowOf(6, 'A'), rowOf(4, 'A', 'x'), rowOf(3, 'B')];
  assert.deepEqual(withRests(rows, 10, 'blocked', 2), [
    rowOf(6, 'A'),
    rowOf(4, 'A', 'x'),
    rowOf(2, 'A', REST),
    rowOf(3, 'B'),
    rowOf(3, 'B', REST),
    rowOf(1, REST),
  ]);
  assert.deepEqual(withRests(rows.slice(0, 1), 6, 'blocked', 1), [rowOf(6, 'A')]);
});

test('chains that look the same are told apart by the callers where they part', () => {
  const answer = 'sun.nio.ch.Net.poll() ← a.B.get(int) ← a.B.product() ← a.B.run() ← a.B.main()';
  const stock = 'sun.nio.ch.Net.poll() ← a.B.get(int) ← a.B.stock() ← a.B.run() ← a.B.main()';
  const other = 'sun.nio.ch.Net.poll() ← a.B.get(int) ← a.B.stock() ← a.B.run() ← a.B.test()';
  const alone = 'a.B.take() ← a.B.main()';
  const forks = forksOf([stock, alone, answer, other, '[unknown owner]']);
  assert.deepEqual(forks.get(answer), [1]);
  assert.deepEqual(forks.get(stock), [1, 3]);
  assert.deepEqual(forks.get(other), [1, 3]);
  assert.deepEqual(forks.get(alone), []);
  assert.deepEqual(forks.get('[unknown owner]'), []);
  const shown = (chain) => withCallers(chain, forks.get(chain));
  assert.equal(shown(answer), 'B.get(int) ← B.product() [+2]');
  assert.equal(shown(other), 'B.get(int) ← B.stock() ← … ← B.test()');
  assert.equal(shown(alone), 'B.take() [+1]');
  // One that ends where another goes on has nothing to show for it.
  assert.deepEqual(forksOf(['a.B.c() ← a.B.d()', 'a.B.c()']).get('a.B.c()'), []);
});

test('small rows are folded into one that says how many they are', () => {
  const [a, b, x, y, z, w] = [
    rowOf(90, 'A'),
    rowOf(0.5, 'A', 'x'),
    rowOf(0.4, 'A', 'y'),
    rowOf(0.3, 'A', 'z'),
    rowOf(0.2, 'B'),
    rowOf(0.1, 'B', 'w'),
  ];
  const { rows, parents } = gathered([a, b, x, y, z, w], 'blocked', 1);
  const more = rows[2];
  assert.deepEqual(
    rows.map((row) => row.path.join('/')),
    ['A', 'A/x', 'A/[2 more]', 'A/y', 'A/z', 'B', 'B/w'],
  );
  assert.equal(more.more, 2);
  assert.ok(Math.abs(more.blocked - 0.7) < 1e-9);
  assert.equal(parents.get(y), more);
  assert.equal(parents.get(more), a);
  assert.equal(parents.get(b), a);
  assert.equal(parents.get(w), z);
});

test('what the budget left out is said once', () => {
  const provenance = {
    reduced:
      'no locks, no locks, no allocations, no locks, no allocations, samples every 20 ms, no locks, samples every 40 ms',
    'classes not traced': '3',
    'classes not restored': '2',
    counts: { 'lock events lost': 12, 'lost cpu-samples': 9 },
  };
  assert.deepEqual(reductions(provenance), ['no locks', 'no allocations', 'samples every 20 to 40 ms']);
  assert.match(warnings({ provenance }).at(-1), /: no locks, no allocations, samples every 20 to 40 ms$/);
  assert.deepEqual(reductions({ counts: {} }), []);
  const [lost, untold, unrestored, off] = lockWarnings({ provenance });
  assert.equal(lost, '12 lock events lost');
  assert.equal(untold, '3 classes not traced');
  assert.equal(unrestored, '2 classes not restored');
  assert.match(off, /budget switched lock tracing off/);
  assert.deepEqual(lockWarnings({ provenance: { counts: {}, reduced: 'no allocations' } }), []);
});

test('each thing that the budget left out has its times', () => {
  const rows = [
    { reduction: 'no allocations', from: '2', until: '5' },
    { reduction: 'no locks', from: '1', until: '2' },
    { reduction: 'no locks', from: '4', until: '5' },
  ];
  const times = timesOf(rows, (it) => it);
  assert.deepEqual(
    [...times],
    [
      ['no locks', ['1 – 2', '4 – 5']],
      ['no allocations', ['2 – 5']],
    ],
  );
});

test('what an answer rests on tells what was left out from what was lost', () => {
  const of = (totalCalls, recordedCalls, lost) =>
    restsOn({
      totalCalls,
      recordedCalls,
      occurrences: 'cpu-samples',
      provenance: { counts: { 'lost cpu-samples': lost } },
    });
  assert.equal(of(900, 900, 0), ': 900 cpu-samples');
  assert.equal(of(836, 973, 137), ': 836 cpu-samples (137 more were lost)');
  assert.equal(of(300, 973, 137), ': 300 of 836 cpu-samples (137 more were lost)');
  assert.equal(restsOn({ provenance: { counts: {} } }), '');
  const both = { counts: { 'lost samples': 40 } };
  const compared = { totalCalls: 30, recordedCalls: 30, occurrences: 'samples', baselineTotal: 7 };
  assert.equal(restsOn({ ...compared, provenance: both }), ': 30 samples');
});

test('rows that come later stand below the row they belong to', () => {
  const rows = [rowOf(6, 'A'), rowOf(4, 'A', 'x'), rowOf(3, 'B')];
  const below = (name) => [rowOf(0, name), rowOf(4, name, 'x'), rowOf(2, name, 'y')];
  assert.deepEqual(
    replaced(rows, ['A'], below('A')).map((row) => row.path.join('/')),
    ['A', 'A/x', 'A/y', 'B'],
  );
  assert.deepEqual(
    replaced(rows, ['B'], below('B')).map((row) => row.path.join('/')),
    ['A', 'A/x', 'B', 'B/x', 'B/y'],
  );
  assert.deepEqual(replaced(rows, [], [rowOf(9, 'C')]), [rowOf(9, 'C')]);
});

test('a histogram has the durations between, and adds up', () => {
  const rows = [
    { path: ['5-10 ms'], blocked: 3, contentions: 2 },
    { path: ['1-2 ms'], blocked: 1, contentions: 1 },
    { path: ['5-10 ms'], blocked: 4, contentions: 1 },
  ];
  assert.deepEqual(histogram(rows, 'blocked'), [
    { duration: '1-2 ms', count: 1, time: 1 },
    { duration: '2-5 ms', count: 0, time: 0 },
    { duration: '5-10 ms', count: 3, time: 7 },
  ]);
  assert.deepEqual(histogram([], 'blocked'), []);
});

test('a method that was profiled is written as a root, if it can be one', () => {
  assert.equal(rootOf('dev.heatline.shop.Search.find(String)'), 'dev.heatline.shop.Search::find(String)');
  assert.equal(rootOf('a.B$C.lambda$d$0(Map$Entry,int[])'), 'a.B$C::lambda$d$0(Map$Entry,int[])');
  assert.equal(rootOf('Main.main'), 'Main::main');
  for (const none of [
    'a.B.<init>(int)',
    'a.B$$Lambda.apply(Object)',
    'a.B$$Lambda/0x00007f.apply(Object)',
    'std::sort',
    'tcp_sendmsg',
    'all threads',
    'a.B.c(\u202e)',
    `a.B.${'c'.repeat(600)}()`,
  ])
    assert.equal(rootOf(none), '', none);
});

test('a root is understood as people have it', () => {
  assert.equal(typedRoot(' Search::find '), 'Search::find');
  assert.equal(typedRoot('com.shop.Cart.add(String,int)'), 'com.shop.Cart::add(String,int)');
  assert.equal(typedRoot('\tat app//com.shop.Cart.add(Cart.java:12)'), 'com.shop.Cart::add');
  assert.equal(typedRoot('at java.base/java.util.HashMap.get(HashMap.java:556)'), 'java.util.HashMap::get');
  assert.equal(typedRoot('main'), 'main');
  assert.equal(filterOf(' Cart::add(S'), '(?i)Cart\\.add\\(S');
});

test('a measurement says how far it is', () => {
  const now = Date.parse('2026-11-15T10:00:12.5Z');
  const left = (from, seconds = 30) => secondsLeft({ from, seconds }, now);
  assert.equal(left('2026-11-15T10:00:00Z'), 18);
  assert.equal(left('2026-11-15T09:00:00Z'), 0);
  assert.equal(left('2026-11-15T10:00:20Z'), 30, 'by another clock');
  assert.equal(left(undefined), 30);
  assert.equal(
    stateText({ state: 'waiting', message: 'waiting for the collector' }),
    'Waiting for the collector',
  );
  assert.equal(stateText({ state: 'running', message: '' }), 'Measuring');
  assert.equal(stateText({ state: 'ended', message: 'over budget' }), 'Ended: over budget');
  assert.deepEqual(
    ['waiting', 'running', 'ended', 'failed'].map((state) => isUnderWay({ state })),
    [true, true, false, false],
  );
  assert.equal(eachCall({ cum: 3, calls: 50 }), 0.06);
  assert.equal(eachCall({ cum: 3, calls: 0 }), 0);
});

test('times are counted by powers of two, those between that nothing took, too', () => {
  const bucket = (from, calls) => ({ from, to: from + 1, calls });
  assert.deepEqual(powersOf([]), []);
  assert.deepEqual(powersOf([bucket(0, 1), bucket(1, 2), bucket(4, 3), bucket(7, 4), bucket(16, 5)]), [
    { below: 2, calls: 3 },
    { below: 4, calls: 0 },
    { below: 8, calls: 7 },
    { below: 16, calls: 0 },
    { below: 32, calls: 5 },
  ]);
});

test('calls that were counted only have no time, and those of others are no less', () => {
  assert.equal(timeText({ calls: 9 }, 0, '0'), '0');
  assert.equal(timeText({ calls: 9, countedOnly: 9 }, 0, '0'), '–');
  assert.equal(timeText({ calls: 9, countedOnly: 4 }, 2, '2 s'), '> 2 s');
  const each = (row) => eachText(row, (value) => `${value} s`);
  assert.equal(each({ cum: 10, calls: 9, countedOnly: 4 }), '2 s');
  assert.equal(each({ cum: 0, calls: 9, countedOnly: 4 }), '–');
  assert.equal(each({ cum: 0, calls: 9 }), '0 s');
});

test('JVMs to measure are those that are selected', () => {
  const jvms = [
    { version: '1.0', instance: 'a' },
    { version: '', instance: 'b' },
  ];
  const found = (search) => narrowed(jvms, Route.of(search)).map((it) => it.instance);
  assert.deepEqual(found(''), ['a', 'b']);
  assert.deepEqual(found('?version='), ['b']);
  assert.deepEqual(found('?version=1.0&instance=a&instance=b'), ['a']);
  assert.deepEqual(found('?version=1.0&instance=b'), []);
});

test('what was measured is selected, and nothing else', () => {
  const measured = {
    state: 'ended',
    regions: [],
    version: '',
    instance: 'b',
    from: '1970-01-01T00:00:01Z',
    until: '1970-01-01T00:00:02.5Z',
  };
  const route = Route.of('?app=shop&thread=x&root=a.B::c&baseline=1&version=1.0&instance=a');
  assert.equal(
    route.to('flame', whereMeasured(measured)).address,
    '?app=shop&version=&instance=b&from=1000&until=2501&resource=elapsed&view=flame',
  );
  assert.equal(whereMeasured({ ...measured, until: undefined }), null);
  assert.equal(whereMeasured({ ...measured, regions: ['a.B::c'] }), null);
  assert.equal(whereMeasured(measured, 'allocated').resource, 'allocated');
  assert.equal(whereMeasured({ ...measured, state: 'failed' }), null);
});
