import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './chromium.js';
import { screenshotPath, writeHtml } from './file.js';
import { painted, panning } from './measure.js';
import { CPU, payload, randomPayload, SAMPLES } from './payload.js';
import { shop, shopCompared } from './shop.js';

const SHOP = 'com.shop.web.Server.run;com.shop.web.Cart.checkout(Order)';
const STACKS = [
  { stack: `${SHOP};com.shop.db.Table.scan(int):12/compiled`, thread: 'http-1', values: [600e7, 600] },
  {
    stack: `${SHOP};com.shop.db.Table.scan(int):14/inlined;java.util.HashMap.get(Object)`,
    thread: 'http-1',
    values: [100e7, 100],
  },
  {
    stack: `${SHOP};java.util.regex.Pattern.matcher(CharSequence)/interpreted`,
    thread: 'http-2',
    values: [200e7, 200],
  },
  {
    stack: 'com.shop.jobs.Mail.send;com.shop.db.Table.scan(int);com.shop.jobs.Mail.send',
    thread: 'jobs',
    values: [100e7, 100],
  },
];
const HEAD = {
  title: 'shop 1.2',
  subtitle: '10 s of cpu, every 10 ms',
  columns: [CPU, SAMPLES],
  threads: [
    { name: 'http-1', group: 'http' },
    { name: 'http-2', group: 'http' },
    { name: 'jobs', group: 'main' },
  ],
};

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

/** Opens a file in a new page; whatever the page complains about fails the test. */
async function open(t, address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  t.after(async () => {
    await page.close();
    assert.deepEqual(complaints, [], 'the page complained');
  });
  await page.goto(address);
  await page.waitForSelector('.hl-root');
  return page;
}

async function openShop(t, options) {
  const page = await open(t, writeHtml('shop', payload(STACKS, HEAD)), options);
  await page.locator('canvas').focus();
  return page;
}

const status = (page) => page.locator('.hl-status').textContent();
const press = (page, ...keys) =>
  keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
const hash = (page) => new URL(page.url()).hash;
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The frames in sight, as the component tells them to pages. */
async function frames(page) {
  await drawn(page);
  return page.evaluate(async () => (await window.Heatline.embedded).framesInSight());
}

async function frameNamed(page, name, pane = 'main') {
  const all = await frames(page);
  const found = all.find((frame) => frame.name.includes(name) && frame.pane === pane);
  assert.ok(found, `${name} is not among ${all.map((frame) => frame.name)}`);
  return found;
}

const middleOf = (frame) => ({ position: { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 } });

test('arrow keys move between frames and say what they are', async (t) => {
  const page = await openShop(t);
  assert.match(await status(page), /^all threads: 10 s, 100 % of all/);
  await press(page, 'ArrowDown', 'ArrowDown');
  assert.match(await status(page), /^com\.shop\.web\.Cart\.checkout\(Order\): 9 s, 90\.0 % of all, self 0/);
  await press(page, 'ArrowDown', 'ArrowRight');
  assert.match(await status(page), /^java\.util\.regex\.Pattern/);
  await press(page, 'ArrowUp', 'ArrowUp');
  assert.match(await status(page), /^com\.shop\.web\.Server\.run/);
  await page.screenshot({ path: screenshotPath('shop-light') });
});

test('enter zooms, the path shows it, escape and back undo it', async (t) => {
  const page = await openShop(t);
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
  await page.locator('.hl-breadcrumb [aria-current]', { hasText: 'Cart.checkout' }).waitFor();
  assert.match(hash(page), /zoom=/);
  await page.reload();
  await page.locator('.hl-breadcrumb [aria-current]', { hasText: 'Cart.checkout' }).waitFor();
  await page.locator('canvas').focus();
  await press(page, 'Escape');
  await page.locator('.hl-breadcrumb [aria-current]').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '← Back' }).click();
  await page.locator('.hl-breadcrumb [aria-current]', { hasText: 'Cart.checkout' }).waitFor();
});

test('a click zooms and a double click resets', async (t) => {
  const page = await openShop(t, { reducedMotion: 'reduce' });
  const canvas = page.locator('canvas');
  await canvas.click({ position: { x: 200, y: 70 } });
  await page.locator('.hl-breadcrumb [aria-current]', { hasText: 'Table.scan' }).waitFor();
  await canvas.dblclick({ position: { x: 200, y: 70 } });
  await page.locator('.hl-breadcrumb [aria-current]').waitFor({ state: 'detached' });
});

