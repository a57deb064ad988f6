// A tab with a PDF is read like a page, and a passage of it opens on its page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat } from './lib/chat.mjs';
import { serve } from './lib/server.mjs';

let site, gloss;
before(async () => {
  site = await serve();
  gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
});
after(async () => {
  await gloss?.close();
  await site?.close();
});

test('a question about a PDF is answered by its sentence, which opens at its page', async () => {
  const chat = await Chat.over(gloss, await gloss.open(site.url('tides.pdf')));
  await chat.ask('How high is a spring tide at Brest?');
  await chat.settled('A spring tide at Brest is seven metres high.');
  const links = await chat.page.$$eval('[role=log] a.ref', (all) => all.map((link) => link.href));
  assert.ok(links.includes(`${site.url('tides.pdf')}#page=2`), JSON.stringify(links));
});

test('a PDF is read once, however often the panel looks at it', async () => {
  const article = await gloss.open(site.url('article.html'));
  const chat = await Chat.in(await gloss.openSidePanel(article));
  await chat.says('How a lighthouse throws its light');
  const tab = await gloss.open(site.url('tides.pdf'));
  await chat.says('Tides of the channel');
  const asked = site.asked('tides.pdf');
  await article.bringToFront();
  await chat.says('How a lighthouse throws its light');
  await tab.bringToFront();
  await chat.says('Tides of the channel');
  assert.equal(site.asked('tides.pdf'), asked);
  await chat.ask('How high is a spring tide at Brest?');
  await chat.settled('A spring tide at Brest is seven metres high.');
});
