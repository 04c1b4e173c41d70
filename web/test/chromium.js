import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of the tests: that of the variable CHROMIUM, or else the first on the path. */
export function findChromium(environment = process.env) {
  if (environment.CHROMIUM) return environment.CHROMIUM;
  const folders = (environment.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (!found) throw new Error(`no browser: set CHROMIUM, or have one of ${NAMES.join(', ')} on the path`);
  return found;
}

/** Starts it. A missing browser fails the tests: those that skip prove nothing. */
export function launch() {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
