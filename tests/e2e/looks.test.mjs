// Light and dark, English and Chinese: the same page, readable in each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { articleText } from './lib/article.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

let site;
before(async () => (site = await serve()));
after(() => site.close());

async function withBrowser(language, use) {
  const gloss = await launch({ language });
  try {
    await use(gloss);
  } finally {
    await gloss.close();
  }
}

test('dark is dark and light is light, and text stands out in both', async () => {
  await withBrowser('en', async (gloss) => {
    const page = await gloss.open(site.url('article.html'));
    const popup = await gloss.openPopup(page);
    await (await Panel.of(popup)).control('button', 'Summarize page').wait();
    for (const [scheme, isRight] of [['light', (l) => l > 0.8], ['dark', (l) => l < 0.15]]) {
      await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      const { ground, ink } = await popup.evaluate(luminances);
      assert.ok(isRight(ground), `${scheme}: background ${ground}`);
      const [bright, dim] = [Math.max(ground, ink), Math.min(ground, ink)];
      const contrast = (bright + 0.05) / (dim + 0.05);
      assert.ok(contrast >= 7, `${scheme}: contrast ${contrast}`);
    }
  });
});

test('the Chinese interface speaks Chinese and quotes a Chinese page', async (t) => {
  await withBrowser('zh-CN', async (gloss) => {
    const page = await gloss.open(site.url('article-zh.html'));
    const panel = await Panel.of(await gloss.openPopup(page), 'zh-CN');
    if (!/^zh/.test(await panel.page.evaluate(() => chrome.i18n.getUILanguage()))) {
      t.skip('this Chromium has no Chinese locale (Debian: chromium-l10n)');
      return;
    }
    assert.match(await panel.page.$eval('html', (html) => html.lang), /^zh/);
    await panel.summarize();
    const { gist, points } = await panel.finished();
    const article = await articleText(page);
    assert.ok(points.length >= 2, JSON.stringify(points));
    for (const text of [gist, ...points.map((point) => point.text)]) {
      assert.ok(article.includes(text), `not in the article: ${text}`);
    }
    await panel.page.type('textarea', '2031年 Boston 的竹子要泡几天？');
    await panel.page.keyboard.press('Enter');
    await panel.page.waitForFunction(() => document.querySelectorAll('[role=log] .points.rest > li').length > 0, { timeout: PATIENCE });
    const answer = await panel.page.$$eval('[role=log] article:not([data-you])', (all) => all.at(-1).innerText);
    assert.match(answer, /^此页中最接近的段落\s+此页没有“2031”\s+此页没有“Boston”/);
    const left = await panel.page.evaluate(englishLeft);
    assert.deepEqual(left, [], 'words that were not translated');
  });
});

// These run in the page and close over nothing.

/** Relative luminance (WCAG) of the page's background and of its text. */
function luminances() {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const opaque = (node) => {
    const colour = node ? getComputedStyle(node).backgroundColor : 'white';
    return colour === 'rgba(0, 0, 0, 0)' ? opaque(node.parentElement) : colour;
  };
  return { ground: luminance(opaque(document.body)), ink: luminance(getComputedStyle(document.body).color) };
}

/** Names of controls in which only Latin words stand. */
function englishLeft() {
  const named = [...document.querySelectorAll('button, [role], textarea, [aria-label]')];
  const names = named.map((node) => node.ariaLabel ?? (node.matches('button') ? node.textContent : ''));
  return names.filter((name) => /[A-Za-z]{3}/.test(name) && !/[\u4e00-\u9fff]/.test(name) && name !== 'Gloss');
}
