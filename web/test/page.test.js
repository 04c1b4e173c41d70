import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { launch } from './chromium.js';
import { screenshotPath } from './file.js';
import { callTree, HOSTILE, JVM, LiveJvm, measurement, times } from './live.js';
import { painted, panning } from './measure.js';

// A server with versions 1.0 and 1.1 of an application, the source of its class org.h2.mvstore.Page, an
// application whose methods have hostile names, one whose locks were traced, and one with stolen CPU time.
const SERVER = process.env.HEATLINE_SERVER;
const APP = 'workload';

// The same behind a token for reading.
const GUARDED = process.env.HEATLINE_GUARDED;
const TOKEN = process.env.HEATLINE_TOKEN;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CONTENDED = 'product-search';

/** What a hypervisor took of its CPU time is known. */
const STOLEN = 'stolen';

const VIEWS = {
  overview: '?',
  flame: `?view=flame&app=${APP}`,
  tree: `?view=tree&app=${APP}`,
  methods: `?view=methods&app=${APP}`,
  method: `?view=method&app=${APP}&name=org.h2.mvstore.Page.get`,
  source: `?view=source&app=${APP}&class=org.h2.mvstore.Page&line=246`,
  threads: `?view=threads&app=${APP}`,
  locks: `?view=locks&app=${CONTENDED}`,
  untraced: `?view=locks&app=${APP}`,
  measure: `?view=measure&app=${APP}&measurement=first&measureRoot=Search::find`,
  unmeasurable: `?view=measure&app=${APP}`,
  timeline: `?view=timeline&app=${APP}`,
  compare: `?view=compare&app=${APP}&version=1.1&baseline=1.0`,
  sides: `?view=compare&app=${APP}&version=1.1&baseline=1.0&show=sides`,
  changes: `?view=flame&app=${APP}&version=1.1&baseline=1.0`,
  tasks: `?view=tasks&app=${APP}&define=sql%3Dprefix%3Aorg.h2.`,
  trust: `?view=trust&app=${APP}`,
};

// Ten rows are as accessible as a thousand, of which axe takes a minute.
const FEW = { methods: '&filter=IndexSearcher', compare: '&filter=IndexSearcher', tree: '&filter=Query' };

/** Views whose answers the server does not have. */
const PREPARED = { measure: measuring };

/** Views that are about more or less than the samples of a selection. */
const UNSTATED = ['overview', 'locks', 'untraced', 'measure', 'unmeasurable'];

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

