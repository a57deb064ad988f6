// Searching the web: query, grading, rewritten query, reading, citation. The user's own SearXNG
// answers in its documented JSON (https://docs.searxng.org/dev/search_api.html); the pages that it
// finds have public names that lead to loopback.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { looked } from './lib/audit.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, late, pause, says } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';

/** A picture of 16 × 12 points. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAIAAADkharWAAABPklEQVR42hXQoZXFMAxE0S3MBbgAo4+EgoSCHgoSMhIyEgoSClIBLm2T4feMNH+NajyNbNyNaKyGN2bDGleDxtnQxtGQxu+vU52nk527E53V8c7sWOfq0Dk72jk60l8wqMEzyME9iMEa+GAObHANGJwDHRwDGS8QSniEFG4hhCW4MAUTLgHhFFQ4BJEXKKU8Siq3EspSXJmKKZeCciqqHIroC6DggYQbAhY4TDC4+HJ+iuMre4FRxmOkcRthLMONaZhx2edOQ43DEHuBU87jpHM74SzHnemYc/lXdzrqHI74C4IKniCDO4hgBR7MwIIrvivPQIMjkHhBUsmTZHInkazEk5lYcuX33JlociSSLyiqeIos7iKKVXgxCyuu+jY5Cy2OQuoFm9o8m9zcm9isjW/mxjbXhs250c2xkc3vH8+4HdBRIqhlAAAAAElFTkSuQmCC';

let server, gloss, site, port;
/** The results, by query. */
let found = {};
const asked = [];
/** The requested languages. */
const languages = [];
/** The pictures that were loaded. */
const loaded = [];
/** The first of them arrives once this is released. */
let held, letGo;

const url = (host, path) => `http://${host}:${port}${path}`;
const hit = (title, host, content) => ({ title, url: url(host, '/page'), content, engine: 'mock', score: 1, category: 'general' });

