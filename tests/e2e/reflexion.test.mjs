// Lessons from failed calls: shown in the trajectory, sent with the next attempt, and used for a
// later question, whatever dies in between.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { looked } from './lib/audit.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure, told } from './lib/chat.mjs';
import { call, ChatServer, pause, says } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

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

const WRONG = says('<gloss>{"thought":"It names him.","complexity":"moderate"}</gloss>',
  call('find_in_page', { words: 'Fresnel', reasoning: 'He cut the lens.' }, { id: 'a' }));
const LEARNED = '<gloss>{"observation":"It was not taken.","goal_met":false,"thought":"Once more.",'
  + '"reflection":{"why":"The tool takes a query.","instead":"Give the words as query."}}</gloss>';
const right = (...before) => says(...before, call('find_in_page', { query: 'Fresnel', reasoning: 'He cut the lens.' }, { id: 'b' }));

test('what was learned stands before the next try and in the trajectory, and a later question knows it', async () => {
  const wait = pause();
  server.script(WRONG, right(LEARNED), says(wait, '<gloss>{"observation":"There he is.","goal_met":true,"confidence":0.9}</gloss>', 'Fresnel did.'));
  const tab = await gloss.open(site.url('article.html'));
  const chat = await Chat.over(gloss, tab);
  await chat.ask('Who cut the Fresnel lens?');
  await wait.reached;
  // The lesson is stored before the next call, whatever dies.
  await gloss.killWorker();
  server.script(sure('Fresnel did.'));
  wait.release();
  await chat.settled('Fresnel did.');
  assert.match(told(server.requests[1]), /argument `words`/);
  assert.match(told(server.requests[2]), /Give the words as query\./);
  await chat.press('Steps');
  await chat.says('The tool takes a query. Give the words as query.');
  await chat.says('applied in step 2');
  const before = server.requests.length;
  server.script(sure('Nobody else.'));
  const other = await gloss.open(site.url('article-zh.html'));
  const later = await Chat.over(gloss, other);
  await later.ask('Who was Fresnel?');
  await later.settled('Nobody else.');
  assert.match(told(server.requests[before]), /Give the words as query\./);
  await tab.close();
  await other.close();
});

test('what was learned is seen in Options, erased one by one and all at once, and taken back', async () => {
  server.script(WRONG, right(LEARNED), says('<gloss>{"observation":"There he is.","goal_met":true,"confidence":0.9}</gloss>', 'Fresnel did.'));
  const tab = await gloss.open(site.url('article.html'));
  const options = await Options.of(gloss);
  await tab.bringToFront();
  const chat = await Chat.over(gloss, tab);
  await chat.ask('Who cut the Fresnel lens?');
  await chat.settled('Fresnel did.');
  const { page } = options;
  const rows = () => page.$$eval('.learned > li', (rows) => rows.map((row) => row.innerText.replace(/\s+/g, ' ').trim()));
  const until = (count) => page.waitForFunction(
    (count) => document.querySelectorAll('.learned > li').length === count, { timeout: PATIENCE, polling: 50 }, count);
  // It appears by itself, the newest first; the run before learned something similar.
  await page.waitForSelector('.learned > li', { timeout: PATIENCE });
  const all = (await rows()).length;
  assert.match((await rows())[0], /^The tool takes a query\. Give the words as query\. .+ · wrong arguments · .+ · applied$/);
  await page.bringToFront();
  await looked(page, '#memory', 'learned', 320);
  const [first] = await page.$$('.learned > li button');
  assert.equal(await first.evaluate((button) => button.ariaLabel), 'Delete “Give the words as query.”');
  await first.click();
  await options.says('Deleted.');
  await until(all - 1);
  // The focused button is gone, so the button that restores has the focus.
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Undo: deleted notes', { timeout: PATIENCE });
  await page.keyboard.press('Enter');
  await options.says('Restored.');
  await until(all);
  await options.press('Delete everything learned');
  await page.waitForFunction(() => document.querySelector('#memory').innerText.includes('Nothing learned yet.'), { timeout: PATIENCE });
  const kept = async () => JSON.parse((await options.everything()).local['s/reflections']).reflections.length;
  assert.equal(await kept(), 0);
  await options.press('Undo: deleted notes');
  await until(all);
  assert.equal(await kept(), all);
  await options.press('Delete everything learned');
  await until(0);

  // No later request contains it.
  const before = server.requests.length;
  server.script(sure('Nobody else.'));
  const later = await Chat.over(gloss, tab);
  await later.press('New chat');
  await later.ask('Who was Fresnel?');
  await later.settled('Nobody else.');
  assert.doesNotMatch(told(server.requests[before]), /Give the words as query\./);
});