/** Opens the page; whatever it complains about fails the test, unless it is expected to. */
async function open(t, query, { complains, prepare, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  await prepare?.(page);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(SERVER)) complaints.push(`asks elsewhere: ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    if (!complains) assert.deepEqual(complaints, []);
  });
  await page.goto(SERVER + query);
  await settled(page);
  return page;
}

const settled = (page) => page.waitForSelector('main:not([aria-busy]) > *');
const text = (page, selector) => page.locator(selector).first().innerText();

for (const [view, query] of Object.entries(VIEWS)) {
  test(`${view} can be opened, reloaded, read at 1280 px and on a phone`, async (t) => {
    const page = await open(t, query, { prepare: PREPARED[view] });
    await page.screenshot({ path: screenshotPath(`page-${view}`) });
    const before = await text(page, 'main');
    assert.ok(before.length > 20, before);
    await page.reload();
    await settled(page);
    if (!UNSTATED.includes(view)) assert.ok((await text(page, '.stated')).includes('samples'));
    await page.setViewportSize({ width: 390, height: 800 });
    await page.screenshot({ path: screenshotPath(`page-${view}-phone`) });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${view} is ${wide} px wide on a phone`);
  });

  for (const colours of ['light', 'dark']) {
    test(`${view} is accessible in ${colours} colours`, async (t) => {
      const options = { colorScheme: colours, prepare: PREPARED[view] };
      const page = await open(t, query + (FEW[view] ?? ''), options);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(
        violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`),
        [],
      );
    });
  }
}

test('from the overview to the hot method, its caller, its thread and its version', async (t) => {
  const page = await open(t, '');
  await page.click(`main a:text-is("${APP}")`);
  await page.waitForSelector('.graph canvas');
  await page.click('nav a:text-is("Methods")');
  const hottest = 'org.h2.mvstore.db.RowDataType.binarySearch(SearchRow,SearchRow[],int,int)';
  await page.click(`.view-methods tbody a:text-is("${hottest}")`);
  await page.waitForSelector('.view-method');
  assert.equal(await text(page, '.view-method h1'), hottest);
  const table = (caption) => page.locator(`table:has(caption:text-is("${caption}")) tbody`).innerText();
  assert.match(await table('Called by'), /RowDataType\.binarySearch\(SearchRow,Object,int,int\)/);
  assert.match(await table('Threads it runs on'), /database/);
  await page.waitForSelector('caption:text-is("By version")', { state: 'attached' });
  assert.match(await table('By version'), /1\.0[^]*1\.1/);
  await page.goBack();
  await page.waitForSelector('.view-methods');
});

test('tables are sorted, filtered and kept in the address', async (t) => {
  const page = await open(t, VIEWS.methods);
  await page.click('th button:text-is("Method")');
  assert.equal(await page.locator('th[aria-sort=ascending]').count(), 1);
  assert.ok(page.url().includes('sort=method'));
  await page.fill('.tools input', 'lucene');
  await page.waitForURL(/filter=lucene/);
  const names = await page.locator('tbody tr td:first-child').allInnerTexts();
  assert.ok(names.length > 0 && names.every((name) => name.includes('lucene')));
  await page.reload();
  await settled(page);
  assert.deepEqual(await page.locator('tbody tr td:first-child').allInnerTexts(), names);
});

test('tables go home as CSV and JSON', async (t) => {
  const page = await open(t, VIEWS.methods);
  for (const format of ['CSV', 'JSON']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`button:text-is("${format}")`),
    ]);
    const content = readFileSync(await download.path(), 'utf8');
    assert.ok(content.includes('org.'), content.slice(0, 100));
    if (format === 'JSON') assert.ok(JSON.parse(content).length > 10);
    else assert.ok(content.startsWith('method,base'));
  }
});

test('the selection narrows what is shown, and says so', async (t) => {
  const page = await open(t, VIEWS.methods);
  const whole = await text(page, '.stated');
  await page.selectOption('label:has-text("Version") select', '1.1');
  await page.waitForURL(/version=1.1/);
  await page.waitForFunction((before) => document.querySelector('.stated').textContent !== before, whole);
  await page.fill('label:has-text("Threads") input', 'database');
  await page.keyboard.press('Tab');
  await page.waitForURL(/thread=database/);
  await page.waitForFunction(() => / of .* samples/.test(document.querySelector('.stated').textContent));
});

test('a range of time is drawn on the strip', async (t) => {
  const page = await open(t, VIEWS.methods);
  const box = await page.locator('.strip .range').boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 10, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=\d+&until=\d+/);
  await settled(page);
});

test('every control of the selection is in the address', async (t) => {
  const page = await open(t, VIEWS.methods);
  const changed = async (act, url) => {
    const before = await text(page, 'main');
    await act();
    await page.waitForURL(url);
    await page.waitForFunction(
      (old) =>
        document.querySelector('main:not([aria-busy])') !== null &&
        document.querySelector('main').innerText !== old,
      before,
    );
  };
  await changed(
    () => page.selectOption('label:has-text("Resource") select', 'allocated'),
    /resource=allocated/,
  );
  await changed(() => page.selectOption('label:has-text("Resource") select', 'cpu'), /resource=cpu/);
  const type = (label, value) => async () => {
    await page.fill(`label:has-text("${label}") input`, value);
    await page.keyboard.press('Tab');
  };
  await changed(type('Root method', 'Page::get'), /root=Page/);
  await changed(type('Root method', ''), (url) => !url.searchParams.has('root'));
  await changed(type('Task', 'sql=prefix:org.h2.'), /task=sql/);
  await page.click('.selection summary');
  await page.click('.selection .choices input');
  await page.waitForURL(/instance=/);
  await settled(page);
  await page.reload();
  await settled(page);
  assert.equal(await page.inputValue('label:has-text("Task") input'), 'sql=prefix:org.h2.');
  await page.selectOption('label:has-text("Time") select', 'now-5m');
  await page.waitForURL(/from=now-5m/);
  await page.waitForFunction(() =>
    document.querySelector('.stated').textContent.startsWith('Nothing was recorded'),
  );
});

test('two versions are compared from the selection alone', async (t) => {
  const page = await open(t, `?view=compare&app=${APP}`);
  assert.match(await text(page, 'main'), /Choose what to compare with/);
  await page.selectOption('label:has-text("Version") select', '1.1');
  await page.waitForURL(/version=1.1/);
  await page.selectOption('label:has-text("Compared with") select', '1.0');
  await page.waitForSelector('.arrow.more');
  assert.match(await text(page, '.view-compare tbody tr'), /IndexSearcher/);
  const own = await page.locator('.view-compare tbody tr td:nth-child(4)').allInnerTexts();
  await page.click('.view-compare th button:text-is("Self")');
  await page.waitForURL(/sort=-self/);
  const most = await text(page, '.view-compare tbody tr td:nth-child(4)');
  assert.equal(Number(most), Math.max(...own.map(Number)));
  await page.click('main a:text-is("Side by side")');
  await page.waitForFunction(() => document.querySelectorAll('.view-compare canvas').length === 2);
  await page.click('main a:text-is("One flame graph")');
  await page.waitForSelector('.view-flame canvas');
  assert.match(await text(page, '.view-flame'), /change/);
});

const graphs = (page) => page.locator('.view-compare .graph');
const box = (page, side) => graphs(page).nth(side).getByRole('searchbox');

test('both flame graphs side by side keep zoom and search in the address', async (t) => {
  const page = await open(t, VIEWS.sides);
  await box(page, 0).fill('lucene');
  await page.waitForURL((url) => url.searchParams.get('before') === 'search=lucene');
  const canvas = graphs(page).nth(1).locator('canvas').first();
  const bounds = await canvas.boundingBox();
  await page.mouse.click(bounds.x + 60, bounds.y + 50);
  await page.waitForURL((url) => /^zoom=/.test(url.searchParams.get('now')));
  const zoomed = () => graphs(page).nth(1).locator('.hl-breadcrumb ol').innerText();
  const shown = await zoomed();
  await page.reload();
  await settled(page);
  assert.equal(await box(page, 0).inputValue(), 'lucene');
  assert.equal(await box(page, 1).inputValue(), '');
  assert.equal(await zoomed(), shown);
  await page.selectOption('label:has-text("Resource") select', 'allocated');
  await page.waitForURL(/resource=allocated/);
  await settled(page);
  assert.equal(await box(page, 0).inputValue(), 'lucene');
});

test('a package has one colour on both sides', async (t) => {
  const page = await open(t, VIEWS.sides);
  const [before, now] = await Promise.all(
    [0, 1].map(async (side) =>
      graphs(page)
        .nth(side)
        .locator('.hl-legend li')
        .evaluateAll((items) =>
          Object.fromEntries(
            items.map((it) => [it.innerText.split('\n')[0], it.querySelector('.hl-swatch').style.background]),
          ),
        ),
    ),
  );
  const both = Object.keys(before).filter((name) => name in now);
  assert.ok(both.length >= 5, both.join());
  for (const name of both) assert.equal(before[name], now[name], name);
});

test('the resource is chosen in one place', async (t) => {
  for (const view of ['flame', 'sides', 'changes']) {
    const page = await open(t, `${VIEWS[view]}#resource=allocated`);
    assert.equal(await page.getByLabel('Resource').count(), 1, view);
    assert.match(await text(page, '.hl-status'), /^cpu/, view);
  }
});

test('what is zoomed stays zoomed in another selection that has it', async (t) => {
  const page = await open(t, VIEWS.flame);
  const canvas = await page.locator('.graph canvas').first().boundingBox();
  await page.mouse.click(canvas.x + 100, canvas.y + 110);
  await page.waitForURL(/#zoom=/);
  const zoomed = new URL(page.url()).hash;
  const shown = await text(page, '.hl-breadcrumb ol');
  const choose = async (label, value, url) => {
    await page.selectOption(`label:has-text("${label}") select`, value);
    await page.waitForURL(url);
    await settled(page);
  };
  await choose('Version', '1.1', /version=1.1/);
  assert.equal(new URL(page.url()).hash, zoomed);
  assert.equal(await text(page, '.hl-breadcrumb ol'), shown);
  await page.fill('label:has-text("Root method") input', 'IndexSearcher::search');
  await page.keyboard.press('Tab');
  await page.waitForURL((url) => url.searchParams.has('root') && url.hash === '');
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has('root') && url.hash === zoomed);
});

test('a method whose name no address holds has its page, flame graph and tree', async (t) => {
  const page = await open(t, '?view=methods&app=hostile');
  const long = /longlong.*… \(10000 characters\)/;
  await page.locator('tbody a', { hasText: long }).click();
  await page.waitForSelector('.view-method');
  assert.match(await text(page, '.view-method h1'), long);
  await page.waitForSelector('caption:text-is("By version")', { state: 'attached' });
  for (const [link, view] of [
    ['Flame graph from here', 'flame'],
    ['call tree from here', 'tree'],
  ]) {
    await page.click(`main a:text-is("${link}")`);
    await page.waitForSelector(`.view-${view}`);
    await settled(page);
    assert.match(await text(page, '.stated'), /4.711 samples/);
    await page.goBack();
    await page.waitForSelector('.view-method');
  }
});

test('a method says what it was in the baseline', async (t) => {
  const name = encodeURIComponent('org.apache.lucene.search.IndexSearcher.search(Query,int)');
  const page = await open(t, `?view=method&app=${APP}&version=1.1&baseline=1.0&name=${name}`);
  assert.match(await text(page, '.view-method'), /5\.0 % → 18\.3 %, hardly by chance/);
});

test('versions to compare are suggested', async (t) => {
  const page = await open(t, `?view=compare&app=${APP}`);
  await page.click('main a:text-is("1.1 compared with 1.0")');
  await page.waitForURL(/version=1.1&baseline=1.0/);
  await page.waitForSelector('.arrow.more');
});

test('on a phone, filters that say nothing are shown when they are wanted', async (t) => {
  const page = await open(t, VIEWS.methods, { viewport: { width: 390, height: 800 } });
  const threads = page.getByLabel('Threads', { exact: true });
  assert.equal(await threads.isVisible(), false);
  await page.click('button:text-is("All filters")');
  await threads.fill('database');
  await threads.press('Enter');
  await page.waitForURL(/thread=database/);
  await page.reload();
  await settled(page);
  assert.equal(await threads.isVisible(), true);
  assert.equal(await page.getByLabel('Root method').isVisible(), false);
});

test('a frame of the flame graph leads to its method, its source and its own flame graph', async (t) => {
  const page = await open(t, VIEWS.flame);
  for (const [item, url] of [
    ['Only this method and what it calls', /root=/],
    ['Callers, callees, lines, history', /view=method/],
    ['Source', /view=source/],
  ]) {
    await page.waitForSelector('.graph canvas');
    const box = await page.locator('.graph canvas').first().boundingBox();
    await page.mouse.click(box.x + 100, box.y + 110, { button: 'right' });
    await page.click(`[role=menuitem]:text-is("${item}")`);
    await page.waitForURL(url);
    await settled(page);
    await page.goBack();
    await page.waitForURL((now) => !url.test(now.href));
  }
});

test('the flame graph explains itself', async (t) => {
  const page = await open(t, VIEWS.flame);
  await page.getByRole('button', { name: 'Help and keys' }).click();
  assert.match(await text(page, 'dialog[open]'), /Right click/);
});

test('a frame says on which threads it ran', async (t) => {
  const page = await open(t, VIEWS.flame);
  const box = await page.locator('.graph canvas').first().boundingBox();
  await page.mouse.move(box.x + 100, box.y + 30);
  await page.waitForSelector('.hl-tooltip:not([hidden])');
  assert.match(await text(page, '.hl-tooltip'), /On \d+ threads: .* %/);
});

test('source has what its lines used beside it', async (t) => {
  const page = await open(t, VIEWS.source, { complains: true });
  const here = await text(page, '.source .here');
  assert.match(here, /\d+ ms\s+\d+ ms\s+246\s+return compare\(key\)/);
  await page.waitForFunction(() => document.querySelector('.source .scroll').scrollTop > 1000);
  assert.equal(await page.evaluate(() => scrollY), 0, 'the head of the page stays in sight');
  await page.goto(`${SERVER}?view=source&app=${APP}&class=org.h2.value.ValueInteger`);
  await page.waitForSelector('.view-source');
  assert.match(await text(page, 'main'), /does not know the source/);
  assert.ok((await page.locator('.source tbody tr').count()) > 0);
});

const SECONDS = `?view=timeline&app=${CONTENDED}&resource=blocked`;
const cells = (page) => page.locator('.heat span');

/** The numbers of the two cells in which most was going on, the hottest first. */
async function hottest(page) {
  const heats = await cells(page).evaluateAll((all) =>
    all.map((it) => parseInt(it.style.getPropertyValue('--heat'), 10)),
  );
  return [...heats.keys()].sort((a, b) => heats[b] - heats[a]).slice(0, 2);
}

/** What a cell says of its second. */
const used = async (page, cell) => (await cells(page).nth(cell).getAttribute('title')).replace(/^.*: /, '');

test('a cell of the heat map is profiled, two cells are compared', async (t) => {
  const page = await open(t, SECONDS);
  const [hot, other] = await hottest(page);
  const [now, before] = [await used(page, hot), await used(page, other)];
  await cells(page)
    .nth(other)
    .click({ modifiers: ['Control'] });
  await page.waitForURL(/baselineFrom=\d+.*view=compare/);
  await page.click('nav a:text-is("Timeline")');
  await cells(page).nth(hot).click();
  await page.waitForURL(/from=\d+&.*until=\d+/);
  await settled(page);
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get('until') - searchParams.get('from'), 1000);
  const stated = await text(page, '.stated');
  assert.ok(stated.startsWith(`${now} blocked`), `${stated}, but the cell has ${now}`);
  assert.doesNotMatch(stated, /taken whole/);
  await page.click('nav a:text-is("Compare")');
  const sides = await page.getByText(/^Before: /).innerText();
  assert.match(sides, new RegExp(`^Before: ${before}, .* Now: ${now}, `));
  assert.equal(await page.locator('main .missing').count(), 0);
});

