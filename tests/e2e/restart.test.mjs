// The extension is reloaded, or the browser restarted: what was held for the session is gone,
// and every surface says so by showing none of it and working at once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

let site;
before(async () => (site = await serve()));
after(() => site.close());

/** The popup over `page`: empty, and its button works. */
async function worksFromAnew(gloss, page) {
  const panel = await Panel.of(await gloss.openPopup(page));
  await panel.control('button', 'Summarize page').wait();
  assert.equal(await panel.page.$('[role=log] article'), null, 'no turn of before');
  assert.deepEqual(Object.keys(await panel.session()).filter((key) => key.startsWith('r/')), []);
  await panel.summarize();
  assert.ok((await panel.finished()).points.length >= 3);
}

test('an extension reloaded in mid-run works from anew, and no run hangs about', async () => {
  const gloss = await launch();
  try {
    const page = await gloss.open(site.url('article.html'));
    const panel = await Panel.of(await gloss.openPopup(page));
    await panel.control('button', 'Summarize page').wait();
    // The page is busy until it is released, so the capture waits, and the run with it.
    const busy = page.evaluate(() => {
      const request = new XMLHttpRequest();
      request.open('GET', '/held', false);
      request.send();
    });
    await site.holding();
    await panel.summarize();
    await panel.page.waitForSelector('[role=log] [aria-busy=true]');
    const reloading = panel.page.evaluate(() => chrome.runtime.reload());
    // The popup goes with the extension, before it can answer.
    await reloading.catch((error) => assert.match(error.message, /closed|detached/i));
    await gloss.workerBorn();
    site.release();
    await busy;
    await worksFromAnew(gloss, page);
  } finally {
    await gloss.close();
  }
});

test('after a restart of the browser nothing of the last session is shown', async () => {
  let gloss = await launch();
  try {
    const panel = await Panel.of(await gloss.openPopup(await gloss.open(site.url('article.html'))));
    await panel.summarize();
    await panel.finished();
    await gloss.close({ keep: true });
    gloss = await launch({ folder: gloss.folder });
    await worksFromAnew(gloss, await gloss.open(site.url('article.html')));
  } finally {
    await gloss.close();
  }
});
