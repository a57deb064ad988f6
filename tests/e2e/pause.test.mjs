// Pause and Resume: the request ends, nothing runs, the worker may die, and there is one answer.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, pause, says } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server, gloss;
const tabs = [];

before(async () => {
  [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch({ hosts: ['http://127.0.0.1/*'] })]);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
});
beforeEach(() => server.reset());
afterEach(async () => {
  for (const tab of tabs.splice(0)) await tab.close();
});

async function chat() {
  const page = await gloss.open(site.url('article.html'));
  tabs.push(page);
  return Chat.over(gloss, page);
}

const focused = (one) => one.page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.tagName);
const alarms = (one) => one.page.evaluate(async () => (await chrome.alarms.getAll()).length);
const busy = (one) => one.page.$('[role=log] [aria-busy=true], .caret');

/** Resolves once the status line says Paused. */
async function held(one) {
  await one.page.waitForFunction(
    () => document.querySelector('[role=status]:not(.sr) b')?.textContent === 'Paused' && document.querySelector('.dot.held'),
    { timeout: PATIENCE, polling: 'mutation' });
}

test('Pause ends the request, by the keyboard too, and Resume gives one clean answer', async (t) => {
  const wait = pause();
  server.script(sure('The lamp ', wait, 'never.'), sure('The lamp turns.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The lamp');
  await one.panel.control('button', 'Pause').wait();
  await one.page.focus('button[aria-label=Pause]');
  const pressed = performance.now();
  await one.page.keyboard.press('Space');
  const request = await server.requests[0].ended;
  assert.ok(request.aborted, 'the server saw it close');
  t.diagnostic(`${Math.round(performance.now() - pressed)} ms after it was pressed`);
  await held(one);
  assert.equal(await focused(one), 'Resume');
  assert.match(await one.log(), /The lamp Paused at \d\d:\d\d$/, 'what had come stays');
  assert.equal(await busy(one), null, 'nothing moves');
  assert.ok(await one.offers('Stop'));
  assert.equal(await alarms(one), 0, 'nothing wakes the worker');
  await one.page.keyboard.press('Space');
  await one.settled('The lamp turns.');
  assert.deepEqual(await one.answers(), ['The lamp turns.']);
  assert.match(await one.log(), /Paused at \d\d:\d\d, resumed at \d\d:\d\d/);
  assert.match(await one.log(), /the model was asked again/);
  assert.equal(server.requests.length, 2);
  assert.deepEqual(await one.said(), ['What turns?']);
});

test('a paused run outlives its worker and its surface, and asks no server anything', async () => {
  server.script(sure('The lamp ', pause(), 'never.'), sure('The lamp turns.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The lamp');
  await one.press('Pause');
  await held(one);
  await one.page.close();
  assert.ok(await gloss.killWorker());
  const again = await Chat.over(gloss, tabs[0]);
  await held(again);
  assert.match(await again.log(), /The lamp Paused at/);
  assert.equal(await alarms(again), 0);
  // No page needs an idle worker; Resume starts the next one.
  assert.ok(await gloss.killWorker());
  await held(again);
  assert.equal(server.requests.length, 1);
  await again.press('Resume');
  await again.settled('The lamp turns.');
  assert.deepEqual(await again.answers(), ['The lamp turns.']);
  assert.equal(server.requests.length, 2);
});

test('a tool that had answered before the pause is not asked again', async () => {
  server.script(
    says('<gloss>{"thought":"The page says it.","complexity":"simple"}</gloss>',
      call('find_in_page', { query: 'Fresnel', reasoning: 'He cut the lens.' })),
    says('<gloss>{"observation":"It names him.","goal_met":true,"confidence":0.9}</gloss>', 'Augustin ', pause()),
    says('<gloss>{"observation":"It names him.","goal_met":true,"confidence":0.9}</gloss>', 'Augustin Fresnel.'));
  const one = await chat();
  await one.ask('Who cut the lens?');
  await one.says('Augustin');
  await one.press('Pause');
  await held(one);
  await one.press('Resume');
  await one.settled('Augustin Fresnel.');
  assert.equal(server.requests.length, 3);
  assert.equal(server.requests[1].body, server.requests[2].body, 'the same call again');
});

test('a message sent to a paused run waits and is read when it goes on; Stop ends a paused run', async () => {
  server.script(sure('The lamp ', pause()), sure('The lamp turns.'), sure('All night.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The lamp');
  await one.press('Pause');
  await held(one);
  await one.ask('How long?');
  await one.panel.control('button', 'Take back “How long?”').wait();
  assert.equal(server.requests.length, 1);
  await one.press('Resume');
  await one.settled('All night.');
  assert.equal(server.requests.length, 3);
  server.script(sure('The lens ', pause()), sure('The lens bends.'));
  await one.ask('What bends?');
  await one.says('The lens');
  await one.press('Pause');
  await held(one);
  await one.press('Stop');
  await one.says('Stopped by you at');
  await one.press('Continue');
  await one.settled('The lens bends.');
  assert.equal(server.requests.length, 5);
});

test('pausing one conversation leaves another at work, and History tells them apart', async () => {
  const wait = pause();
  server.script(sure('The lamp ', pause()), sure('The lens ', wait, 'bends.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The lamp');
  await one.press('Pause');
  await held(one);
  await one.page.close();
  const other = await chat();
  await other.ask('What bends?');
  await other.says('The lens');
  await other.press('History');
  await other.says('unfinished');
  await other.page.keyboard.press('Escape');
  wait.release();
  await other.settled('The lens bends.');
  assert.equal(server.requests.length, 2);
  await other.press('New chat');
  await other.page.waitForFunction(() => !document.querySelector('[role=log] article'), { timeout: PATIENCE });
});
