// Every request of the browser, from the installation to the first connected model, goes through a
// proxy that records it: the extension makes none that the user did not make.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { serve } from './lib/server.mjs';

/** Turns Chromium's own services off, beside what Puppeteer turns off. */
const QUIET = [
  '--allow-browser-signin=false',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
];

/** The hosts that Chromium itself asks all the same: for its updates, the time and an account. */
const CHROMIUM = ['accounts.google.com', 'clients2.google.com', 'redirector.gvt1.com', 'update.googleapis.com'];

let site, server, proxy;
before(async () => ([site, server, proxy] = await Promise.all([serve(), ChatServer.start(), recording()])));
after(async () => {
  await server?.close();
  await site?.close();
  proxy?.close();
});

/** A proxy that records the requests and passes them on to this machine only. */
async function recording() {
  const seen = [];
  const listener = createServer((request, response) => {
    const { hostname, port, pathname, search } = new URL(request.url);
    // The icon of a tab is the browser's doing, and comes at any time.
    const ours = !CHROMIUM.includes(hostname) && pathname !== '/favicon.ico';
    if (ours) seen.push(`${request.method} ${request.url}`);
    if (hostname !== '127.0.0.1') return response.writeHead(502).end();
    const { method, headers } = request;
    const passed = send({ hostname, port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  listener.on('connect', ({ url }, socket) => {
    if (!CHROMIUM.includes(url.replace(/:443$/, ''))) seen.push(`CONNECT ${url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { seen, server: `127.0.0.1:${listener.address().port}`, close: () => listener.close() };
}

test('from the installation to the first answer, only what the user does makes a request', async () => {
  const args = [`--proxy-server=${proxy.server}`, '--proxy-bypass-list=<-loopback>', ...QUIET];
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'], args });
  try {
    assert.deepEqual(proxy.seen, [], 'after the installation');

    // The page is the browser's own doing; reading it and the on-device answer make no request.
    const page = await gloss.open(site.url('article.html'));
    const visited = proxy.seen.splice(0);
    assert.ok(visited.length > 0 && visited.every((one) => one.includes(site.origin)), visited.join('\n'));
    const alone = await Chat.over(gloss, page);
    await alone.panel.summarize();
    await alone.panel.finished();
    assert.deepEqual(proxy.seen, [], 'of a summary on the device');

    const options = await Options.of(gloss);
    await options.connect({ name: 'Mine', url: server.baseUrl, key: 'key-1', model: 'scripted-1' });
    assert.deepEqual(proxy.seen, [], 'before a button is pressed');
    await options.press('Test connection');
    await options.says('Connected');
    await options.press('Save');
    await options.page.waitForFunction(() => /^Saved/.test(document.querySelector('#key').placeholder));
    assert.deepEqual(proxy.seen.splice(0), [`GET ${server.baseUrl}/models`]);

    const chat = await Chat.over(gloss, page);
    server.script(sure('The lamp turns.'));
    await chat.press('New chat');
    await chat.ask('What turns?');
    await chat.settled('The lamp turns.');
    assert.deepEqual(proxy.seen.splice(0), [`POST ${server.baseUrl}/chat/completions`]);

    // The next workers make none either.
    await gloss.killWorker();
    await Chat.over(gloss, page);
    assert.deepEqual(proxy.seen, [], 'of another worker');
  } finally {
    await gloss.close();
  }
});