test('search tells the matched share, nested matches once', async (t) => {
  const page = await openShop(t);
  await press(page, '/');
  await page.keyboard.type('Mail');
  await press(page, 'Enter');
  assert.equal(await page.locator('.hl-matches').textContent(), '10.0 % matched');
  assert.match(await status(page), /^Match 1 of 2: com\.shop\.jobs\.Mail\.send/);
  await page.getByRole('button', { name: 'Next match' }).click();
  assert.match(await status(page), /^Match 2 of 2/);
  await page.screenshot({ path: screenshotPath('search') });
  await page.locator('input[aria-label^="Search frames"]').fill('scan(');
  await page.locator('.hl-notice', { hasText: 'Not a regular expression' }).waitFor();
  assert.equal(await page.locator('.hl-matches').textContent(), '80.0 % matched');
  assert.match(hash(page), /search=scan/);
});

test('bottom-up and sandwich answer who spent and who called', async (t) => {
  const page = await openShop(t);
  await page.getByRole('button', { name: 'Bottom-up' }).click();
  await page.locator('canvas').focus();
  await press(page, 'ArrowDown');
  assert.match(await status(page), /^com\.shop\.db\.Table\.scan\(int\): 6 s, 60\.0 %/);
  await press(page, 's');
  await page.locator('.hl-switch [aria-pressed="true"]', { hasText: 'Sandwich' }).waitFor();
  await page.locator('canvas').focus();
  await press(page, 'ArrowDown', 'ArrowUp');
  assert.match(await status(page), /^com\.shop\.db\.Table\.scan\(int\): 8 s, 80\.0 % of all, self 6 s/);
  await press(page, 'ArrowUp');
  assert.match(await status(page), /^com\.shop\.web\.Cart\.checkout\(Order\): 7 s/);
  await page.screenshot({ path: screenshotPath('sandwich') });
});

test('threads are chosen one by one, by group and by pattern', async (t) => {
  const page = await openShop(t);
  await page.getByRole('button', { name: 'Threads' }).click();
  await page.getByLabel('jobs').uncheck();
  await page.locator('.hl-opens', { hasText: 'Threads: 2 of 3' }).waitFor();
  await page.locator('.hl-thread-group', { hasText: 'http' }).locator('input').uncheck();
  await page.locator('.hl-empty', { hasText: 'Nothing was recorded for this selection' }).waitFor();
  await page.getByLabel('Filter threads by regular expression').fill('^http-2$');
  await page.getByRole('button', { name: 'Only listed' }).click();
  await page.locator('.hl-opens', { hasText: 'Threads: 1 of 3' }).waitFor();
  await page.screenshot({ path: screenshotPath('threads') });
  await page.getByRole('button', { name: 'All', exact: true }).click();
  assert.doesNotMatch(hash(page), /threads=/);
});

test('the list of methods sorts by self and total and opens a sandwich', async (t) => {
  const page = await openShop(t);
  await page.getByRole('button', { name: 'Methods' }).click();
  const rows = page.locator('.hl-list .hl-row');
  assert.match(await rows.first().textContent(), /Table\.scan60\.0 %/);
  await page.getByRole('button', { name: 'Total' }).click();
  assert.match(await rows.first().textContent(), /90\.0 %/);
  await page.locator('.hl-list .hl-row', { hasText: 'Mail.send' }).click();
  await page.locator('.hl-switch [aria-pressed="true"]', { hasText: 'Sandwich' }).waitFor();
});

test('the menu is reached by key and by right click', async (t) => {
  const page = await openShop(t);
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'm', 'ArrowDown', 'Enter');
  await page.locator('.hl-switch [aria-pressed="true"]', { hasText: 'Sandwich' }).waitFor();
  await page.getByRole('button', { name: 'Top-down' }).click();
  await page.locator('canvas').click({ button: 'right', position: { x: 200, y: 70 } });
  await page.getByRole('menuitem', { name: 'Hide this frame everywhere' }).click();
  await page.getByRole('button', { name: 'Show all (1 hidden)' }).click();
  await page.getByRole('button', { name: /Show all/ }).waitFor({ state: 'hidden' });
});

