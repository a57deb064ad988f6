// A citation of a web page has a link that opens the page at the quoted text. The pages are real
// ones from Mozilla's Readability suite (`GLOSS_SUITES`, else `../shared/suites`). Without the
// suite, the test is skipped with a message.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, says } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { html, Sites } from './lib/sites.mjs';

const SUITES = process.env.GLOSS_SUITES ?? fileURLToPath(new URL('../../../shared/suites', import.meta.url));
const PAGES = join(SUITES, 'readability/test/test-pages');

/** Pages, and their questions. CI checks one page with spaces between words and one without. */
const ASKED = {
  'ars-1': 'Why does the Linux kernel bug matter to Android?',
  qq: '围棋人机大战',
  ...(process.env.GLOSS_LONG && {
    wikipedia: 'When was the Mozilla Foundation established?',
    'lemonde-1': 'Que dit le projet de loi sur le renseignement ?',
    heise: 'Was kann die neue Kamera?',
    'nytimes-1': 'What did the United States do in Sudan?',
  }),
};

let sites, server, gloss;
before(async () => {
  [sites, server, gloss] = await Promise.all([
    Sites.start(),
    ChatServer.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://*.test/*'], names: '*.test' }),
  ]);
  const searxng = { base_url: `http://127.0.0.1:${sites.port}` };
  await connect(gloss, { baseUrl: server.baseUrl, search: { engine: 'searxng', servers: { searxng } } });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  sites?.close();
});

/** Cites the last passage of the search's result. */
function citesTheLast({ json }) {
  const results = json.messages.filter(({ role }) => role === 'tool').map(({ content }) => content).join('\n');
  const ids = [...results.matchAll(/"id": ?"(s1a1\.p[\d.]+)"/g)].map(([, id]) => id);
  return sure(`So it says there [[${ids.at(-1)}]].`);
}

/** Resolves once a newly opened tab shows all of `url`. */
async function loaded(tab, url) {
  const shows = () => tab.evaluate((url) => location.href.startsWith(url) && document.readyState === 'complete', url);
  const until = Date.now() + PATIENCE;
  while (!(await shows().catch(() => false))) {
    assert.ok(Date.now() < until, `${url} was not loaded in time`);
    await delay(50);
  }
}

/** The visible text of the window, once it contains words of `quote`. */
async function stands(tab, quote) {
  await tab.waitForFunction((head) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let seen = '';
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const range = new Range();
      range.selectNodeContents(node);
      const { top, bottom, height } = range.getBoundingClientRect();
      if (height > 0 && bottom > 0 && top < innerHeight) seen += node.data;
    }
    return seen.replace(/\s+/g, '').includes(head) && scrollY > 0;
  }, { timeout: PATIENCE, polling: 50 }, quote.replace(/\s+/g, '').slice(0, 24));
}

/**
 * Has `question` answered from `html` at `path`, with the reply that `cites` makes of the search's
 * result; resolves to a side panel with the citation open.
 */
async function answered(path, source, question, cites) {
  server.reset();
  sites.reset();
  const url = sites.url('real.test', path);
  sites.paths[path] = source;
  const found = { title: path, url, content: question, engine: 'mock', score: 1, category: 'general' };
  const answers = { query: question, results: [found], answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] };
  const searched = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(answers) };
  sites.paths = new Proxy(sites.paths, { get: (paths, path) => (String(path).startsWith('/search?') ? searched : paths[path]) });
  server.script(
    says('<gloss>{"thought":"Search.","complexity":"simple"}</gloss>', call('web_search', { query: question, reasoning: 'It is not on the page.' }, { id: 's' })),
    says(JSON.stringify({ grades: [{ n: 1, relevant: true, confidence: 0.9, reason: 'it says so' }] })),
    cites,
  );
  sites.paths['/start'] = html('<html lang=en><title>Start</title><main><h1>Start</h1><p>A page about nothing of that.</p></main>');
  const start = await gloss.open(sites.url('start.test', '/start'));
  // A popup closes as soon as another tab is activated, possibly before the click is done.
  const chat = await Chat.in(await gloss.openSidePanel(start));
  await chat.ask(question);
  await chat.settled('So it says there');
  await chat.press('Source 1, passage found');
  const cited = await chat.page.$eval('.pop:popover-open', (pop) => ({
    quote: pop.querySelector('blockquote, q, p').innerText, href: pop.querySelector('a').href }));
  return { ...cited, url, chat, start };
}

const LIT = 'It is lit every night from dusk until the sun is up again.';

/** A page with the same sentence about two towers, far apart. */
function towers() {
  const sea = (n) => `<p>Of the sea there is nothing new to be told, number ${n} of many such lines.</p>`.repeat(60);
  return html(`<html lang=en><title>Towers</title><main><h1>Towers</h1>${sea(1)}<p>Alpha is the first tower.</p><p>${LIT}</p>${sea(2)}<p>Beta is the second tower.</p><p>${LIT}</p>${sea(3)}</main>`);
}