test('profiles that do not tell their seconds are taken whole, which is said', async (t) => {
  const page = await open(t, VIEWS.timeline);
  await cells(page).nth(30).click();
  await page.waitForURL(/from=\d+&until=\d+/);
  await settled(page);
  assert.match(await text(page, '.stated'), /in 1 profile, taken whole, from .*8:50:05.* to .*8:50:45/);
  const box = await page.locator('.view-timeline .range').boundingBox();
  await page.keyboard.down('Control');
  await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 10, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up('Control');
  await page.waitForURL(/baselineFrom=\d+.*view=compare/);
  await settled(page);
  assert.match(await text(page, 'main .missing'), /recorded from .* is on both sides.* taken whole/);
});

test('cells of the heat map are chosen by keys alone', async (t) => {
  const page = await open(t, VIEWS.timeline);
  const map = page.locator('.heat');
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const spoken = () => map.getAttribute('aria-valuetext');
  const cursor = async () => Number(await map.getAttribute('aria-valuenow'));
  await map.focus();
  await press('Enter');
  assert.equal(await spoken(), 'nothing chosen');
  await press('ArrowDown');
  const start = await cursor();
  assert.equal(
    await spoken(),
    await cells(page).nth(start).getAttribute('title'),
    'keys begin at the hottest',
  );
  await press('ArrowLeft');
  assert.equal(await cursor(), start, 'there is no column before the first');
  await press('ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowDown');
  assert.equal(await cursor(), start + 10 - 1);
  await press('Shift+ArrowRight');
  assert.equal(await page.locator('.heat .marked').count(), 11);
  assert.equal(await page.locator('.heat .cursor').count(), 1);
  assert.match(await spoken(), /8:50:\d\d.* to .*8:50:\d\d.*: .* s$/);
  await press('Escape');
  assert.equal(await page.locator('.heat .marked').count(), 0);
  assert.equal(await spoken(), 'nothing chosen');
  await press('ArrowUp', 'Shift+ArrowUp', 'Enter');
  await page.waitForURL(/from=\d+&until=\d+/);
  await settled(page);
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get('until') - searchParams.get('from'), 2000);
  await map.focus();
  await press('ArrowUp', 'Control+Enter');
  await page.waitForURL(/baselineFrom=\d+.*view=compare/);
});

test('the heat map says what its colours, rows and ends are', async (t) => {
  const page = await open(t, VIEWS.timeline);
  const [hot] = await hottest(page);
  assert.equal(await text(page, '.scale'), `0\n${await used(page, hot)} in a second`);
  assert.deepEqual(await page.locator('.rows span').allInnerTexts(), ['0 s', '5 s']);
  const ends = await page.locator('.heat + .axis span').allInnerTexts();
  assert.match(ends[0], /\d{4}.*8:50:00/);
  assert.match(ends[2], /^0?8:51:30( AM)?$/, 'the day is said once');
});

test('the heat map shows when within a profile most was going on', async (t) => {
  const page = await open(t, SECONDS);
  const label = await page.locator('.heat').getAttribute('aria-label');
  assert.match(label, /10 seconds a column and a second a cell/);
  const titles = await cells(page).evaluateAll((all) => all.map((it) => it.title));
  const values = titles.map((title) => title.replace(/^.*: /, '')).filter((value) => value !== '0');
  assert.ok(new Set(values).size > 2, `spread evenly: ${values}`);
});

const timesOf = (page) => new URL(page.url()).searchParams;
const marked = (page, kind) =>
  cells(page).evaluateAll(
    (all, name) => all.flatMap((it, i) => (it.classList.contains(name) ? [i] : [])),
    kind,
  );

/** Drags from one cell to another; what is read meanwhile. */
async function dragCells(page, from, to) {
  const middle = async (cell) => {
    const { x, y, width, height } = await cells(page).nth(cell).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await cells(page).nth(from).scrollIntoViewIfNeeded();
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(to)), { steps: 4 });
  const read = page.locator('.heat + .axis span').nth(1);
  const { y, height } = await read.boundingBox();
  assert.ok(y >= 0 && y + height <= 900, 'it is in sight');
  const said = await read.innerText();
  await page.mouse.up();
  return said;
}

test('the heat map keeps what was chosen, with what is around it', async (t) => {
  const page = await open(t, VIEWS.timeline);
  assert.match(await dragCells(page, 30, 33), /8:50:30.* to .*8:50:34.*: .* s$/);
  await page.waitForURL(/from=\d+&until=\d+/);
  await page.waitForSelector('.heat .marked');
  await settled(page);
  const [from, until] = ['from', 'until'].map((name) => Number(timesOf(page).get(name)));
  const chosen = await marked(page, 'marked');
  assert.equal(chosen.length, 4);
  assert.ok(chosen[0] >= 60, 'a minute before it');
  assert.ok((await cells(page).count()) - chosen[3] > 60, 'a minute after it');
  assert.match(await cells(page).nth(chosen[0]).getAttribute('title'), /8:50:30/);
  const other = chosen[3] + 6;
  await page.keyboard.down('Control');
  await dragCells(page, other, other + 1);
  await page.keyboard.up('Control');
  await page.waitForURL(/baselineFrom=\d+.*view=compare/);
  assert.equal(Number(timesOf(page).get('baselineFrom')), until + 5000);
  assert.equal(Number(timesOf(page).get('from')), from);
  await settled(page);
  await page.click('nav a:text-is("Timeline")');
  await page.waitForSelector('.heat .other');
  assert.deepEqual(await marked(page, 'marked'), chosen);
  assert.deepEqual(await marked(page, 'other'), [other, other + 1]);
  await page.locator('.heat').focus();
  await page.keyboard.press('Home');
  assert.deepEqual(await marked(page, 'marked'), [0]);
  assert.deepEqual(await marked(page, 'other'), [other, other + 1]);
  await page.keyboard.press('Escape');
  assert.deepEqual(await marked(page, 'marked'), chosen, 'only what is being picked is given up');
});