before(async () => {
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://any');
    if (pathname === '/search') {
      const query = searchParams.get('q');
      asked.push(query);
      languages.push(searchParams.get('language'));
      const results = found[query];
      if (!results) return response.writeHead(500).end('no');
      const body = { query, number_of_results: 0, results, answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    if (pathname.endsWith('.png')) {
      loaded.push({ path: pathname, referer: request.headers.referer, cookie: request.headers.cookie });
      if (pathname === '/3.png') return response.writeHead(302, { location: url('inner.test', '/secret.png') }).end();
      if (pathname !== '/1.png') return response.writeHead(404).end();
      return held.then(() => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(DOT, 'base64')));
    }
    const html = `<html lang=en><title>Almanac</title><main><h1>Almanac</h1><p>High water at Hilbre is at 13:09 on 28 November.</p></main>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  port = site.address().port;
  [server, gloss] = await Promise.all([
    ChatServer.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://almanac.test/*', 'http://pictures.test/*', 'http://start.test/*'], names: '*.test' }),
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
  languages.length = 0;
  loaded.length = 0;
  held = new Promise((resolve) => (letGo = resolve));
  found = {};
});

const searches = (query) =>
  says('<gloss>{"thought":"Search.","complexity":"simple"}</gloss>', call('web_search', { query, reasoning: 'The page lacks it.' }, { id: 's' }));
const grades = (...relevant) =>
  says(JSON.stringify({ grades: relevant.map((relevant, at) => ({ n: at + 1, relevant, confidence: 0.9, reason: relevant ? 'has place and day' : 'another place' })) }));

/** A conversation beside a page. */
async function beside() {
  return Chat.over(gloss, await gloss.open(url('start.test', '/start')));
}

test('what a search is doing shows while it is at it', async () => {
  const wait = pause();
  found = { 'Dee tide': [hit('Almanac', 'almanac.test', 'Tides of Hilbre.')] };
  server.script(searches('Dee tide'), late(wait, grades(true)), sure('It is at 13:09 [[s1a1.p1]].'));
  const chat = await beside();
  await chat.ask('When is the high tide of the Dee at Hilbre?');
  await chat.says('Grading the results');
  wait.release();
  await chat.settled('It is at 13:09');
  await chat.saysNoMore('Grading the results');
});

test('too little relevant is searched again in other words; what is cited was read, and its words are shown', async () => {
  found = {
    'Hilbre tide': [hit('Hilbre, Florida', 'florida.test', 'Tides of Florida.'), hit('Birds', 'birds.test', 'Birds of Hilbre.')],
    'Hilbre high water 28 November': [hit('Harbour almanac', 'almanac.test', 'All tides of November.'), hit('Dee notes', 'dee.test', 'The ebb is held back by wind.')],
  };
  server.script(
    searches('Hilbre tide'),
    grades(false, false),
    says('{"query": "Hilbre high water 28 November"}'),
    grades(true, true),
    sure('It is at 13:09 [[s1a1.p1]], later in wind [[s1a2.p1]].'),
  );
  const chat = await beside();
  await chat.ask('When is the tide at high water at Hilbre on 28 November?');
  // One question for all found sites for which Chrome's permission is missing.
  await chat.panel.control('dialog', 'Permission needed').setTimeout(PATIENCE).wait();
  await chat.says('dee.test');
  await looked(chat.page, '[role=dialog]', 'search-read-card', 400);
  await chat.press('Not now');
  await chat.settled('It is at 13:09');
  assert.deepEqual(asked, ['Hilbre tide', 'Hilbre high water 28 November']);
  await chat.says('Searched:');
  const log = await chat.page.$eval('[role=log]', (it) => it.innerText);
  assert.match(log, /Searched: Hilbre tide →[^]*Hilbre high water 28 November/);
  assert.match(log, /2 found, not relevant/);
  assert.match(log, /relevant: has place and day/);
  assert.match(log, /search excerpt only; page not read/);
  await chat.press('Source 1, passage found');
  const words = await chat.page.$eval('.pop:popover-open', (pop) => pop.innerText);
  assert.match(words, /High water at Hilbre is at 13:09 on 28 November\./);
  // The copied text has the numbers, the marks of unverified sources, and the sources.
  await chat.page.keyboard.press('Escape');
  await chat.page.evaluate(() => (navigator.clipboard.writeText = async (text) => void (window.copied = text)));
  await chat.press('Copy');
  const copied = await chat.page.waitForFunction(() => window.copied, { timeout: PATIENCE });
  const text = await copied.jsonValue();
  assert.match(text, /It is at 13:09 \[1\]\(http:\/\/almanac\.test[^)]*\), later in wind \[2\?\]\(http:\/\/dee\.test[^)]*\)\./);
  assert.match(text, /\*\*Sources\*\*\n\n- 1 \[.*almanac\.test:\d+ · relevant: has place and day: “High water at Hilbre/);
  assert.match(text, /- 2\? \[.*dee\.test:\d+ · search excerpt only; page not read: “/);
});

test('a German question is searched in German under an English interface', async () => {
  found = { 'Hochwasser Cuxhaven': [hit('Almanac', 'almanac.test', 'Gezeiten der Elbe.')] };
  server.script(searches('Hochwasser Cuxhaven'), grades(true), sure('Um 13:09 [[s1a1.p1]].'));
  const chat = await beside();
  await chat.ask('Wann ist am 28. November in Cuxhaven Hochwasser?');
  await chat.settled('Um 13:09');
  assert.deepEqual([asked, languages], [['Hochwasser Cuxhaven'], ['de']]);
});

test('an answer that cites none of the sources that were found says so, and lists them', async () => {
  found = { 'Dee tide': [hit('Almanac', 'almanac.test', 'Tides of Hilbre.')] };
  server.script(searches('Dee tide'), grades(true), sure('It is at 13:09.'));
  const chat = await beside();
  await chat.ask('When is the high tide of the Dee at Hilbre?');
  await chat.settled('It is at 13:09.');
  await chat.says('Sources were found; this answer cites none of them.');
  await chat.says('1 relevant, not cited');
  await looked(chat.page, '[role=log]', 'search-uncited', 400);
});

test('a search that fails is said before the answer, which is from the model alone', async () => {
  server.script(searches('Southampton double high water'), sure('It is not known.'));
  const chat = await beside();
  await chat.ask('Who noticed the double high water of Southampton first?');
  await chat.settled('It is not known.');
  assert.equal(asked.length, 2);
  await chat.says('From the model alone; the search failed.');
  await chat.says('SearXNG answered with an error (500)');
});

test('pictures that were found are shown as cards, and loaded once the person asks', async () => {
  const lighthouse = (number) => (
    { ...hit(`Lighthouse ${number}`, 'almanac.test', ''), url: url('almanac.test', `/${number}`), thumbnail_src: url('pictures.test', `/${number}.png`) });
  found = { 'Hilbre lighthouse': [lighthouse(1), lighthouse(2), lighthouse(3), { ...hit('A film', 'almanac.test', '') }] };
  server.script(
    says('<gloss>{"thought":"Search.","complexity":"simple"}</gloss>',
      call('web_search', { query: 'Hilbre lighthouse', kind: 'image', reasoning: 'Pictures are wanted.' }, { id: 's' })),
    sure('Here are some.'));
  // A site that has the user's cookies, and that Gloss may read.
  const known = await gloss.open(url('pictures.test', '/known'));
  await known.evaluate(() => (document.cookie = 'who=me; SameSite=Strict'));
  await known.close();
  const chat = await beside();
  // A separate page loads it: the conversation's page may load nothing external.
  const framed = async (number, shows) => {
    const holds = (frame) => frame.url().includes('/picture.html#') && decodeURIComponent(frame.url()).includes(`/${number}.png`);
    await (await chat.page.waitForFrame(holds)).waitForFunction(shows, { timeout: PATIENCE });
  };
  await chat.ask('Show me the Hilbre lighthouse');
  await chat.settled('Here are some.');
  await chat.says('4 pictures or videos found');
  await chat.says('No picture');
  // The answer is not labelled as the model's alone, because the results are shown.
  assert.doesNotMatch(await chat.log(), /model alone/);
  await looked(chat.page, 'body', 'search-cards', 400);
  assert.deepEqual(loaded, []);
  await chat.press(`Show picture: Lighthouse 1 (from pictures.test:${port})`);
  await framed(1, () => document.body?.innerText === 'Loading the image');
  await looked(chat.page, 'body', 'search-card-loading', 400);
  letGo();
  await framed(1, () => document.images[0]?.naturalWidth === 16);
  // The focused button is gone, so the link of the picture's page has the focus.
  assert.equal(await chat.page.evaluate(() => document.activeElement.closest('.cards li') !== null), true);
  assert.deepEqual(loaded, [{ path: '/1.png', referer: undefined, cookie: undefined }]);
  await chat.press('Show all pictures');
  await framed(2, () => document.body?.innerText.includes('could not be loaded'));
  // A redirect of a picture to http is not followed: it may lead to a machine of the user's own
  // network.
  await framed(3, () => document.body?.innerText.includes('could not be loaded'));
  assert.deepEqual(loaded.map(({ path }) => path).sort(), ['/1.png', '/2.png', '/3.png']);
  assert.equal(await chat.page.$eval('.cards li a', (link) => link.href), url('almanac.test', '/1'));
  await looked(chat.page, 'body', 'search-cards-shown', 400);
});

test('a provider that Chrome does not let it reach is asked for, and the answer goes without when refused', async () => {
  const searxng = { base_url: url('search.test', '') };
  await connect(gloss, { baseUrl: server.baseUrl, search: { engine: 'searxng', servers: { searxng } } });
  server.script(searches('Hilbre tide'), sure('It is not known.'));
  const chat = await beside();
  await chat.ask('When is the high tide at Hilbre?');
  await chat.says('Chrome doesn’t allow Gloss to connect to your search provider yet.');
  await chat.says(`Send to ${searxng.base_url}`);
  await chat.press('Not now');
  await chat.settled('It is not known.');
  assert.deepEqual(asked, []);
  await chat.says('went on without searching with SearXNG');
  await chat.says('From the model alone; the search failed.');
});
