import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const common = {
  bundle: true,
  target: ['es2022'],
  charset: 'ascii',
  loader: { '.css': 'text' },
  legalComments: 'none',
  logLevel: 'warning',
};

/** Style sheets travel as text inside the bundle, where the minifier does not see them. */
const smallCss = {
  name: 'small-css',
  setup(plugin) {
    plugin.onLoad({ filter: /\.css$/ }, ({ path }) => ({
      loader: 'text',
      contents: readFileSync(path, 'utf8')
        .replace(/\/\*[^]*?\*\//g, '')
        .replace(/\s+/g, ' ')
        .replace(/ ?([{};,]) ?/g, '$1')
        .replace(/: /g, ':'),
    }));
  },
};

async function buildComponent() {
  await build({
    ...common,
    entryPoints: [here('src/flame/index.ts')],
    outfile: here('dist/flamegraph.js'),
    format: 'iife',
    globalName: 'Heatline',
    minify: true,
    plugins: [smallCss],
  });
  const script = readFileSync(here('dist/flamegraph.js'), 'utf8').trim();
  // Either would end or swallow the script element that the bundle is put into.
  if (/<\/script|<!--/i.test(script)) throw new Error('The bundle cannot be put into a script element.');
  writeFileSync(here('dist/flamegraph.js'), script);
  writeFileSync(here('dist/flamegraph.html'), templateFor(script));
  console.log(`dist/flamegraph.js: ${(script.length / 1024).toFixed(1)} KiB`);
}

/** The page runs this one script and no other, whatever the names in a profile contain. */
function templateFor(script) {
  const template = readFileSync(here('src/flame/flamegraph.html'), 'utf8');
  // The hash is that of the whole element: a space beside the placeholder would block the script.
  if (!template.includes('<script>/*script*/</script>'))
    throw new Error('The script needs an element of its own.');
  const hash = createHash('sha256').update(script).digest('base64');
  return template.replace('SCRIPT_HASH', `sha256-${hash}`);
}

/** Packed; the page is loaded over slow networks too. */
const LARGEST_PAGE = 300 * 1024;

/** The page: one script, one style sheet, one file that loads both and nothing else. */
async function buildPage() {
  await build({
    ...common,
    entryPoints: [here('src/page/main.ts')],
    outfile: here('dist/page/page.js'),
    format: 'iife',
    minify: true,
    plugins: [smallCss],
  });
  copyFileSync(here('src/page/index.html'), here('dist/page/index.html'));
  copyFileSync(here('src/page/page.css'), here('dist/page/page.css'));
  copyFileSync(here('src/flame/style.css'), here('dist/page/flame.css'));
  copyFileSync(here('src/page/icon.svg'), here('dist/page/icon.svg'));
  const packed = gzipSync(readFileSync(here('dist/page/page.js')));
  if (packed.length > LARGEST_PAGE) throw new Error(`dist/page/page.js has ${packed.length} bytes packed`);
  console.log(`dist/page/page.js: ${(packed.length / 1024).toFixed(1)} KiB packed`);
}

/** The parts that need no browser, for the unit tests. */
function buildUnits() {
  return build({
    ...common,
    entryPoints: [here('test/units.ts')],
    outfile: here('target/units.js'),
    format: 'esm',
    platform: 'neutral',
  });
}

mkdirSync(here('dist/page'), { recursive: true });
await Promise.all([buildComponent(), buildPage(), buildUnits()]);
