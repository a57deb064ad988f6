// How long a test waits for an event before it says what it waited for.
//
// Driving example: `await inTime('the worker ends', (resolve) => browser.on('gone', resolve))`, or,
// where nothing tells of it, `await until('a batch is stored', async () => (await stored()) > 0)`.

import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long anything may take, in ms. Tests wait for events, so a quiet machine never waits this
 * long: it is what a busy one may need.
 */
export const PATIENCE = 60_000;

/** What `begin` resolves its argument with; fails after `PATIENCE`, naming what was waited for. */
export function inTime(what, begin) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`waited in vain until ${what}`)), PATIENCE);
    begin((value) => {
      clearTimeout(late);
      resolve(value);
    });
  });
}

/** Resolves once `isSo`, asked again and again; fails after `PATIENCE`, naming what was waited for. */
export async function until(what, isSo) {
  for (const end = Date.now() + PATIENCE; !(await isSo()); await delay(20)) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}
