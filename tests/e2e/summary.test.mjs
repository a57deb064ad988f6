// The main task, with the real button: a summary of the page's own sentences, each with a link to
// its passage.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { articleText, inView } from './lib/article.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

let site, gloss, page, panel, answer;

before(async () => {
  site = await serve();
  gloss = await launch();
  page = await gloss.open(site.url('article.html'));
  panel = await Panel.of(await gloss.openPopup(page));
  await panel.summarize();
  answer = await panel.finished();
});

after(async () => {
  await gloss?.close();
  await site?.close();
});

test('the summary has a gist and at least three key points', () => {
  assert.ok(answer.gist.length > 20, answer.gist);
  assert.ok(answer.points.length >= 3, JSON.stringify(answer.points));
});

test('gist and key points stand word for word in the article', async () => {
  const article = await articleText(page);
  for (const text of [answer.gist, ...answer.points.map((point) => point.text)]) {
    assert.ok(article.includes(text), `not in the article: ${text}`);
  }
});

test('no two key points are the same', () => {
  const texts = answer.points.map((point) => point.text);
  assert.equal(new Set(texts).size, texts.length);
});

test('each key point links to its passage by a text fragment and says which paragraph', () => {
  for (const { href, label } of answer.points) {
    assert.ok(href.startsWith(`${site.url('article.html')}#:~:text=`), href);
    assert.match(label, /^Passage in paragraph \d+$/);
  }
});

test('each fragment brings its own passage into view', async () => {
  for (const { href, text } of answer.points) {
    const reader = await gloss.open(href);
    await inView(reader, text, PATIENCE);
    await reader.close();
  }
});

test('a fragment below the fold scrolls, so it matched', async () => {
  const small = await gloss.browser.newPage();
  await small.setViewport({ width: 800, height: 300 });
  let scrolled = 0;
  for (const { href, text } of answer.points) {
    await small.goto('about:blank');
    await small.goto(href);
    await inView(small, text, PATIENCE);
    scrolled += Number(await small.evaluate(() => scrollY > 0));
  }
  assert.ok(scrolled >= answer.points.length - 1, `${scrolled} of ${answer.points.length} scrolled`);
  await small.close();
});

test('the description of the publisher is the gist and is labelled as such', async () => {
  const described = await gloss.open(site.url('article.html'));
  const description = 'How the lens of a lighthouse gathers the light of a small lamp and throws it across the sea.';
  await described.evaluate((content) => {
    const meta = Object.assign(document.createElement('meta'), { name: 'description', content });
    document.head.append(meta);
  }, description);
  const popup = await gloss.openPopup(described);
  const other = await Panel.of(popup);
  await other.summarize();
  const { gist, points } = await other.finished();
  assert.equal(gist, description);
  assert.ok(points.length >= 3, JSON.stringify(points));
  const labels = await popup.$$eval('[role=log] .label', (all) => all.map((label) => label.textContent));
  assert.deepEqual(labels, ['The page’s own description', 'The page’s own sentences']);
  await described.close();
});

test('pressing a passage link shows the passage in a tab', async () => {
  const last = answer.points.at(-1);
  await page.evaluate(() => scrollTo(0, 0));
  const popup = await gloss.openPopup(page);
  const again = await Panel.of(popup);
  assert.deepEqual(await again.finished(), answer, 'a popup that is opened again shows the same');
  const isArticle = (target) => target.type() === 'page' && target.url().startsWith(site.origin);
  const known = gloss.browser.targets();
  const inNewTab = gloss.browser
    .waitForTarget((target) => isArticle(target) && !known.includes(target), { timeout: PATIENCE })
    .then(async (target) => inView(await target.page(), last.text, PATIENCE));
  const inSameTab = page
    .waitForFunction(() => scrollY > 0, { timeout: PATIENCE })
    .then(() => inView(page, last.text, PATIENCE));
  const shown = Promise.any([inNewTab, inSameTab]);
  const links = await popup.$$('.points a.ref');
  // The popup closes when the tab takes the focus, sometimes before the click's reply.
  await links.at(-1).click().catch((error) => assert.match(error.message, /closed/i));
  await shown;
});
