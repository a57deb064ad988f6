// The worker dies in the middle of a run, by a real termination, and the run ends with
// the answer that an unkilled run gives.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';
import { storedBatches } from './lib/tiers.mjs';

const MEGABYTE = 'long.html?bytes=1000000';
const LONG = Boolean(process.env.GLOSS_LONG);

let site, unkilled, batchCount;

before(async () => {
  site = await serve();
  await withPanel(async ({ panel }) => {
    await panel.summarize();
    unkilled = await panel.finished();
    batchCount = Object.keys(await storedBatches(panel.page)).length;
  });
});

after(() => site?.close());

/** A browser of its own for `use`, with the panel open over the large page. */
async function withPanel(use) {
  const gloss = await launch();
  try {
    const page = await gloss.open(site.url(MEGABYTE));
    await use({ gloss, page, panel: await Panel.of(await gloss.openPopup(page)) });
  } finally {
    await gloss.close();
  }
}

/** Presses, and kills when the `count`th batch has landed. */
async function killAtBatch(gloss, panel, count) {
  const { landed } = await panel.batches(count);
  await panel.summarize();
  const { finished } = await landed();
  assert.ok(await gloss.killWorker(), 'there was a worker to kill');
  return { finished };
}

test('a page of 1 MB is summarised from its own sentences', () => {
  assert.ok(unkilled.points.length >= 3);
  for (const { text } of unkilled.points) assert.match(text, /, entry \d+\.$/);
});

test('a run whose worker dies at the first record ends with the same answer', async () => {
  await withPanel(async ({ gloss, panel }) => {
    const { finished } = await killAtBatch(gloss, panel, 1);
    assert.equal(finished, false, 'the kill came in the middle of the run');
    assert.deepEqual(await panel.finished(), unkilled);
  });
});

test('a run whose worker dies at any later record ends with the same answer', async () => {
  const all = Array.from({ length: Math.max(0, batchCount - 1) }, (_, at) => at + 2);
  const moments = LONG ? all : [...new Set([all.at(0), all.at(all.length >> 1), all.at(-1)])];
  for (const moment of moments.filter(Boolean)) {
    await withPanel(async ({ gloss, panel }) => {
      await killAtBatch(gloss, panel, moment);
      assert.deepEqual(await panel.finished(), unkilled, `killed at batch ${moment}`);
    });
  }
});

test('a run whose worker dies twice ends with the same answer', async () => {
  await withPanel(async ({ gloss, panel }) => {
    await killAtBatch(gloss, panel, 1);
    await gloss.workerBorn();
    await gloss.killWorker();
    assert.deepEqual(await panel.finished(), unkilled);
  });
});

test('a run whose popup is closed and whose worker dies is whole when the popup opens again', async () => {
  await withPanel(async ({ gloss, page, panel }) => {
    const { landed } = await panel.batches(1);
    await panel.summarize();
    await landed();
    await panel.page.close();
    await gloss.killWorker();
    const reopened = await Panel.of(await gloss.openPopup(page));
    assert.deepEqual(await reopened.finished(), unkilled);
  });
});