test('chosen ranges can be read, in one row, and there is a way back', async (t) => {
  const page = await open(t, VIEWS.timeline);
  const back = page.locator('.selection button:text-is("all time")');
  assert.equal(await back.isVisible(), false);
  await dragCells(page, 30, 33);
  await page.waitForURL(/from=\d+&until=\d+/);
  const [from, until] = ['from', 'until'].map((name) => Number(timesOf(page).get(name)));
  await page.goto(`${page.url()}&baselineFrom=${from + 5000}&baselineUntil=${until + 5000}`);
  await settled(page);
  const rows = await page
    .locator('.selection form > :visible')
    .evaluateAll((all) => new Set(all.map((it) => Math.round(it.getBoundingClientRect().bottom))).size);
  assert.equal(rows, 1);
  for (const label of ['Time', 'Compared with']) {
    const spoken = await page.locator(`label:has(> span:text-is("${label}")) option:checked`).innerText();
    assert.match(spoken, /:50:.*–.*:50:/);
    assert.ok(spoken.length < 40, spoken);
  }
  await back.click();
  await page.waitForURL((url) => !/[?&](from|until)=/.test(url.search));
  await page.waitForFunction(() => document.querySelector('.heat .marked') === null);
  assert.equal(await back.isVisible(), false);
});

test('who picks by keys goes on where that was', async (t) => {
  const page = await open(t, VIEWS.timeline);
  for (const place of ['.heat', '.view-timeline .range']) {
    const before = page.url();
    await page.locator(place).focus();
    await page.keyboard.press('End');
    const last = await page.locator(place).getAttribute('aria-valuemax');
    assert.equal(await page.locator(place).getAttribute('aria-valuenow'), last);
    await page.keyboard.press('Shift+Home');
    assert.match(await page.locator(place).getAttribute('aria-valuetext'), / to /);
    // Not at the ends of the map, where nothing was recorded.
    for (const key of ['Escape', 'ArrowDown', 'ArrowLeft', 'Shift+ArrowLeft', 'Enter'])
      await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== before);
    await page.waitForFunction(
      (selector) =>
        document.querySelector('main:not([aria-busy])') !== null &&
        document.activeElement === document.querySelector(selector) &&
        document.activeElement.getAttribute('aria-valuetext') === 'nothing chosen',
      place,
    );
  }
});

test('a range is chosen by keys alone', async (t) => {
  const page = await open(t, VIEWS.methods);
  await page.focus('.strip .range');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.waitForURL(/from=\d+&until=\d+/);
});

test('the call tree unfolds what was left out', async (t) => {
  const page = await open(t, VIEWS.tree);
  const rows = () => page.locator('.view-tree tbody tr').count();
  for (let i = 0; i < 3; i++) {
    const before = await text(page, '.view-tree tbody');
    await page.locator('.view-tree button:text-is("smaller ones …")').first().click();
    await page.waitForFunction((old) => document.querySelector('.view-tree tbody').innerText !== old, before);
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("JSON")')]);
  const paths = JSON.parse(readFileSync(await download.path(), 'utf8')).map((row) => row.path.join('\n'));
  assert.equal(paths.length, await rows());
  assert.equal(new Set(paths).size, paths.length, 'no context twice');
  const shown = await text(page, '.view-tree tbody');
  await page.reload();
  await settled(page);
  assert.equal(await text(page, '.view-tree tbody'), shown);
});

/** Lets answers come late. */
const slow = (page, answers) =>
  page.route(answers, async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    // The page may have given up by then.
    await route.continue().catch(() => {});
  });

test('what is typed while answers are under way is kept', async (t) => {
  const page = await open(t, VIEWS.methods);
  await slow(page, '**/api/v1/resources*');
  await page.fill('label:has-text("Threads") input', 'database');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Page::get');
  await page.waitForURL(/thread=database/);
  await settled(page);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('root') === 'Page::get');
  assert.match(page.url(), /thread=database/);
});

test('who is faster than the server loses nothing', async (t) => {
  const page = await open(t, SECONDS);
  const [hot, other] = await hottest(page);
  await slow(page, '**/api/**');
  await cells(page)
    .nth(other)
    .click({ modifiers: ['Control'] });
  await page.click('nav a:text-is("Timeline")');
  await cells(page).nth(hot).click();
  await page.click('nav a:text-is("Compare")');
  await page.getByText(/^Before: /).waitFor();
  const times = ['from', 'baselineFrom'].map((name) => Number(timesOf(page).get(name)));
  assert.equal(times[0] - times[1], (hot - other) * 1000);
});

test('a selection that nothing matches can be mended', async (t) => {
  const page = await open(t, `?view=methods&app=${APP}&thread=nobody`, { complains: true });
  await slow(page, '**/api/v1/resources*');
  await page.reload();
  assert.equal(await page.inputValue('label:has-text("Threads") input'), 'nobody', 'at once');
  assert.match(await text(page, '[role=alert]'), /no thread matches nobody/);
  await page.fill('label:has-text("Threads") input', '');
  await page.keyboard.press('Tab');
  await page.waitForSelector('.view-methods tbody a');
});

test('a range that is compared with can be taken away', async (t) => {
  const page = await open(t, `?view=flame&app=${APP}&baselineFrom=1&baselineUntil=2000000000000`);
  assert.match(await text(page, '.stated'), /compared with/);
  await page.selectOption('label:has-text("Compared with") select', { label: 'nothing' });
  await page.waitForURL((url) => !url.search.includes('baseline'));
});

test('a task is tried, saved, used and deleted', async (t) => {
  const page = await open(t, `?view=tasks&app=${APP}`, { complains: true });
  await page.fill('.writing input', 'org.apache');
  await page.waitForFunction(() => document.querySelector('.view-tasks').innerText.includes('no saved task'));
  await page.fill('.writing input', 'search=prefix:org.apache.lucene.');
  await page.waitForSelector('button:text-is("Save it")');
  assert.match(await text(page, '.view-tasks tbody'), /search/);
  await page.click('button:text-is("Save it")');
  await page.waitForSelector('tbody button:text-is("Delete")');
  await page.click('.view-tasks tbody a');
  await page.waitForSelector('.view-flame canvas');
  await page.goBack();
  await page.click('tbody button:text-is("Delete")');
  await page.waitForFunction(() =>
    document.querySelector('.view-tasks tbody').innerText.includes('There is none'),
  );
});

// Says how long it takes; how long it may take is no matter of a test.
test('what is seen soon is measured', async (t) => {
  for (const [what, query] of Object.entries({
    'the overview': '',
    'the flame graph': VIEWS.flame,
    'a flame graph of 911 000 contexts': '?view=flame&app=million&nodes=1000000',
  })) {
    const page = await open(t, query);
    for (const time of ['first', 'second']) {
      const begin = performance.now();
      await page.goto(SERVER + query);
      await settled(page);
      await painted(page);
      t.diagnostic(`${what}, ${time} time: ${Math.round(performance.now() - begin)} ms`);
    }
    if (query.includes('million'))
      t.diagnostic(`${what}: panned and zoomed at ${(await panning(page)).toFixed(0)} frames a second`);
  }
});

const chips = (page) =>
  page.locator('ol.chips .chip').evaluateAll((all) => all.map((it) => it.dataset.aspect));
