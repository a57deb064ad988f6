// A model that is still loading: its first byte arrives after two minutes, and the worker, which
// Chrome would end after half a minute, is still alive to receive it. Only in the long suites.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { launch } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer, late, pause } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

/** Longer than four lives of an idle worker, in ms. */
const LOADING = 125_000;

test('a first byte after two minutes still becomes an answer', { skip: !process.env.GLOSS_LONG && 'a long suite' }, async () => {
  const [site, server] = [await serve(), await ChatServer.start()];
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(gloss, { baseUrl: server.baseUrl });
    const page = await gloss.open(site.url('article.html'));
    const chat = await Chat.in(await gloss.openSidePanel(page));
    const wait = pause();
    server.script(late(wait, sure('The lamp turns.')), sure('The lamp turns.'));
    await chat.ask('What turns?');
    await server.request(1);
    await setTimeout(LOADING);
    wait.release();
    await chat.settled('The lamp turns.');
    assert.ok(server.requests.length <= 2, 'one abandoned call at most');
    console.log(`${server.requests.length} request(s)`);
  } finally {
    await gloss.close();
    await server.close();
    await site.close();
  }
});
