// The worker dies in the middle of a run, by a real termination, and the run ends with the answer
// of an unkilled run.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';
import { storedBatches } from './lib/tiers.mjs';

const MEGABYTE = 'long.html?bytes=1000000';
const LONG = Boolean(process.env.GLOSS_LONG);

let site, gloss, unkilled, batchCount;

before(async () => {
  [site, gloss] = await Promise.all([serve(), launch()]);
  await withPanel(async ({ panel }) => {
    await panel.summarize();
    unkilled = await panel.finished();
    batchCount = Object.keys(await storedBatches(panel.page)).length;
  });
});

after(async () => {
  await gloss?.close();
  await site?.close();
});

/** A tab and so a conversation of its own for `use`, with the panel open over the large page. */
async function withPanel(use) {
  const page = await gloss.open(site.url(MEGABYTE));
  try {
    await use({ page, panel: await Panel.of(await gloss.openPopup(page)) });
  } finally {
    await page.close();
  }
}

/** Presses, and kills the worker once the `count`th batch is stored. */
async function killAtBatch(panel, count) {
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
  await withPanel(async ({ panel }) => {
    const { finished } = await killAtBatch(panel, 1);
    assert.equal(finished, false, 'the kill came in the middle of the run');
    assert.deepEqual(await panel.finished(), unkilled);
  });
});

test('a run whose worker dies at any later record ends with the same answer', async () => {
  const all = Array.from({ length: Math.max(0, batchCount - 1) }, (_, at) => at + 2);
  const moments = LONG ? all : [...new Set([all.at(0), all.at(all.length >> 1), all.at(-1)])];
  for (const moment of moments.filter(Boolean)) {
    await withPanel(async ({ panel }) => {
      await killAtBatch(panel, moment);
      assert.deepEqual(await panel.finished(), unkilled, `killed at batch ${moment}`);
    });
  }
});

test('a run whose worker dies twice ends with the same answer', async () => {
  await withPanel(async ({ panel }) => {
    await killAtBatch(panel, 1);
    // Chrome takes half a minute to restart a worker that dies during its start.
    await panel.page.waitForFunction(isBegunAgain, { timeout: PATIENCE });
    assert.ok(await gloss.killWorker(), 'there was a worker to kill');
    assert.deepEqual(await panel.finished(), unkilled);
  });
});

test('a run whose popup is closed and whose worker dies is whole when the popup opens again', async () => {
  await withPanel(async ({ page, panel }) => {
    const { landed } = await panel.batches(1);
    await panel.summarize();
    await landed();
    await panel.page.close();
    await gloss.killWorker();
    const reopened = await Panel.of(await gloss.openPopup(page));
    assert.deepEqual(await reopened.finished(), unkilled);
  });
});

// Runs in the page and uses no variable from outside.
function isBegunAgain() {
  const words = [...document.querySelectorAll('[role=status]')].map((status) => status.textContent).join(' ');
  return /(resumed|restarted) once/.test(words);
}
