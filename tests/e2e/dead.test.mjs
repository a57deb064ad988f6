// A button that is pressed while no worker lives, as after half a minute of rest, works all the
// same; and a held key presses once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer, pause } from './lib/chat_server.mjs';
import { downloaded } from './lib/download.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server, gloss;
before(async () => {
  site = await serve();
  server = await ChatServer.start();
  gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
});

const QUESTION = 'What turns?';
const ANSWER = 'The lamp turns.';

/** A chat that has its answer. */
async function answered(question = QUESTION) {
  server.reset();
  server.always(sure(ANSWER));
  const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
  await chat.ask(question);
  await chat.settled(ANSWER);
  return chat;
}

/** The time of the press, and of the worker's death. */
const deaths = {
  'dead before': async (press) => {
    assert.ok(await gloss.killWorker());
    await press();
  },
  'killed right after': async (press) => {
    await press();
    await gloss.killWorker();
  },
};

for (const [name, die] of Object.entries(deaths)) {
  test(`JSON, ${name}`, async () => {
    const chat = await answered();
    await chat.press('Steps');
    await chat.page.waitForSelector('.drawer .step');
    const { text } = await downloaded(gloss, () => die(() => chat.press('JSON')));
    assert.equal(JSON.parse(text).format, 'gloss-run');
    await chat.page.close();
  });

  test(`Steps, ${name}`, async () => {
    const chat = await answered();
    await die(() => chat.press('Steps'));
    await chat.page.waitForFunction(() => document.querySelector('.drawer .facts')?.textContent.includes('Efficiency'), { timeout: PATIENCE });
    await chat.page.close();
  });

  test(`History and Erase, ${name}`, async () => {
    const question = `What turns, ${name}?`;
    const chat = await answered(question);
    await die(() => chat.press('History'));
    const erase = `Delete “${question}”`;
    await chat.press(erase);
    await die(() => chat.press('Delete'));
    await chat.page.waitForFunction((question) => !document.querySelector('.past').textContent.includes(question), { timeout: PATIENCE }, question);
    await chat.page.close();
  });
}

/** Holds Enter on the button of this name, with the keyboard's own repetitions. */
async function hold(chat, name) {
  const button = await chat.page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button.focus();
  for (let repeats = 0; repeats < 8; repeats++) await chat.page.keyboard.down('Enter');
  await chat.page.keyboard.up('Enter');
}

test('a held Enter on Stop stops, and sends nothing that nobody sent', async () => {
  const chat = await answered();
  const sent = server.requests.length;
  server.script(sure('The lamp ', pause()));
  await chat.ask('And the sea?');
  await chat.says('The lamp');
  await chat.page.type('textarea', 'half a thought');
  await hold(chat, 'Stop');
  await chat.panel.control('button', 'Continue').wait();
  assert.equal(await chat.draft(), 'half a thought');
  assert.equal(server.requests.length, sent + 1);
  await chat.page.close();
});

test('a held Enter on Pause pauses once, and the focus stays', async () => {
  const chat = await answered();
  const held = pause();
  server.script(sure('The lamp ', held, 'turns.'));
  await chat.ask('And the sea?');
  await chat.says('The lamp');
  await hold(chat, 'Pause');
  await chat.panel.control('button', 'Resume').wait();
  const notices = await chat.page.$$eval('.seam', (all) => all.length);
  assert.equal(notices, 1);
  held.release();
  await chat.press('Resume');
  await chat.settled(ANSWER);
  // Resume is gone with the run, and Message has the focus.
  await chat.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA', { timeout: PATIENCE });
  await chat.page.close();
});
