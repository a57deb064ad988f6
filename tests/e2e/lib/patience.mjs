// The time that a test waits for an event before it fails with a message.
//
// Example: `await inTime('the worker ends', (resolve) => browser.on('gone', resolve))`, or,
// if there is no event, `await until('a batch is stored', async () => (await stored()) > 0)`.

import { setTimeout as delay } from 'node:timers/promises';

/**
 * The time that anything may take, in ms. Tests wait for events, so only a busy machine needs this
 * long.
 */
export const PATIENCE = 60_000;

/** The value that `begin` passes to its argument; fails after `PATIENCE`, naming the event. */
export function inTime(what, begin) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`waited in vain until ${what}`)), PATIENCE);
    begin((value) => {
      clearTimeout(late);
      resolve(value);
    });
  });
}

/** Resolves once `isSo` returns true, polling it; fails after `PATIENCE`, naming the condition. */
export async function until(what, isSo) {
  for (const end = Date.now() + PATIENCE; !(await isSo()); await delay(20)) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}
