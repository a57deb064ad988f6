// What is learned from calls that fail: shown in the trajectory, told to the next try, and known to
// a later question, whatever dies in between.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, sure, told } from './lib/chat.mjs';
import { call, ChatServer, pause, says } from './lib/chat_server.mjs';
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
  // What was learned is kept before the next call, whoever dies.
  await gloss.killWorker();
  server.script(sure('Fresnel did.'));
  wait.release();
  await chat.settled('Fresnel did.');
  assert.match(told(server.requests[1]), /argument `words`/);
  assert.match(told(server.requests[2]), /Give the words as query\./);
  await chat.press('Trajectory');
  await chat.says('The tool takes a query. Give the words as query.');
  await chat.says('applied in step 2');
  const before = server.requests.length;
  server.script(sure('Nobody else.'));
  const other = await gloss.open(site.url('article-zh.html'));
  const later = await Chat.over(gloss, other);
  await later.ask('Did anybody beside Fresnel cut one?');
  await later.settled('Nobody else.');
  assert.match(told(server.requests[before]), /Give the words as query\./);
  await tab.close();
  await other.close();
});