/** Cites the sentence about the second tower. */
function citesTheSecond({ json }) {
  const results = json.messages.filter(({ role }) => role === 'tool').map(({ content }) => content).join('\n');
  const ids = [...results.matchAll(/"id": ?"s1a1\.p(\d+)", ?"text": ?"It is lit/g)].map(([, number]) => Number(number));
  return sure(`So it says there [[s1a1.p${Math.max(...ids)}]].`);
}

test('of words that stand on a page twice those that were given are highlighted', async (t) => {
  const { quote, href, url, chat, start } = await answered('/towers', towers(), 'When is the tower lit every night from dusk?', citesTheSecond);
  assert.equal(quote, LIT);
  t.diagnostic(href);
  const opened = gloss.browser.waitForTarget((target) => target.url().startsWith(url), { timeout: PATIENCE });
  await chat.page.click('.pop:popover-open a');
  const tab = await (await opened).page();
  await loaded(tab, url);
  await stands(tab, 'Beta is the second tower.');
  await tab.close();
  await start.close();
});

/** Presses the link in the source's popover, which closes when another tab is activated. */
async function goesThere(chat) {
  if (!(await chat.page.$('.pop:popover-open'))) await chat.press('Source 1, passage found');
  await chat.page.click('.pop:popover-open a');
}

test('a passage of a page that is open in a tab is shown there, and in no second one', async () => {
  const { url, chat, start } = await answered('/towers', towers(), 'When is the tower lit every night from dusk?', citesTheSecond);
  const beside = await gloss.open(`${url}#top`);
  await start.bringToFront();
  const before = (await gloss.browser.pages()).length;
  const press = () => goesThere(chat);
  await press();
  await stands(beside, 'Beta is the second tower.');
  assert.equal(await beside.evaluate(() => document.visibilityState), 'visible');
  assert.equal(await beside.evaluate(() => location.hash), '#top', 'a place of its own stays');
  // Pressed again, the passage is shown again, wherever the user has scrolled.
  await beside.evaluate(() => scrollTo(0, 0));
  await start.bringToFront();
  await press();
  await stands(beside, 'Beta is the second tower.');
  assert.equal((await gloss.browser.pages()).length, before);
  await beside.close();
  await start.close();
});

/** Presses the citation, and resolves to the tab that it opened; there was none before. */
async function opensAnother(chat, url, others) {
  const isNew = (target) => target.url().startsWith(url) && !others.includes(target);
  const opened = gloss.browser.waitForTarget(isNew, { timeout: PATIENCE });
  await goesThere(chat);
  const tab = await (await opened).page();
  await loaded(tab, url);
  await stands(tab, 'Beta is the second tower.');
  return tab;
}

/** Things that block a page's scripts, and how each ends. */
const HOLDS = {
  'a script that does not end': (page) => page.evaluate(() => void setTimeout(() => { for (const until = Date.now() + 8_000; Date.now() < until;); })),
  'an alert': async (page) => {
    const opened = new Promise((resolve) => page.once('dialog', resolve));
    await page.evaluate(() => void setTimeout(() => alert('High water!')));
    const alert = await opened;
    return () => alert.accept();
  },
};

for (const [name, holdsUp] of Object.entries(HOLDS)) test(`${name} in a tab holds nobody up: the passage opens in another, and that one is left as it is`, async () => {
  const { url, chat, start } = await answered('/towers', towers(), 'When is the tower lit every night from dusk?', citesTheSecond);
  const hung = await gloss.open(url);
  await start.bringToFront();
  const ends = await holdsUp(hung);
  const tab = await opensAnother(chat, url, [hung.target()]);
  await ends?.();
  // Once the page answers, nothing waits for it, and nothing scrolls while the user reads.
  assert.equal(await hung.evaluate(() => scrollY), 0);
  await tab.close();
  await hung.close();
  await start.close();
});

test('a tab that shows an error at the address of a passage is not what is brought forward', async () => {
  const { url, chat, start } = await answered('/towers', towers(), 'When is the tower lit every night from dusk?', citesTheSecond);
  const whole = sites.paths['/towers'];
  sites.paths['/towers'] = { ...html('<html lang=en><title>404</title><h1>Nothing stands here.</h1>'), status: 404 };
  const lost = await gloss.open(url);
  sites.paths['/towers'] = whole;
  await start.bringToFront();
  const tab = await opensAnother(chat, url, [lost.target()]);
  assert.equal(await lost.evaluate(() => document.title), '404');
  await tab.close();
  await lost.close();
  await start.close();
});

for (const [name, question] of Object.entries(ASKED)) {
  test(`a passage of ${name} that was searched for is opened where it stands`, async (t) => {
    const file = join(PAGES, name, 'source.html');
    if (!existsSync(file)) return t.skip(`${file} is not there`);
    const source = html(await readFile(file));
    // The page as saved: what its scripts would fetch no longer exists.
    source.headers['content-security-policy'] = "script-src 'none'";
    const { quote, href, url, chat, start } = await answered(`/${name}`, source, question, citesTheLast);
    t.diagnostic(`${quote.slice(0, 80)} ${href.slice(href.indexOf('#'))}`);
    assert.ok(href.startsWith(`${url}#:~:text=`), href);
    const opened = gloss.browser.waitForTarget((target) => target.url().startsWith(url), { timeout: PATIENCE });
    await chat.page.click('.pop:popover-open a');
    const tab = await (await opened).page();
    // A wait that began in a tab's first document may be lost with it.
    await loaded(tab, url);
    await stands(tab, quote);
    await tab.close();
    await start.close();
  });
}
