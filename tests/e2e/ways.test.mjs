// Other ways to use Gloss: the keyboard, a question, stopping and continuing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { articleText } from './lib/article.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

let site;
before(async () => (site = await serve()));
after(() => site.close());

/** A browser of its own, with a tab at `path`. */
async function withPage(path, use) {
  const gloss = await launch();
  try {
    await use(gloss, await gloss.open(site.url(path)));
  } finally {
    await gloss.close();
  }
}

const says = (page, words) =>
  page.waitForFunction((words) => document.body.innerText.includes(words), { timeout: PATIENCE }, words);

test('Alt S opens the side panel and summarises the page', async () => {
  await withPage('article.html', async (gloss, page) => {
    const panel = await Panel.of(await gloss.openSidePanel(page, 's'));
    const { points } = await panel.finished();
    assert.ok(points.length >= 3, JSON.stringify(points));
  });
});

test('a question is answered by the closest passages of the page', async () => {
  await withPage('article.html', async (gloss, page) => {
    const popup = await gloss.openPopup(page);
    await says(popup, 'Summarize page');
    await popup.type('textarea', 'Which tower had the first of his lenses?');
    await popup.keyboard.press('Enter');
    await says(popup, 'Done');
    const quotes = await popup.$$eval('[role=log] .points .quote', (all) => all.map((it) => it.textContent.replace(/\s+/g, ' ').trim()));
    const article = await articleText(page);
    assert.ok(quotes.some((quote) => quote.includes('Cordouan')), JSON.stringify(quotes));
    for (const quote of quotes) assert.ok(article.includes(quote), quote);
  });
});

test('a run is stopped at once, keeps its place, and goes on to the same answer', async () => {
  await withPage('article.html', async (gloss, page) => {
    const popup = await gloss.openPopup(page);
    const panel = await Panel.of(popup);
    await panel.summarize();
    const whole = await panel.finished();
    // The page is busy until it is released, so the capture waits, and the run with it.
    const busy = page.evaluate(() => {
      const request = new XMLHttpRequest();
      request.open('GET', '/held', false);
      request.send();
    });
    await site.holding();
    await panel.press('Regenerate');
    await panel.press('Stop');
    await says(popup, 'Stopped by you at');
    site.release();
    await busy;
    await panel.press('Continue');
    assert.deepEqual(await panel.finished(), whole);
  });
});

test('a page that no extension may read says so and offers no dead button', async () => {
  await withPage('article.html', async (gloss) => {
    const own = await gloss.open('chrome://version/');
    const side = await gloss.openSidePanel(own);
    await says(side, 'Gloss cannot read this page');
    const button = await side.$('::-p-aria([name="Summarize page"][role="button"])');
    assert.ok(await button.evaluate((element) => element.disabled));
  });
});

test('two pages stand side by side, each with its own conversation', async () => {
  await withPage('article.html', async (gloss, page) => {
    const first = await Panel.of(await gloss.openPopup(page));
    await first.summarize();
    const answer = await first.finished();
    const other = await gloss.open(site.url('article-zh.html'));
    const second = await Panel.of(await gloss.openPopup(other));
    await second.summarize();
    assert.notDeepEqual(await second.finished(), answer);
    assert.deepEqual(await (await Panel.of(await gloss.openPopup(page))).finished(), answer);
  });
});
