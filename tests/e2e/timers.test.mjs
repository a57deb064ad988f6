// A run waits for a server's retry time with an alarm: it keeps no worker alive, a death meanwhile
// changes nothing, and Stop ends it at once.
//
// CI checks the alarm; the long suites wait for it.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer, refuses } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const LONG = process.env.GLOSS_LONG ? false : 'waits for half a minute';
const limited = (retryAfter) => refuses(429, { message: 'Slow down', retryAfter });

let site, server, gloss;
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

/** A conversation whose run waits for the server's time, in a tab of its own. */
async function waiting(retryAfter) {
  server.script(limited(retryAfter), sure('The lamp turns.'));
  const page = await gloss.open(site.url('article.html'));
  const chat = await Chat.over(gloss, page);
  await chat.ask('What turns?');
  await chat.says('Waiting until');
  return { page, chat };
}

/** Resolves once these alarms are set; returns their times. */
async function alarms(page, names) {
  const stand = await page.waitForFunction(async (names) => {
    const all = await chrome.alarms.getAll();
    return all.map(({ name }) => name).sort().join() === names.join() && all.map(({ scheduledTime }) => scheduledTime);
  }, { timeout: PATIENCE, polling: 50 }, names);
  return stand.jsonValue();
}

test('a run that waits for a time holds one alarm and no worker; Stop ends both at once', async () => {
  const asked = Date.now();
  const { page, chat } = await waiting(120);
  const [rings] = await alarms(chat.page, ['timer']);
  assert.ok(rings >= asked + 120_000 && rings <= Date.now() + 121_000, `in ${rings - asked} ms`);
  assert.ok(await gloss.killWorker());
  assert.deepEqual(await alarms(chat.page, ['timer']), [rings], 'a death moves nothing');
  await chat.says('Waiting until');
  await chat.press('Stop');
  await chat.says('Stopped by you at');
  await alarms(chat.page, []);
  assert.equal(server.requests.length, 1);
  await page.close();
});

test('the alarm alone wakes a worker that died meanwhile, and the answer comes', { skip: LONG, timeout: 120_000 }, async () => {
  const { page, chat } = await waiting(31);
  const refused = performance.now();
  await alarms(chat.page, ['timer']);
  await chat.page.close();
  assert.ok(await gloss.killWorker());
  await server.request(2);
  assert.ok(performance.now() - refused >= 30_000, 'not before its time');
  const again = await Chat.over(gloss, page);
  await again.settled('The lamp turns.');
  assert.equal(server.requests.length, 2);
  await alarms(again.page, []);
  await page.close();
});

test('a surface that stays open sees the answer come, though the worker died meanwhile', { skip: LONG, timeout: 120_000 }, async () => {
  const { page, chat } = await waiting(31);
  assert.ok(await gloss.killWorker());
  await server.request(2);
  await chat.settled('The lamp turns.');
  assert.deepEqual(await chat.answers(), ['The lamp turns.']);
  assert.equal(server.requests.length, 2);
  await page.close();
});
