// The extension is reloaded, or the browser restarted: session storage is gone. Surfaces start
// empty and work at once. History lists what is on disk, and an interrupted run continues when the
// user says so.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer, pause } from './lib/chat_server.mjs';
import { Panel } from './lib/panel.mjs';
import { until } from './lib/patience.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';
import { sessionBatches, storedBatches } from './lib/tiers.mjs';

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(() => Promise.all([site.close(), server.close()]));

/** The popup over `page`, empty. */
async function emptyPanel(gloss, page) {
  const panel = await Panel.of(await gloss.openPopup(page));
  await panel.control('button', 'Summarize page').wait();
  assert.equal(await panel.page.$('[role=log] article'), null, 'no turn of before');
  assert.deepEqual(await panel.page.evaluate(sessionBatches), {});
  return panel;
}

/** Continues the only interrupted conversation from History. */
async function resume(panel) {
  await panel.page.waitForFunction(() => document.body.innerText.includes('1 conversation was interrupted.'));
  await panel.press('See History');
  await panel.page.waitForFunction(() => document.querySelector('.past')?.innerText.includes('unfinished'));
  await panel.press('Resume');
}

test('an extension reloaded in mid-run offers to resume it, and it completes', async () => {
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
    await until('the run is recorded', async () => Object.keys(await storedBatches(panel.page)).length > 0);
    const old = gloss.worker();
    const reloading = panel.page.evaluate(() => chrome.runtime.reload());
    // The popup closes with the extension, before it can answer.
    await reloading.catch((error) => assert.match(error.message, /closed|detached/i));
    // Chromium crashes if the icon of an extension that is being unloaded is pressed.
    await gloss.workerBorn(old);
    site.release();
    await busy;
    const anew = await emptyPanel(gloss, page);
    await resume(anew);
    assert.ok((await anew.finished()).points.length >= 3);
  } finally {
    await gloss.close();
  }
});

test('a browser restarted in mid-run offers to resume it, and it completes', async () => {
  const hosts = ['http://127.0.0.1/*'];
  let gloss = await launch({ hosts });
  try {
    await connect(gloss, { baseUrl: server.baseUrl });
    const wait = pause();
    server.script(sure('The lamp ', wait, 'turns.'));
    const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
    await chat.ask('What turns?');
    await chat.says('The lamp');
    await gloss.close({ keep: true });
    wait.release();
    server.script(sure('The lamp turns all night.'));
    gloss = await launch({ folder: gloss.folder, hosts });
    const panel = await emptyPanel(gloss, await gloss.open(site.url('article.html')));
    await resume(panel);
    await new Chat(panel).settled('The lamp turns all night.');
  } finally {
    await gloss.close();
  }
});

test('after a restart of the browser History shows what was said before, and erases it', async () => {
  let gloss = await launch();
  try {
    const panel = await Panel.of(await gloss.openPopup(await gloss.open(site.url('article.html'))));
    await panel.summarize();
    const before = await panel.finished();
    // The session is cleared once the records are on disk.
    await until('the run is on disk', async () => Object.keys(await panel.page.evaluate(sessionBatches)).length === 0);
    await gloss.close({ keep: true });
    gloss = await launch({ folder: gloss.folder });
    const anew = await emptyPanel(gloss, await gloss.open(site.url('article.html')));
    await anew.press('History');
    await anew.page.locator('.past li button.grow').click();
    assert.deepEqual(await anew.finished(), before);
    await anew.press('History');
    await anew.press('Delete “Summarize page”');
    await anew.press('Delete');
    await anew.page.waitForFunction(() => document.querySelector('.past')?.innerText.includes('No conversations'));
    assert.deepEqual(await storedBatches(anew.page), {});
  } finally {
    await gloss.close();
  }
});
