// The sheet "Approve tool call": after a page was read, a search in other words than the user's is
// asked. The provider receives exactly what the user approved.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { looked } from './lib/audit.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure, told } from './lib/chat.mjs';
import { call, ChatServer, says } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';

let server, gloss, site, port;
const asked = [];

before(async () => {
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://any');
    if (pathname === '/search') {
      asked.push(searchParams.get('q'));
      const results = { query: searchParams.get('q'), number_of_results: 0, results: [], answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(results));
    }
    const html = '<html lang=en><title>Tides</title><main><h1>Tides</h1><p>Hoylake is a secondary port. Its tides follow Liverpool.</p></main>';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  port = site.address().port;
  [server, gloss] = await Promise.all([
    ChatServer.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://start.test/*'], names: '*.test' }),
  ]);
  const searxng = { base_url: `http://127.0.0.1:${port}` };
  await connect(gloss, { baseUrl: server.baseUrl, search: { engine: 'searxng', servers: { searxng } } });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  site?.closeAllConnections();
  site?.close();
});
beforeEach(() => {
  server.reset();
  asked.length = 0;
});

const searches = (query) =>
  says('<gloss>{"thought":"Search.","complexity":"simple"}</gloss>', call('web_search', { query, reasoning: 'The page has no times.' }, { id: 's' }));

/** A conversation beside a page, with the sheet for this search. */
async function asks(query) {
  server.script(searches(query));
  // A search without results also asks for another query; this reply contains none.
  server.always(sure('That is all.'));
  const chat = await Chat.over(gloss, await gloss.open(`http://start.test:${port}/start`));
  await chat.ask('When is high water at Hilbre?');
  return chat;
}

const sheet = (chat) => chat.panel.control('dialog', 'Approve tool call').setTimeout(PATIENCE).wait();

test('the provider receives exactly what was edited, and the focus approves nothing', async () => {
  const chat = await asks('Hilbre secondary port secret');
  await sheet(chat);
  assert.equal(await chat.page.evaluate(() => document.activeElement?.tagName), 'H2');
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(asked, []);
  const sent = await chat.page.$eval('dialog .whole code', (it) => it.innerHTML);
  assert.match(sent.replace(/<!--.*?-->/g, ''), /^Hilbre <mark>secondary port<\/mark> <u>secret<\/u>$/);
  await chat.says('The page has no times.');
  await looked(chat.page, 'dialog', 'approval', 400);
  const field = await chat.page.$('dialog #approval-2');
  await field.click({ count: 3 });
  await field.type('tide table');
  await chat.press('Approve once');
  await chat.settled('That is all.');
  assert.equal(asked[0], 'Hilbre secondary port tide table');
  assert.ok(asked.every((query) => !query.includes('secret')), asked.join());
});

test('a rejection sends nothing, and the model reads its reason', async () => {
  const chat = await asks('secret');
  await sheet(chat);
  await chat.press('Reject');
  await chat.page.waitForSelector('#approval-reason:focus');
  await chat.page.keyboard.type('Use the page alone');
  await chat.press('Reject');
  await chat.settled('That is all.');
  assert.deepEqual(asked, []);
  assert.match(told(server.requests.at(-1)), /Use the page alone/);
  // Escape rejects without a reason.
  const other = await asks('secret');
  await sheet(other);
  await other.page.keyboard.press('Escape');
  await other.settled('That is all.');
  assert.deepEqual(asked, []);
});

test('always covers the next search, until it is revoked in Options', async () => {
  const chat = await asks('secret one');
  await sheet(chat);
  await chat.press('Always allow searches with SearXNG');
  await chat.settled('That is all.');
  const next = await asks('secret two');
  await next.settled('That is all.');
  assert.ok(asked.includes('secret one') && asked.includes('secret two'), asked.join());
  const options = await Options.of(gloss);
  await options.press('Revoke searches with SearXNG');
  await options.page.waitForFunction(() => document.body.innerText.includes('None. Gloss asks before each call.'), { timeout: PATIENCE });
  asked.length = 0;
  const last = await asks('secret three');
  await sheet(last);
  assert.deepEqual(asked, []);
  await last.page.keyboard.press('Escape');
  await last.settled('That is all.');
});