test('resource, colour, order, root and lines are switched and kept in the address', async (t) => {
  const page = await openShop(t);
  await page.getByLabel('Resource').selectOption('samples');
  await page
    .locator('label', { hasText: /^Colour/ })
    .locator('select')
    .selectOption('kind');
  await page.getByLabel('Order').selectOption('name');
  await page.getByRole('button', { name: 'Root at top' }).click();
  await page.getByRole('button', { name: 'Lines' }).click();
  const wanted = /resource=samples&colour=kind&root=bottom&order=name&lines=keep/;
  assert.match(hash(page), wanted);
  await page.reload();
  await page.locator('.hl-legend', { hasText: 'compiled' }).waitFor();
  await page.locator('canvas').focus();
  assert.match(await status(page), /1000 samples/);
  await page.screenshot({ path: screenshotPath('kinds-bottom') });
});

test('the subtitle is about the resource that is shown', async (t) => {
  const columns = [CPU, { ...SAMPLES, subtitle: '1,000 of 1,000 samples' }];
  const page = await open(t, writeHtml('subtitle', payload(STACKS, { ...HEAD, columns })));
  const subtitle = page.locator('.hl-heading p');
  assert.equal(await subtitle.textContent(), '10 s of cpu, every 10 ms');
  await page.getByLabel('Resource').selectOption('samples');
  assert.equal(await subtitle.textContent(), '1,000 of 1,000 samples');
  await page.getByLabel('Resource').selectOption('cpu');
  assert.equal(await subtitle.textContent(), '10 s of cpu, every 10 ms');
});

test('the tooltip says total, self and shares', async (t) => {
  const page = await openShop(t);
  await page.locator('canvas').hover({ position: { x: 200, y: 70 } });
  const tooltip = await page.locator('.hl-tooltip').textContent();
  assert.match(tooltip, /Table\.scan\(int\).*lines 12–14.*total.*7 s.*70\.0 %/s);
  await page.screenshot({ path: screenshotPath('tooltip') });
});

test('dark is followed and can be chosen', async (t) => {
  const page = await openShop(t, { colorScheme: 'dark' });
  assert.equal(await page.locator('.hl-root').getAttribute('data-theme'), 'dark');
  await page.screenshot({ path: screenshotPath('shop-dark') });
  await page.getByRole('button', { name: 'Use light colours' }).click();
  assert.equal(await page.locator('.hl-root').getAttribute('data-theme'), 'light');
});

test('keys work before anything has the focus', async (t) => {
  const page = await open(t, writeHtml('unfocused', payload(STACKS, HEAD)));
  await page.keyboard.press('/');
  await page.keyboard.type('Mail');
  await page.locator('.hl-matches', { hasText: '10.0 %' }).waitFor();
});

test('help opens by key and closes', async (t) => {
  const page = await openShop(t);
  await press(page, '?');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('two profiles are compared by share', async (t) => {
  const stacks = [
    { stack: 'com.shop.A.same()', values: [50, 500] },
    { stack: 'com.shop.A.worse()', values: [10, 400] },
    { stack: 'com.shop.A.gone()', values: [40, 0] },
    { stack: 'com.shop.A.fresh()', values: [0, 100] },
  ];
  const head = {
    title: '1.1 → 1.2',
    columns: [SAMPLES, { ...SAMPLES, name: 'now' }],
    compare: { baseline: 0, current: 1 },
  };
  const page = await open(t, writeHtml('compare', payload(stacks, head)));
  await page.locator('canvas').hover({ position: { x: 800, y: 30 } });
  const tooltip = await page.locator('.hl-tooltip').textContent();
  assert.match(tooltip, /worse\(\).*10\.0 %.*40\.0 %.*4\.00× more/s);
  await page.screenshot({ path: screenshotPath('compare') });
});

test('hostile names are only text', async (t) => {
  const names = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(1)</script>',
    'a\u202egnp.exe',
    'x'.repeat(10_000),
  ];
  const stacks = names.map((name) => ({ stack: [[name]], values: [1] }));
  const head = { title: '</title><script>alert(1)</script>', threads: [{ name: '<b>t</b>' }] };
  const page = await open(t, writeHtml('hostile', payload(stacks, head)));
  page.on('dialog', () => assert.fail('a name ran as a script'));
  await page.getByRole('button', { name: 'Methods' }).click();
  await page.locator('.hl-row', { hasText: 'a⟨U+202E⟩gnp.exe' }).waitFor();
  assert.equal(await page.locator('.hl-root img, .hl-root b, .hl-root script').count(), 0);
  await page.screenshot({ path: screenshotPath('hostile') });
});

test('a profile without samples says so', async (t) => {
  const page = await open(t, writeHtml('empty', payload([], { title: 'nothing' })));
  await page.locator('.hl-empty', { hasText: 'no samples' }).waitFor();
});

test('damaged data says so', async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  const damaged = payload(STACKS, HEAD);
  await page.goto(writeHtml('damaged', { ...damaged, columns: damaged.columns.slice(0, 20) }));
  await page.locator('.hl-failed', { hasText: 'cannot be shown' }).waitFor();
});

