// A record that changed on disk: the user is informed, a new conversation works, and the user can
// export the rest of the record unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { downloaded } from './lib/download.mjs';
import { Options } from './lib/options.mjs';
import { Panel } from './lib/panel.mjs';
import { until } from './lib/patience.mjs';
import { serve } from './lib/server.mjs';
import { says } from './lib/states.mjs';
import { filedBatches, sessionBatches } from './lib/tiers.mjs';

test('an unreadable record is told of, set aside, and exported as it was', async () => {
  const [site, gloss] = [await serve(), await launch()];
  try {
    let options = await Options.of(gloss);
    assert.equal(await options.page.$('::-p-aria([name="Export the unreadable record"])'), null);
    const page = await gloss.open(site.url('article.html'));
    let panel = await Panel.of(await gloss.openPopup(page));
    await panel.summarize();
    await panel.finished();
    // The session is cleared once the record is on disk.
    await until('the run is on disk', async () => Object.keys(await panel.page.evaluate(sessionBatches)).length === 0);
    const flipped = await panel.page.evaluate(flipLast);
    const stored = Object.entries(await panel.page.evaluate(filedBatches));
    await panel.page.close();
    assert.ok(await gloss.killWorker());

    panel = await Panel.of(await gloss.openPopup(page));
    await says(panel, 'The record of one run is damaged. Nothing was deleted.');
    await panel.summarize();
    assert.ok((await panel.finished()).points.length >= 3);

    await options.page.reload();
    options = await Options.of(gloss);
    await options.control('button', 'Export the unreadable record').wait();
    const row = await options.page.$$eval('#data .rows li', (rows) => rows.at(-1).innerText.replace(/\s+/g, ' '));
    assert.match(row, /^One unreadable record From version \d+\.\d+\.\d+ of \d{4}-\d\d-\d\d, kept unchanged, \d+ KB Export$/);
    const { name, text } = await downloaded(gloss, () => options.press('Export the unreadable record'));
    const file = JSON.parse(text);
    assert.equal(name, `gloss-unreadable-${file.run}.json`);
    assert.equal(file.batches.at(-1).text, flipped);
    const kept = file.batches.map(({ number, text }) => [`${file.run}/${String(number).padStart(8, '0')}`, text]);
    assert.deepEqual(kept, stored);
  } finally {
    await gloss.close();
    await site.close();
  }
});

// Runs in the page and uses no variable from outside: changes one letter of the newest batch on
// disk.
async function flipLast() {
  const answered = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await answered(indexedDB.open('gloss'));
  const batches = database.transaction('batches', 'readwrite').objectStore('batches');
  const [keys, texts] = await Promise.all([answered(batches.getAllKeys()), answered(batches.getAll())]);
  const text = texts.at(-1).replace('completed', 'complexed');
  if (text === texts.at(-1)) throw new Error(`nothing to flip in ${text}`);
  await answered(batches.put(text, keys.at(-1)));
  database.close();
  return text;
}