const brokenDown = (page, by) => page.waitForURL((url) => url.searchParams.get('by') === by);
const answered = (page) => page.waitForSelector('.view-locks .details:not([aria-busy]) h2');

test('the guilty call chain stands beside the one it kept waiting', async (t) => {
  const page = await open(t, VIEWS.locks);
  await answered(page);
  const tree = await text(page, '.view-locks tbody');
  assert.match(
    tree,
    /ReentrantLock\$NonfairSync[^]*ProductSearch\.byNumber\(\) \[\+\d+\][^]*ProductSearch\.byName\(\) \[\+\d+\]/,
  );
  assert.match(await text(page, '.details .blocked-chain'), /byNumber\(\)[^]*lookUp\(\)/);
  assert.match(await text(page, '.details .owner-chain'), /byName\(\)[^]*search\(\)/);
  assert.match(await text(page, '.stated'), /blocked: [\d\u202f]+ contentions/);
  assert.match(
    await text(page, 'section:has(> h3:text-is("How long this owner held it"))'),
    /5–10 ms|10–20 ms/,
  );
  assert.match(await text(page, 'section:has(> h3:text-is("How long they waited"))'), /contentions/);
  assert.match(await text(page, 'section:has(> h3:text-is("Its locks"))'), /NonfairSync@[0-9a-f]+/);
  await page.click('.details .owner-chain a');
  await page.waitForSelector('.view-method h1');
  assert.match(await text(page, '.view-method h1'), /ProductSearch\.byName/);
});

test('the chains of a row are in sight when it is chosen, beside the tree or below it', async (t) => {
  const page = await open(t, VIEWS.locks);
  await answered(page);
  const inSight = () =>
    page.evaluate(() => {
      const { top, bottom } = document.querySelector('.details .sides').getBoundingClientRect();
      return top >= 0 && top < innerHeight - 40 && bottom > 0;
    });
  assert.ok(await inSight(), 'at first');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('button[data-row]').first().click();
  await page.waitForSelector('.details h2:has-text("NonfairSync")');
  await page.waitForFunction(
    () => document.querySelector('.details .sides').getBoundingClientRect().top < innerHeight - 40,
  );
  assert.ok(await inSight(), 'on a phone');
});

test('calls of the JDK are folded and can be seen', async (t) => {
  const page = await open(t, VIEWS.locks);
  await answered(page);
  const plain = (place) => page.locator(`${place} li:not(.platform) > a`).first().innerText();
  assert.match(await plain('.details .owner-chain'), /^ProductSearch\.byName\(\)$/);
  const names = await page.locator('.details .owner-chain a').evaluateAll((all) => all.map((it) => it.title));
  assert.ok(names.includes('java.lang.Thread.run()'), names.join());
});

test('what threads had of the CPUs stands beside what their samples say', async (t) => {
  const page = await open(t, `?view=threads&app=${STOLEN}`);
  assert.match(
    await text(page, 'main'),
    /10 s on CPUs, 1 s of it stolen by the hypervisor \(10\.0 %\), 2\.50 s waiting for one, 500 ms throttled/,
  );
  for (const table of ['Threads', 'Threads alike']) {
    const shown = page.getByRole('region', { name: table, exact: true });
    const heads = await shown.locator('thead th').allInnerTexts();
    const cells = await shown.locator('tbody tr').first().locator('td, th').allInnerTexts();
    const cell = (name) => cells[heads.findIndex((head) => head.startsWith(name))];
    assert.equal(cell('cpu'), '2 s');
    assert.equal(cell('corrected'), '1.50 s');
    assert.equal(cell('steal'), '250 ms');
  }
});

test('the resource is no filter of locks', async (t) => {
  const page = await open(t, VIEWS.locks);
  assert.equal(await page.locator('.selection select:visible').count(), 4);
  await page.click('nav a:text-is("Threads")');
  await page.waitForSelector('.selection label:has-text("Resource"):visible');
});

test('that the budget ended lock tracing is said', async (t) => {
  const page = await open(t, VIEWS.overview);
  await page.route(/\/api\/v1\/locks\?/, async (route) => {
    const answer = await (await route.fetch()).json();
    answer.provenance.reduced = 'no locks, no locks, no allocations';
    answer.provenance.counts['lock events lost'] = 12;
    await route.fulfill({ json: answer });
  });
  const [from, until] = ['2026-11-15T10:01:00Z', '2026-11-15T10:03:00Z'];
  await page.route(/\/api\/v1\/reductions\?/, (route) =>
    route.fulfill({
      json: {
        rows: [
          { reduction: 'no allocations', from, until },
          { reduction: 'no locks', from, until },
        ],
      },
    }),
  );
  await page.goto(new URL(VIEWS.locks, page.url()).href);
  await answered(page);
  assert.match(await text(page, '.missing'), /12 lock events lost[^]*budget switched lock tracing off/);
  await page.waitForSelector('.reductions li');
  assert.match(await text(page, '.reductions'), /^no locks: .*:01:00.* – .*:03:00/);
});

test('aspects are moved, added and taken away by keys alone', async (t) => {
  const page = await open(t, VIEWS.locks);
  await page.focus('button[aria-label="Move left Owner call chain"]');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  await brokenDown(page, 'owner-chain,lock-class,blocked-chain');
  assert.equal(await text(page, '.aspects [role=status]'), 'Owner call chain is number 1 of 3');
  assert.match(
    await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
    /Owner call chain/,
  );
  await page.focus('button[aria-label="Remove Lock class"]');
  await page.keyboard.press('Enter');
  await page.focus('button[aria-label="Add Kind"]');
  await page.keyboard.press('Enter');
  await brokenDown(page, 'owner-chain,blocked-chain,kind');
  await page.waitForSelector('th button:text-is("Owner call chain › Blocked call chain › Kind")');
  await page.reload();
  await settled(page);
  assert.deepEqual(await chips(page), ['owner-chain', 'blocked-chain', 'kind']);
});

test('aspects are dragged to their place', async (t) => {
  const page = await open(t, VIEWS.locks);
  const drag = async (from, to, part) => {
    const chip = await page.locator(`[data-aspect=${from}]`).boundingBox();
    const place = await page.locator(to).boundingBox();
    await page.mouse.move(chip.x + chip.width / 2, chip.y + chip.height / 2);
    await page.mouse.down();
    await page.mouse.move(place.x + place.width * part, place.y + place.height / 2, { steps: 8 });
    await page.mouse.up();
  };
  await drag('owner-chain', '[data-aspect=lock-class]', 0.2);
  await brokenDown(page, 'owner-chain,lock-class,blocked-chain');
  await drag('owner-thread', '[data-aspect=blocked-chain]', 0.2);
  await brokenDown(page, 'owner-chain,lock-class,owner-thread,blocked-chain');
  await drag('lock-class', 'ul.chips', 0.5);
  await brokenDown(page, 'owner-chain,owner-thread,blocked-chain');
  await page.waitForSelector('th button:text-is("Owner call chain › Owner thread › Blocked call chain")');
});

test('rows of locks fold and are chosen, which is kept in the address', async (t) => {
  const page = await open(t, VIEWS.locks);
  await answered(page);
  const rows = () => page.locator('.view-locks .table').first().locator('tbody tr:visible').count();
  const before = await rows();
  await page.locator('button.fold').first().click();
  assert.ok((await rows()) < before);
  await page.locator('button[data-row]').first().click();
  await page.waitForSelector('.details h2:has-text("NonfairSync")');
  await page.waitForSelector('h3:text-is("Its call chains")');
  await page.locator('section[aria-label="The chosen row"] button.link').last().click();
  const url = page.url();
  assert.match(url, /fold=\w+/);
  assert.match(url, /row=\w+/);
  assert.match(url, /pair=\w+/);
  const chains = await text(page, '.details .owner-chain');
  const folded = await rows();
  await page.reload();
  await answered(page);
  assert.equal(await rows(), folded);
  assert.equal(await text(page, '.details .owner-chain'), chains);
});

