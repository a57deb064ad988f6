// The trajectory of a finished run: its figures, its file, and its forks.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, PATIENCE } from './lib/browser.mjs';
import { downloaded } from './lib/download.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

const ROOT = new globalThis.URL('../..', import.meta.url).pathname;

/**
 * The built program that replays an exported run; `cargo xtask` sets it, so that no test waits for
 * a compiler.
 */
const REPLAY = process.env.GLOSS_REPLAY;
/** The same for a file that is run by hand: it is built first. */
const BUILT = ['run', '--quiet', '--locked', '--profile', 'test', '--features', 'sim', '--bin', 'replay', '--'];

let site;
let gloss;
before(async () => {
  site = await serve();
  gloss = await launch();
});
after(async () => {
  await gloss.close();
  await site.close();
});

/** A summary that is done, with its trajectory open. */
async function looking() {
  const page = await gloss.open(site.url('article.html'));
  const panel = await Panel.of(await gloss.openPopup(page));
  await panel.summarize();
  await panel.finished();
  await panel.press('Steps');
  await panel.page.waitForSelector('.drawer .step');
  return { page, panel };
}

const text = (panel, selector) => panel.page.$eval(selector, (node) => node.textContent.replace(/\s+/g, ' ').trim());

test('a run is saved as a file that replays to the end it had', async () => {
  const { panel } = await looking();
  await panel.page.waitForFunction(() => document.querySelector('.drawer .facts').textContent.includes('Efficiency'), { timeout: PATIENCE });
  assert.match(await text(panel, '.drawer .facts'), /1, best 1.*100/);
  const { name, text: run } = await downloaded(gloss, () => panel.press('JSON'));
  assert.match(name, /^Gloss Summarize page \d{4}-\d{2}-\d{2}\.json$/);
  const folder = await mkdtemp(join(tmpdir(), 'gloss-run-'));
  try {
    const file = join(folder, 'run.json');
    await writeFile(file, run);
    const { stdout } = await promisify(execFile)(REPLAY ?? 'cargo', REPLAY ? [file] : [...BUILT, file], { cwd: ROOT });
    assert.match(stdout, /replayed to its end: Completed/);
    assert.match(stdout, /summarize_page_content/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

// Property 12, once in Chromium: everything shown of a run is read from its records alone.
test('the trajectory of a run is the same to the letter when another worker reads it back', async () => {
  const { page, panel } = await looking();
  const whole = async ({ page }) => {
    await page.waitForFunction(() => document.querySelector('.drawer .facts')?.textContent.includes('Efficiency'), { timeout: PATIENCE });
    return page.$eval('.drawer', (drawer) => drawer.innerText);
  };
  const before = await whole(panel);
  await panel.page.close();
  assert.ok(await gloss.killWorker());
  const again = await Panel.of(await gloss.openPopup(page));
  await again.finished();
  await again.press('Steps');
  assert.equal(await whole(again), before);
  assert.match(before, /summarize_page_content/);
});

test('stepped back, a message goes into a fork, and the run stays as it was', async () => {
  const { panel } = await looking();
  const before = await panel.page.$$eval('[role=log] article:not([data-you])', (all) => all.map((one) => one.textContent));
  await panel.press('Earlier step');
  await panel.page.waitForFunction(() => document.querySelector('.dock').innerText.includes('Viewing step 1 of 1'), { timeout: PATIENCE });
  assert.equal(await panel.page.$eval('.drawer .step', (step) => step.className), 'step now');
  await panel.press('Back to now');
  await panel.page.waitForFunction(() => !document.querySelector('.dock').innerText.includes('Viewing'), { timeout: PATIENCE });
  await panel.press('Earlier step');
  await panel.page.waitForSelector('form[aria-label="Fork"] textarea');
  await panel.page.type('form[aria-label="Fork"] textarea', 'What are neaps?');
  await panel.page.keyboard.press('Enter');
  await panel.page.waitForFunction(() => {
    const log = document.querySelector('[role=log]');
    return log.innerText.includes('Forked from step 1') && !log.querySelector('[aria-busy=true]');
  }, { timeout: PATIENCE });
  const now = await panel.page.$$eval('[role=log] article:not([data-you])', (all) => all.map((one) => one.textContent));
  assert.ok(now.length > before.length, `${now.length} turns`);
});
