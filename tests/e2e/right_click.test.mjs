// A real right-click, on a screen of its own: the chosen command arrives, and arrives once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Screen } from './lib/display.mjs';
import { explainWord, firstTurn, menusMade, runs, summarizeByMenu } from './lib/menu.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

let site, screen;
before(async () => {
  site = await serve();
  screen = await Screen.open();
});
after(async () => {
  await screen?.close();
  await site.close();
});

/** A visible browser just started, with the article in front; or the test is skipped. */
async function withPage(t, use) {
  if (!screen) {
    t.skip('no screen to click on: install Xvfb and xdotool (Debian: apt-get install xvfb xdotool)');
    return;
  }
  const gloss = await launch({ headless: false, screen });
  try {
    await menusMade(gloss);
    await use(gloss, await gloss.open(site.url('article.html')));
  } finally {
    await gloss.close();
  }
}

/** Presses *Explain* on `word`; resolves to the panel that opens, and when it was pressed. */
async function explain(gloss, page, word) {
  let chosenAt;
  const panel = await gloss.sidePanel(async () => (chosenAt = await explainWord(screen, page, word)));
  return { panel, chosenAt };
}

const asked = (panel) => panel.$$eval('[role=log] article[data-you] blockquote', (all) => all.map((one) => one.textContent));
const settled = (panel) => panel.waitForFunction(
  () => document.body.innerText.includes('Done'), { timeout: PATIENCE });

test('the first right-click finds a cold worker and a closed panel, and is delivered once', async (t) => {
  await withPage(t, async (gloss, page) => {
    assert.ok(await gloss.killWorker(), 'there was a worker to kill');
    const { panel, chosenAt } = await explain(gloss, page, 'Fresnel');
    const { shownAt, recordedAt } = await firstTurn(panel);
    t.diagnostic(`from the choice to the first record ${recordedAt - chosenAt} ms, to the screen ${shownAt - chosenAt} ms`);
    await settled(panel);
    assert.deepEqual(await asked(panel), ['Fresnel']);
    assert.deepEqual((await runs(panel)).map((run) => run.goal), [{ explain: { selection: 'Fresnel' } }]);
  });
});

test('a second right-click opens a conversation of its own', async (t) => {
  await withPage(t, async (gloss, page) => {
    const { panel } = await explain(gloss, page, 'Fresnel');
    await settled(panel);
    await explainWord(screen, page, 'mercury');
    await panel.waitForFunction(() => document.querySelector('[data-you] blockquote')?.textContent === 'mercury');
    assert.deepEqual(await asked(panel), ['mercury']);
    const goals = (await runs(panel)).map((run) => run.goal.explain.selection);
    assert.deepEqual(goals.sort(), ['Fresnel', 'mercury']);
  });
});

test('a switch that was set for one conversation is not shown for the one that a right-click opens', async (t) => {
  await withPage(t, async (gloss, page) => {
    const { panel } = await explain(gloss, page, 'Fresnel');
    await settled(panel);
    const own = await Panel.of(panel);
    await own.control('button', 'Tools').click();
    await own.control('switch', 'Agent').click();
    const isOn = () => panel.$eval('#tools-agent', (field) => field.checked);
    assert.equal(await isOn(), false);
    await panel.keyboard.press('Escape');
    await explainWord(screen, page, 'mercury');
    await panel.waitForFunction(() => document.querySelector('[data-you] blockquote')?.textContent === 'mercury');
    await settled(panel);
    if (!await panel.$('#tools-agent')) await own.control('button', 'Tools').click();
    await panel.waitForFunction(() => document.querySelector('#tools-agent')?.checked === true, { timeout: PATIENCE });
    assert.equal(await isOn(), true);
  });
});

test('Summarize page in the menu of the page, and by Alt S, with a cold worker, is delivered once', async (t) => {
  for (const ask of [(page) => summarizeByMenu(screen, page), () => screen.press('alt+s')]) {
    await withPage(t, async (gloss, page) => {
      await gloss.killWorker();
      const side = await gloss.sidePanel(() => ask(page));
      const { points } = await (await Panel.of(side)).finished();
      assert.ok(points.length >= 3, JSON.stringify(points));
      assert.deepEqual((await runs(side)).map((run) => run.goal), ['summarize']);
    });
  }
});
