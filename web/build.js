import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
        .replace(/ ?([{};,]) ?/g, '$1'),
    }));
  },
};

async function buildComponent() {
  await build({
    ...common,
    entryPoints: [here('src/index.ts')],
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
  const hash = createHash('sha256').update(script).digest('base64');
  const template = readFileSync(here('src/flamegraph.html'), 'utf8').replace('SCRIPT_HASH', `sha256-${hash}`);
  writeFileSync(here('dist/flamegraph.html'), template);
  console.log(`dist/flamegraph.js: ${(script.length / 1024).toFixed(1)} KiB`);
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

mkdirSync(here('dist'), { recursive: true });
await Promise.all([buildComponent(), buildUnits()]);