test('it is usable on a phone', async (t) => {
  const page = await openShop(t, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await page.locator('canvas').tap({ position: { x: 100, y: 70 } });
  await page.locator('.hl-breadcrumb [aria-current]').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, 'the page is wider than the screen');
  await page.screenshot({ path: screenshotPath('phone') });
});

test('ctrl and wheel zoom at the pointer, drag and shift with wheel pan', async (t) => {
  const page = await openShop(t);
  const before = await frameNamed(page, 'Pattern.matcher');
  await page.locator('canvas').hover(middleOf(before));
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  const closer = await frameNamed(page, 'Pattern.matcher');
  assert.ok(closer.width > before.width * 1.2, `${before.width} grew to ${closer.width}`);
  const box = await page.locator('canvas').boundingBox();
  await page.mouse.move(box.x + 500, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 600, box.y + 300, { steps: 5 });
  await page.mouse.up();
  const moved = await frameNamed(page, 'Pattern.matcher');
  assert.ok(Math.abs(moved.x - closer.x - 100) < 3, `moved from ${closer.x} to ${moved.x}`);
  assert.doesNotMatch(hash(page), /zoom=/, 'a drag is no click');
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 60);
  await page.keyboard.up('Shift');
  assert.ok((await frameNamed(page, 'Pattern.matcher')).x < moved.x);
});

test('a sandwich adds callers and callees up over all calls', async (t) => {
  const page = await open(t, writeHtml('shop-real', shop()));
  await page.getByRole('button', { name: 'Methods' }).click();
  await page.getByLabel('Filter methods').fill('BigDecimal');
  await page.locator('.hl-row', { hasText: 'BigDecimal.multiply' }).click();
  const middle = await frameNamed(page, 'BigDecimal.multiply');
  const callers = (await frames(page)).filter((frame) => frame.pane === 'callers' && frame.depth === 1);
  assert.deepEqual(callers.map((frame) => frame.name).sort(), [
    'com.acme.shop.order.Tax.of(Order)',
    'com.acme.shop.price.Pricing.priceOf(Item,Customer)',
  ]);
  assert.equal(
    callers.reduce((sum, frame) => sum + frame.cum[0], 0),
    middle.cum[0],
  );
  await page.screenshot({ path: screenshotPath('shop-sandwich') });
  await page.getByLabel('Filter methods').fill('Tax');
  await page.locator('.hl-row', { hasText: 'Tax.of' }).click();
  const recursive = await frameNamed(page, 'Tax.of');
  assert.equal(recursive.depth, 0);
  const outer = (await frames(page)).filter(
    (frame) => frame.pane === 'callers' && frame.name.includes('Tax.of'),
  );
  assert.deepEqual(outer, [], 'a recursive call is no caller of the outermost one');
});

test('zoom flies unless motion is unwelcome, and ends exactly', async (t) => {
  const page = await openShop(t, { reducedMotion: 'no-preference' });
  await page.locator('canvas').click(middleOf(await frameNamed(page, 'Pattern.matcher')));
  await page.waitForFunction(async () => {
    const inSight = (await window.Heatline.embedded).framesInSight();
    const zoomed = inSight.find((frame) => frame.name.includes('Pattern.matcher'));
    return zoomed.x === 0 && zoomed.width === document.querySelector('canvas').clientWidth;
  });
});