test('what a tree of locks leaves out is asked for when it is wanted', async (t) => {
  const page = await open(t, VIEWS.locks);
  await answered(page);
  const rows = () => page.locator('.view-locks .table').first().locator('tbody tr').count();
  const all = await rows();
  await page.route(/\/locks\?.*limit=300/, (route) =>
    route.continue({ url: route.request().url().replace('limit=300', 'limit=4') }),
  );
  await page.reload();
  await answered(page);
  const few = await rows();
  assert.ok(few < all, `${few} of ${all}`);
  const more = page.locator('.view-locks button:text-is("smaller ones …"):visible');
  while ((await more.count()) > 0) {
    const before = await rows();
    await more.last().click();
    await page.waitForFunction(
      (old) => document.querySelector('.view-locks .table tbody').children.length !== old,
      before,
    );
  }
  assert.equal(await rows(), all);
  await page.reload();
  await answered(page);
  assert.equal(await rows(), all);
});

test('what was waited for and held is another question', async (t) => {
  const page = await open(t, VIEWS.locks);
  await page.click('.kinds a:text-is("held")');
  // Until the answer comes, the view before it is still there.
  await page.waitForSelector('.kinds a[aria-current]:text-is("held")');
  await answered(page);
  assert.deepEqual(await chips(page), ['lock-class', 'owner-chain']);
  assert.match(await text(page, '.view-locks tbody'), /ProductSearch\.byName/);
  assert.equal(await page.locator('.details .blocked-chain').count(), 0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.view-locks button:text-is("JSON")').first().click(),
  ]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.ok(saved.length > 1 && saved.every((row) => row.held > 0 && row.path.length <= 2));
});

test('threads of contentions may have hostile names', async (t) => {
  const page = await open(t, `${VIEWS.locks}&by=owner-thread,blocked-thread`);
  await answered(page);
  const shown = await text(page, 'main');
  assert.ok(shown.includes('<img src=x onerror=alert(1)>⟨U+202E⟩'), shown.slice(0, 500));
  assert.equal(await page.locator('main img').count(), 0);
});

test('where no locks were traced the page says how', async (t) => {
  const page = await open(t, VIEWS.untraced);
  assert.match(
    await text(page, 'main'),
    /heatline locks PID -o locks\.heat && heatline push[^]*heatline collect --locks/,
  );
});

const MEASURE = `?view=measure&app=${APP}`;

/** A measurement that is under way, with earlier ones. */
function measuring(page) {
  const live = new LiveJvm();
  live.now = measurement({
    from: new Date().toISOString(),
    tree: callTree(12),
    said: ['methods changed: 860'],
  });
  live.earlier = [
    live.now,
    measurement({ id: 'failed', state: 'failed', message: 'no class Serch is loaded' }),
  ];
  return live.answer(page);
}

/** Opens the view where something can be measured. */
async function openMeasure(t, live, more = '', options = {}) {
  return open(t, MEASURE + more, { prepare: (page) => live.answer(page), ...options });
}

const stateOf = (page) => text(page, '.measurement [role=status]');
const calls = (page) => page.locator('.measurement tbody tr');
const said = (page, state) =>
  page.waitForFunction(
    (wanted) => document.querySelector('.measurement [role=status]').textContent.startsWith(wanted),
    state,
  );

test('a method is measured from its page to the flame graph', async (t) => {
  const live = new LiveJvm();
  live.now = measurement({ id: 'new', state: 'waiting', message: 'waiting for the collector' });
  const page = await open(t, VIEWS.method, { prepare: (it) => live.answer(it) });
  await page.locator('main a:text-is("measure exactly")').first().click();
  await page.waitForSelector('.view-measure');
  const root = await page.inputValue('label:has-text("Root method") input >> nth=-1');
  assert.match(root, /^org\.h2\.mvstore\.Page::get\(.*\)$/);
  live.earlier = [live.now];
  await page.click('button:text-is("Measure")');
  await page.waitForURL(/measurement=new/);
  const { params } = live.asked.find((it) => it.question === 'POST measurements');
  assert.equal(
    params.toString(),
    `jvm=${JVM.jvm}&seconds=30&timing=exact&alloc=false&survival=false&${new URLSearchParams({ root })}`,
  );
  await said(page, 'Waiting for the collector');
  const from = new Date().toISOString();
  live.now = measurement({ ...live.now, state: 'running', message: '', from });
  await said(page, 'Measuring');
  assert.match(await text(page, '.measurement'), /(30|29|28) s left[^]*No root has been called yet/);
  live.now = { ...live.now, tree: callTree(3), said: ['methods changed: 860'] };
  await page.waitForSelector('.measurement tbody a');
  assert.match(await text(page, '.said'), /methods changed: 860/);
  assert.match(await calls(page).nth(1).innerText(), /Search\.find\(String\)\s+50\s+3 s\s+0\s+60 ms\s+100 %/);
  live.answers['DELETE measurements'] = () => {
    live.now = { ...live.now, state: 'ended', until: '2026-11-15T10:00:20.5Z', from: '2026-11-15T10:00:00Z' };
    live.earlier = [live.now];
    return { json: live.now };
  };
  await page.click('button:text-is("End now")');
  await said(page, 'Ended');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2', 'the button is gone');
  await page.waitForSelector('table:has(caption:text-is("Measurements")) td:text-is("Ended")');
  assert.equal(await page.locator('.measurement button:text-is("End now"):visible').count(), 0);
  assert.equal(await calls(page).count(), 5);
  const times = { from: Date.parse('2026-11-15T10:00:00Z'), until: Date.parse('2026-11-15T10:00:20.5Z') + 1 };
  for (const view of ['flame graph', 'call tree', 'methods']) {
    const { searchParams } = new URL(
      await page.locator(`.measurement a:text-is("${view}")`).evaluate((it) => it.href),
    );
    for (const [name, value] of Object.entries({ ...times, resource: 'elapsed', instance: JVM.instance }))
      assert.equal(searchParams.get(name), String(value));
  }
});

test('the times of one method are asked for and seen as they are measured', async (t) => {
  const live = new LiveJvm();
  const region = { roots: [], regions: ['Search::find'] };
  live.now = measurement(region);
  const page = await openMeasure(t, live, '&measureRoot=Search::find&timing=sampled');
  const form = page.locator('.measuring');
  await form.locator('label:has-text("What") select').selectOption('region');
  assert.equal(await form.locator('label:has-text("Timing")').isVisible(), false);
  await page.click('button:text-is("Measure")');
  await page.waitForURL(/measurement=first/);
  const { params } = live.asked.find((it) => it.question === 'POST measurements');
  assert.equal(String(params), 'jvm=jvm-1&seconds=30&region=Search%3A%3Afind');
  await page.getByText('No times are known yet.').waitFor();
  live.now = measurement({ ...region, times: times(50) });
  const shown = page.locator('.regions');
  await shown.getByText('50 calls, 10.0 a second, 600 ms in all, 12 ms each').waitFor();
  assert.match(await shown.innerText(), /50 %: 8.39 ms, 90 %: 19.6 ms.*slowest: 52.5 ms/);
  assert.match(await shown.locator('.times').innerText(), /8.39 ms\s+49\s+98.0 %[^]*67.1 ms\s+1\s+2.0\d? %/);
  const slow = shown.locator('summary');
  assert.match(await slow.innerText(), /52.5 ms at .* in request-3, with java.lang.String/);
  await slow.click();
  const link = shown.locator('h3 a');
  for (const [calls, place] of [
    [51, link],
    [52, slow],
    [53, shown.locator('pre')],
  ]) {
    await place.evaluate((it) => (window.place = it).focus());
    live.now = measurement({ ...region, times: times(calls) });
    await shown.getByText(`${calls} calls`).waitFor();
    assert.ok(await page.evaluate(() => window.place === document.activeElement), 'the focus stays');
  }
  live.now = measurement({
    ...region,
    state: 'ended',
    times: times(60),
    from: live.now.created,
    until: live.now.created,
  });
  await shown.getByText('60 calls').waitFor();
  assert.match(await shown.locator('pre').innerText(), /Shop.handle:108/, 'it stays unfolded');
  assert.equal(await page.locator('.measurement a:text-is("flame graph")').count(), 0, 'it is no profile');
  await page.reload();
  await shown.getByText('60 calls').waitFor();
  assert.equal(await form.locator('label:has-text("What") select').inputValue(), 'region');
});

