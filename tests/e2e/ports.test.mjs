// Only this extension's own pages may connect to the worker: neither a page of the web nor a script
// that was injected into one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { serve } from './lib/server.mjs';

let site, gloss;
before(async () => ([site, gloss] = await Promise.all([serve(), launch({ hosts: ['http://127.0.0.1/*'] })])));
after(async () => {
  await gloss?.close();
  await site?.close();
});

test('a port of a script in a web page is closed unheard, and one of an own page is answered', async () => {
  const tab = await gloss.open(site.url('article.html'));
  const own = await gloss.openOwn('icons.svg');
  const heard = await own.evaluate(knock, site.url('article.html'));
  assert.deepEqual(heard.script, { surface: 'closed', options: 'closed', offscreen: 'closed', message: 'unheard' });
  assert.deepEqual(heard.own, { surface: 'answered', options: 'answered' });
  // The page itself has no way to the extension.
  const page = await tab.evaluate((id) => new Promise((resolve) => {
    if (!chrome?.runtime?.sendMessage) resolve('none');
    else chrome.runtime.sendMessage(id, 'hello', () => resolve(chrome.runtime.lastError ? 'refused' : 'heard'));
  }), gloss.id);
  assert.match(page, /none|refused/);
});

test('an own page that is no options page can’t change the settings', async () => {
  const own = await gloss.openOwn('icons.svg');
  const reply = await own.evaluate(() => new Promise((resolve) => {
    const port = chrome.runtime.connect({ name: 'surface' });
    port.onMessage.addListener(resolve);
    port.postMessage({ options: { n: 1, ask: { change: { change: { keep_history: false } } } } });
  }));
  assert.equal(reply.refused?.failure.code, 'surface_outdated', JSON.stringify(reply));
  assert.equal((await own.evaluate(() => chrome.storage.local.get('s/preferences')))['s/preferences'], undefined);
});

/**
 * Connects as a content script of the tab at `url`, and as a page of the extension. It runs in such a
 * page and uses no variable from outside.
 */
async function knock(url) {
  const connect = async (...names) => {
    const heard = {};
    for (const name of names) {
      heard[name] = await new Promise((resolve) => {
        const port = chrome.runtime.connect({ name });
        port.onMessage.addListener(() => resolve('answered'));
        port.onDisconnect.addListener(() => resolve('closed'));
        port.postMessage({ hello: { version: 0, tab: null, language: 'en' } });
      });
    }
    if (names.includes('offscreen')) heard.message = await chrome.runtime.sendMessage('history').then(() => 'heard', () => 'unheard');
    return heard;
  };
  const [tab] = await chrome.tabs.query({ url });
  const target = { tabId: tab.id };
  const [{ result }] = await chrome.scripting.executeScript({ target, func: connect, args: ['surface', 'options', 'offscreen'] });
  return { script: result, own: await connect('surface', 'options') };
}
