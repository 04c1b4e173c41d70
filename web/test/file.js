import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const asText = (value) => JSON.stringify(value).replace(/</g, '\\u003c');

/** Writes a payload into the template as reports do; returns the address of the file. */
export function writeHtml(name, { head, columns }) {
  const parts = {
    '<!--title-->': head.title.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`),
    '/*head*/': asText(head),
    '/*columns*/': columns,
    '/*script*/': readFileSync(here('dist/flamegraph.js'), 'utf8'),
  };
  let html = readFileSync(here('dist/flamegraph.html'), 'utf8');
  for (const [placeholder, text] of Object.entries(parts)) html = html.replace(placeholder, () => text);
  mkdirSync(here('target/pages'), { recursive: true });
  const file = here(`target/pages/${name}.html`);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

export function screenshotPath(name) {
  mkdirSync(here('target/screenshots'), { recursive: true });
  return here(`target/screenshots/${name}.png`);
}