test('a method that was sampled and measured says how many calls there are for each sample', async (t) => {
  const beside = { calls: 509604, timePerCall: 32e-6 };
  let more = { samples: 812, callsPerSample: 627.6 };
  const prepare = (page) =>
    page.route(/\/api\/v1\/method\?/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.stanzas[0].self.beside = { ...beside, ...more };
      await route.fulfill({ response, json });
    });
  const page = await open(t, VIEWS.method, { prepare });
  await page.getByText(/509.604 calls, 32 µs each; 812 samples: 628 calls for each sample/).waitFor();
  more = {};
  await page.reload();
  await page.getByText(/509.604 calls, 32 µs each\.$/).waitFor();
});

test('objects are seen as they are counted, and where they are kept', async (t) => {
  const live = new LiveJvm();
  const path = ['all threads', 'dev.heatline.shop.Search.find(String)', 'dev.heatline.shop.Search$Hit'];
  const row = (depth, calls, base, cum) => ({
    ...{ path: path.slice(0, depth + 1), depth, calls, base, cum, basePercent: 0, cumPercent: 100 },
  });
  const tree = {
    resource: { name: 'allocated', unit: 'bytes' },
    ...{ total: 720, totalCalls: 30, rows: [row(0, 0, 0, 720), row(1, 0, 0, 720), row(2, 30, 720, 720)] },
  };
  const resources = ['allocated', 'allocations', 'calls', 'elapsed'];
  live.now = measurement({ resources, tree: callTree(3) });
  const page = await openMeasure(t, live, '&measurement=first');
  await page.waitForSelector('.measurement tbody a');
  live.now = measurement({ resources, tree });
  await page.locator('label:has-text("Shown") select').selectOption('allocated');
  await page.getByText('30 objects, 720 B').waitFor();
  assert.match(await text(page, 'table:has(caption:text-is("Objects"))'), /Search\$Hit\s+30\s+720 B\s+24 B/);
  assert.equal(await page.locator('table:has(caption:text-is("Calls")):visible').count(), 0);
  const { params } = live.asked.findLast((it) => it.question === 'GET measurement');
  assert.equal(params.get('resource'), 'allocated');
  live.now = { ...live.now, state: 'ended', from: live.now.created, until: live.now.created };
  const kept = page.locator('.measurement a:text-is("call tree")');
  await kept.waitFor();
  assert.match(await kept.getAttribute('href'), /resource=allocated/);
  await page.reload();
  await page.getByText('30 objects, 720 B').waitFor();
  live.now = { ...live.now, resources: ['calls', 'elapsed'], tree: callTree(3) };
  await page.reload();
  await page.waitForSelector('.measurement tbody a');
  assert.match(await kept.getAttribute('href'), /resource=elapsed/, 'there are no objects');
});

test('calls that were counted only have a dash for their time', async (t) => {
  const live = new LiveJvm();
  const tree = callTree(2);
  Object.assign(tree.rows[2], { countedOnly: 50, base: 0, cum: 0, cumPercent: 0 });
  Object.assign(tree.rows[3], { countedOnly: 80 });
  live.now = measurement({ tree });
  const page = await openMeasure(t, live, '&measurement=first');
  await page.waitForSelector('.measurement tbody a');
  assert.match(await calls(page).nth(2).innerText(), /step0\(String\)\s+50\s+–\s+–\s+–\s+–$/);
  assert.match(
    await calls(page).nth(3).innerText(),
    /step1\(String\)\s+100\s+> 1 s\s+> 1 s\s+50 ms\s+50.0 %/,
  );
});

test('calls that grow keep the focus, the place and what is marked', async (t) => {
  const live = new LiveJvm();
  live.now = measurement({ tree: callTree(60) });
  const page = await openMeasure(t, live, '&measurement=first');
  const link = page.locator('.measurement a:text-is("dev.heatline.shop.Search.step40(String)")');
  await link.focus();
  await link.evaluate((it) => getSelection().selectAllChildren(it));
  const place = () =>
    page.evaluate(() => [
      document.activeElement.textContent,
      String(getSelection()),
      document.querySelector('.measurement .scroll').scrollTop,
    ]);
  const before = await place();
  assert.ok(before[2] > 0);
  for (const methods of [61, 65]) {
    live.now = measurement({ tree: callTree(methods) });
    await page.waitForFunction(
      (rows) => document.querySelectorAll('.measurement tbody tr').length === rows,
      methods + 2,
    );
    assert.deepEqual(await place(), before);
  }
  const [, first, ...others] = live.now.tree.rows;
  live.now = measurement({
    tree: { ...live.now.tree, rows: [live.now.tree.rows[0], first, ...others.reverse()] },
  });
  await page.waitForSelector('.measurement tr:nth-child(3):has-text("step64")');
  assert.equal((await place())[0], before[0], 'also where the order is another');
  live.now = measurement({ tree: callTree(5) });
  await page.waitForSelector('.measurement tbody:not(:has(tr:nth-child(8)))');
  assert.equal(
    await page.evaluate(() => document.activeElement.className),
    'scroll',
    'and stays near what is gone',
  );
});

test('a measurement is asked for once at a time, until it ends or nobody looks', async (t) => {
  const live = new LiveJvm();
  let release = () => {};
  live.answers['GET measurement'] = () => new Promise((done) => (release = () => done({ json: live.now })));
  const asked = () => live.count('GET measurement');
  const until = async (isSo) => {
    while (!isSo()) await page.evaluate(() => 0);
  };
  /** Lets time pass. What the page asks then is known when something that is asked after it is answered. */
  const pass = async (millis) => {
    await page.clock.runFor(millis);
    await page.evaluate(() => fetch('api/v1/jvms?app=any'));
  };
  const prepare = async (page) => {
    await page.clock.install();
    await live.answer(page);
  };
  const page = await openMeasure(t, live, '&measurement=first', { prepare });
  await until(() => asked() === 1);
  await pass(5000);
  assert.equal(asked(), 1, 'the first was not answered yet');
  release();
  await said(page, 'Measuring');
  await pass(1000);
  await until(() => asked() === 2);
  assert.equal(live.most, 1);
  live.now = measurement({ state: 'ended' });
  release();
  await said(page, 'Ended');
  await pass(5000);
  assert.equal(asked(), 2, 'it has ended');
  live.now = measurement();
  await page.reload();
  await until(() => asked() === 3);
  release();
  await said(page, 'Measuring');
  await page.click('nav a:text-is("Threads")');
  await page.waitForSelector('.view-threads');
  const left = asked();
  await pass(5000);
  assert.equal(asked(), left, 'nobody looks');
});