test('every control has a name, and the focused frame is told to screen readers', async (t) => {
  const page = await openShop(t);
  await page.getByRole('button', { name: 'Threads' }).click();
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select')]
      .filter((control) => control.checkVisibility())
      .filter(
        (control) => !(control.ariaLabel || control.textContent.trim() || control.labels?.[0]?.textContent),
      )
      .map((control) => control.outerHTML),
  );
  assert.deepEqual(unnamed, []);
  const canvas = page.getByRole('tree', { name: /Flame graph/ });
  await canvas.focus();
  await press(page, 'ArrowDown');
  const item = page.locator(`[id="${await canvas.getAttribute('aria-activedescendant')}"]`);
  assert.equal(await item.getAttribute('role'), 'treeitem');
  assert.equal(await item.getAttribute('aria-level'), '2');
  assert.match(await item.textContent(), /^com\.shop\.web\.Server\.run: 9 s, 90\.0 % of all/);
  assert.match(await page.locator('[aria-live="polite"]').textContent(), /Server\.run: 9 s, 90\.0 %/);
  const outline = await canvas.evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(outline, 'solid', 'the focus can be seen');
});

test('a name is copied from the menu', async (t) => {
  const page = await openShop(t);
  await press(page, 'ArrowDown', 'm', 'End', 'Home');
  await page.evaluate(() => {
    document.addEventListener('copy', () => (window.copied = String(document.activeElement.value)));
    navigator.clipboard.writeText = (text) => {
      window.copied = text;
      return Promise.resolve();
    };
  });
  await page.getByRole('menuitem', { name: 'Copy name' }).click();
  await page.waitForFunction(() => window.copied === 'com.shop.web.Server.run');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'CANVAS', 'the focus comes back');
});

for (const colorScheme of ['light', 'dark']) {
  test(`text on every colour can be read when ${colorScheme}`, async (t) => {
    for (const file of [shop(), shopCompared()]) {
      const page = await open(t, writeHtml(`colours-${colorScheme}`, file), { colorScheme });
      for (const colour of file.head.compare ? ['change'] : ['package', 'kind']) {
        await page
          .locator('label', { hasText: /^Colour/ })
          .locator('select')
          .selectOption(colour);
        const contrasts = await page.evaluate(() => {
          const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          const luminance = (colour) => {
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
              part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
            );
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const text = luminance(getComputedStyle(document.querySelector('.hl-root')).color);
          return [...document.querySelectorAll('.hl-swatch')].map((swatch) => {
            const fill = luminance(swatch.style.background);
            return (Math.max(fill, text) + 0.05) / (Math.min(fill, text) + 0.05);
          });
        });
        assert.ok(contrasts.length > 2 && Math.min(...contrasts) >= 4.5, `${colour}: ${contrasts}`);
      }
      await page.screenshot({
        path: screenshotPath(`${file.head.compare ? 'compare' : 'shop-kinds'}-${colorScheme}`),
      });
    }
  });
}

test('the views of a real service, for people to look at', async (t) => {
  const page = await open(t, writeHtml('shop-real', shop()));
  await page.locator('canvas').hover(middleOf(await frameNamed(page, 'Cart.total')));
  await page.screenshot({ path: screenshotPath('shop-tooltip') });
  await page.getByRole('button', { name: 'Bottom-up' }).click();
  await page.mouse.move(0, 0);
  await drawn(page);
  await page.screenshot({ path: screenshotPath('shop-bottom-up') });
  const small = await open(t, writeHtml('shop-real', shop()), {
    viewport: { width: 390, height: 780 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  });
  await small.screenshot({ path: screenshotPath('shop-phone') });
  await small.getByRole('button', { name: 'Threads' }).tap();
  await small.screenshot({ path: screenshotPath('shop-phone-threads') });
});

test('a million calling contexts', async (t) => {
  const address = writeHtml('million', randomPayload(1_000_000));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  t.after(() => page.close());
  const begin = performance.now();
  await page.goto(address);
  await page.waitForSelector('.hl-root');
  await painted(page);
  const opened = performance.now() - begin;
  const rate = await panning(page);
  t.diagnostic(
    `opened in ${(opened / 1000).toFixed(2)} s, panned and zoomed at ${rate.toFixed(0)} frames a second`,
  );
  await page.locator('canvas').focus();
  assert.match(await status(page), /all threads/);
  await page.screenshot({ path: screenshotPath('million') });
  for (const view of ['Bottom-up', 'Sandwich']) {
    const millis = await page.evaluate(async (name) => {
      const start = performance.now();
      [...document.querySelectorAll('.hl-switch button')].find((b) => b.textContent === name).click();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - start;
    }, view);
    t.diagnostic(`${view} in ${(millis / 1000).toFixed(2)} s`);
  }
});
