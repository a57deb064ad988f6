// The page's own context menu, as a user opens it: on a word, or beside all text.
//
// Example: `await explainWord(screen, page, 'Fresnel')` double-clicks the word,
// right-clicks it and chooses *Explain “Fresnel”*. Chrome's menus cannot be read from here; Gloss's
// items come last, except those that `BELOW` counts.

import { PATIENCE } from './browser.mjs';
import { until } from './patience.mjs';
import { recordsOf, storedBatches } from './tiers.mjs';

/** Chrome's own items below Gloss's: with a selection "Inspect", else "View page source" too. */
const BELOW = { selection: 1, page: 2 };

/** Resolves when the worker has created the menus, which it does once at installation. */
export async function menusMade(gloss) {
  // Any page of the extension can do this; this one is no surface, so nothing else is woken.
  const own = await gloss.openOwn('icons.svg');
  await own.waitForFunction(menusStand, { polling: 20, timeout: PATIENCE });
  await own.close();
}

/** Chooses *Explain* on the first `word` in the page's article; resolves to the time, in ms. */
export async function explainWord(screen, page, word) {
  // While the panel opens, the page gets narrower and the word moves: such a click may miss it.
  await until(`${word} is selected`, async () => {
    await screen.doubleClick(page, await page.evaluate(centreOfWord, word));
    return page.evaluate(selectionWithin, word, 500);
  });
  await screen.rightClick(page, await page.evaluate(centreOfWord, word));
  return choose(screen, BELOW.selection);
}

/** Chooses *Summarize page* beside the text of `page`; resolves to the time, in ms. */
export async function summarizeByMenu(screen, page) {
  await screen.rightClick(page, { x: 20, y: 400 });
  return choose(screen, BELOW.page);
}

async function choose(screen, below) {
  await screen.press(...Array.from({ length: below + 1 }, () => 'Up'));
  return screen.press('Return');
}

/**
 * The latest time at which the first turn was on the screen of `panel`, and the time of the run's
 * first record; both in ms since 1970.
 */
export async function firstTurn(panel) {
  const shown = await panel.waitForFunction(turnShown, { polling: 'raf' });
  return { shownAt: await shown.jsonValue(), recordedAt: (await runs(panel))[0].beganAt };
}

/** The stored runs, each with its goal and the time of its beginning. */
export async function runs(panel) {
  const records = Object.values(await storedBatches(panel)).flatMap((batch) => recordsOf(batch));
  const begun = records.filter((record) => record.entry.begun);
  return begun.map(({ at_ms, entry }) => ({ goal: entry.begun.config.goal, beganAt: at_ms }));
}

// The following functions run in the page and use no variable from outside.

/** Only an existing menu can be changed; this changes nothing. */
function menusStand() {
  const changes = ['explain', 'summarize'].map((id) => chrome.contextMenus.update(id, {}));
  return Promise.all(changes).then(() => true, () => false);
}

function centreOfWord(word) {
  const walk = document.createTreeWalker(document.querySelector('article'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.data.search(new RegExp(`\\b${word}\\b`));
    if (at < 0) continue;
    node.parentElement.scrollIntoView({ block: 'center' });
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }
  throw new Error(`no ${word} in the article`);
}

/** True once `word` is selected, false if it isn't after `patience` ms. */
function selectionWithin(word, patience) {
  const isSelected = () => getSelection().toString() === word;
  return new Promise((resolve) => {
    setTimeout(() => resolve(isSelected()), patience);
    document.addEventListener('selectionchange', () => isSelected() && resolve(true));
    if (isSelected()) resolve(true);
  });
}

function turnShown() {
  return document.querySelector('[role=log] article') && Date.now();
}