test('what is to be measured is kept in the address', async (t) => {
  const live = new LiveJvm();
  live.jvms = [JVM, { ...JVM, jvm: 'jvm-2', instance: 'host:4712' }];
  const page = await openMeasure(t, live);
  const form = page.locator('.measuring');
  await page.click('button:text-is("Measure")');
  assert.equal(live.count('POST measurements'), 0, 'no JVM is chosen for anybody');
  await form.locator('label:has-text("JVM") select').selectOption('jvm-2');
  await form.getByLabel('Root method', { exact: true }).fill('\tat app//com.shop.Cart.add(Cart.java:12)');
  await form.getByText('Another root').click();
  await page.keyboard.type('Search::find');
  await form.getByLabel('For how long').selectOption('300');
  await form.getByLabel('Timing').selectOption('sampled');
  await form.getByLabel('Classes of the JDK').fill('java.util.* java.io.*');
  await form.getByLabel('still alive').check();
  await page.waitForURL(/alloc=true&survival=true/);
  await page.reload();
  await settled(page);
  assert.deepEqual(await form.locator('.roots input').evaluateAll((all) => all.map((it) => it.value)), [
    'com.shop.Cart::add',
    'Search::find',
  ]);
  await page.click('button:text-is("Measure")');
  await page.waitForURL(/measurement=first/);
  const { params } = live.asked.find((it) => it.question === 'POST measurements');
  assert.deepEqual(
    ['jvm', 'root', 'seconds', 'timing', 'alloc', 'survival', 'include'].map((name) =>
      params.getAll(name).join(),
    ),
    ['jvm-2', 'com.shop.Cart::add,Search::find', '300', 'sampled', 'true', 'true', 'java.util.*,java.io.*'],
  );
  await form.getByLabel('Objects').uncheck();
  assert.equal(await form.getByLabel('still alive').isChecked(), false, 'of those that are counted');
  await page.goto(`${SERVER}${MEASURE}&jvm=jvm-0`);
  await settled(page);
  assert.equal(await form.locator('label:has-text("JVM") select').inputValue(), '', 'it is gone');
});

test('roots are suggested from what was profiled', async (t) => {
  const page = await openMeasure(t, new LiveJvm());
  await page.locator('.roots input').fill('rowdatatype::binarySearch(SearchRow,S');
  const found = 'org.h2.mvstore.db.RowDataType::binarySearch(SearchRow,SearchRow[],int,int)';
  await page.waitForSelector(`datalist option[value="${found}"]`, { state: 'attached' });
  assert.equal(await page.locator('datalist option').count(), 1);
});

test('JVMs are those of the selection', async (t) => {
  const live = new LiveJvm();
  live.jvms = [JVM, { ...JVM, jvm: 'jvm-2', version: '', instance: 'host:4712' }];
  const page = await openMeasure(t, live, `&instance=${JVM.instance}`, { complains: true });
  assert.equal(await page.locator('.measuring select').first().inputValue(), JVM.jvm);
  assert.equal(await page.locator('.selection').getByText('Root method').isVisible(), false);
  await page.selectOption('label:has-text("Version") select', '1.0');
  await page.getByText('No collector follows a JVM of what is selected now, but 2 others').waitFor();
  live.jvms = [];
  await page.click('button:text-is("Look again")');
  await page.getByText('No collector follows a JVM of this application now.').waitFor();
});

test('what cannot be measured is said beside what was asked for', async (t) => {
  const live = new LiveJvm();
  const refused = (status, error) => () => ({ status, json: { error } });
  live.answers['POST measurements'] = refused(400, `no class Serch is loaded${HOSTILE}`);
  const page = await openMeasure(t, live, '&measureRoot=Serch::find', { complains: true });
  await page.click('button:text-is("Measure")');
  const alert = page.locator('.measuring [role=alert]');
  await alert.getByText('no class Serch is loaded').waitFor();
  assert.match(await alert.innerText(), /⟨U\+202E⟩/);
  assert.equal(await page.inputValue('.roots input'), 'Serch::find');
  live.answers['POST measurements'] = refused(403, 'this token is not for measure');
  await page.click('button:text-is("Measure")');
  await page.fill('main [role=alert] input', TOKEN);
  await page.click('main [role=alert] button:text-is("Use it")');
  await page.waitForSelector('.measuring');
  assert.equal(await page.inputValue('.roots input'), 'Serch::find');
});

test('a measurement that failed, or that nobody knows, says so', async (t) => {
  const live = new LiveJvm();
  live.now = measurement({ state: 'failed', message: 'the collector does not report any more' });
  live.earlier = [live.now];
  const page = await openMeasure(t, live, '', { complains: true });
  await page.locator('table:has(caption:text-is("Measurements")) tbody a').click();
  await page.getByRole('alert').getByText('the collector does not report any more').waitFor();
  assert.equal(await stateOf(page), 'Failed');
  assert.equal(await page.inputValue('.roots input'), 'Search::find', 'to be measured again');
  live.answers['GET measurement'] = () => ({ status: 404, json: { error: 'there is no measurement first' } });
  await page.reload();
  await page.getByRole('alert').getByText('there is no measurement first').waitFor();
});

test('a server that is away for a moment ends nothing', async (t) => {
  const live = new LiveJvm();
  live.now = measurement({ tree: callTree(3) });
  const page = await openMeasure(t, live, '&measurement=first', { complains: true });
  await page.waitForSelector('.measurement tbody a');
  const answer = live.answers['GET measurement'];
  live.answers['GET measurement'] = () => ({ status: 503, json: { error: 'too many ask at once' } });
  await page.getByText(/Not brought up to date since .*: too many ask at once/).waitFor();
  assert.equal(await calls(page).count(), 5);
  live.answers['GET measurement'] = answer;
  live.now = measurement({ tree: callTree(4) });
  await page.waitForFunction(() => document.querySelectorAll('.measurement tbody tr').length === 6);
  assert.doesNotMatch(await text(page, '.measurement'), /Not brought up to date/);
});

test('what is measured may have hostile names', async (t) => {
  const live = new LiveJvm();
  live.jvms = [{ ...JVM, instance: HOSTILE, main: 'long'.repeat(2500) }];
  const tree = callTree(2, (i) => (i === 0 ? HOSTILE : 'long'.repeat(2500)));
  live.now = measurement({ instance: HOSTILE, roots: [HOSTILE], message: HOSTILE, said: [HOSTILE], tree });
  live.earlier = [live.now];
  const page = await openMeasure(t, live, '&measurement=first');
  await page.waitForSelector('.measurement tbody a');
  const shown = await text(page, 'main');
  // Five places in the measurement, the form and the list; the long name is clipped.
  assert.ok(shown.split('⟨U+202E⟩').length > 6, shown.slice(0, 800));
  assert.ok(!shown.includes('\u202e'));
  assert.ok(shown.includes('… (10000 characters)'));
  assert.equal(await page.locator('main img').count(), 0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 1280, `${wide} px wide`);
});

test('hostile names do no harm', async (t) => {
  for (const view of ['flame', 'tree', 'methods', 'threads']) {
    const page = await open(t, `?view=${view}&app=hostile`);
    if (view === 'tree' || view === 'methods') {
      const shown = await text(page, 'main');
      assert.ok(shown.includes('<img src=x onerror=alert(1)>⟨U+202E⟩'), shown.slice(0, 500));
      assert.ok(shown.includes('… (10000 characters)'), shown.slice(0, 500));
    }
    assert.equal(await page.locator('main img').count(), 0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 1280, `${view} is ${wide} px wide`);
  }
});

test('a token is asked for, also when it has expired', async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(GUARDED);
  await page.fill('[role=alert] input', 'wrong-wrong-wrong-wrong');
  await page.click('[role=alert] button:text-is("Use it")');
  await page.waitForSelector('[role=alert] input');
  await page.fill('[role=alert] input', TOKEN);
  await page.click('[role=alert] button:text-is("Use it")');
  await page.waitForSelector('h1:text-is("Nothing has been profiled yet")');
  await page.evaluate(() => sessionStorage.setItem('heatline-token', 'expired-expired-expired'));
  await page.reload();
  await page.waitForSelector('[role=alert] input');
});

test('what cannot be answered is said', async (t) => {
  const page = await open(t, '?view=methods&app=nothing', { complains: true });
  assert.match(await text(page, '[role=alert]'), /no application nothing/);
});

test('a server that is gone is said, and can be tried again', async (t) => {
  const page = await open(t, VIEWS.methods, { complains: true });
  await page.route('**/api/**', (route) => route.abort());
  await page.click('nav a:text-is("Threads")');
  await page.waitForSelector('[role=alert]');
  assert.match(await text(page, '[role=alert]'), /does not answer/);
  await page.unroute('**/api/**');
  await page.click('[role=alert] button:text-is("Try again")');
  await page.waitForSelector('.view-threads');
});
