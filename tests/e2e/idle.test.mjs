// Chrome itself ends the worker thirty seconds after its last event. A run that waits for the user
// keeps no worker alive, and continues when the user answers. No debugger attaches to the worker,
// because it would keep the worker alive.
//
// CI waits for one death, the long suites for five.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat } from './lib/chat.mjs';
import { ChatServer } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const DEATHS = process.env.GLOSS_LONG ? 5 : 1;

test('a run that waits for the person outlives its worker, which nothing keeps alive', async () => {
  const [site, server, gloss] = [await serve(), await ChatServer.start(), await launch()];
  try {
    // Without host permissions, each question waits for the user.
    await connect(gloss, { baseUrl: server.baseUrl });
    for (let death = 1; death <= DEATHS; death += 1) {
      const page = await gloss.open(site.url('article.html'));
      const chat = await Chat.over(gloss, page);
      await chat.ask('Who was Fresnel?');
      await chat.says('Permission needed');
      const from = performance.now();
      await gloss.workerDied();
      console.log(`death ${death} of ${DEATHS}: ${((performance.now() - from) / 1000).toFixed(1)} s after the question`);
      await chat.says('Permission needed');
      await chat.press('Not now');
      await chat.settled('Augustin Fresnel, an engineer of roads');
      assert.deepEqual(await chat.said(), ['Who was Fresnel?']);
      await page.close();
    }
    assert.equal(server.requests.length, 0);
  } finally {
    await gloss.close();
    await server.close();
    await site.close();
  }
});
