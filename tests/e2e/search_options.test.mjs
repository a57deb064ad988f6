// Options → Search: each provider is set and tested, and shows a message if something is wrong.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { filesWith } from './lib/files.mjs';
import { Options } from './lib/options.mjs';
import { serveSearch } from './lib/search_server.mjs';

const KEY = 'canary-search-27182818';
const PROVIDERS = [
  ['Wikipedia (no key)', 'GET', '/w/api.php'],
  ['SearXNG', 'GET', '/search'],
  ['Brave', 'GET', '/res/v1/web/search'],
  ['Google Custom Search', 'GET', '/customsearch/v1'],
  ['Tavily', 'POST', '/search'],
];
let gloss, options, server;

before(async () => {
  server = await serveSearch(KEY);
  gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  options = await Options.of(gloss);
});
after(async () => {
  await gloss?.close();
  await server?.close();
});

async function choose(provider) {
  const select = await options.control('combobox', 'Search provider').waitHandle();
  const value = await select.evaluate((it, words) => [...it.options].find(({ text }) => text === words)?.value, provider);
  assert.notEqual(value, undefined, provider);
  await select.select(value);
  await set(({ search }) => (search?.engine ?? 'wikipedia') === ENGINES[provider]);
}

const ENGINES = { 'Wikipedia (no key)': 'wikipedia', SearXNG: 'searxng', Brave: 'brave', 'Google Custom Search': 'google', Tavily: 'tavily' };

/** The settings, once they satisfy this. */
async function set(check) {
  for (const until = Date.now() + PATIENCE; ; ) {
    const text = (await options.everything()).local['s/preferences'];
    const preferences = text && JSON.parse(text).preferences;
    if (preferences && check(preferences)) return preferences;
    if (Date.now() > until) assert.fail(`it stays ${text}`);
    await options.page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Presses a button of the section. */
async function press(words) {
  const button = await options.page.waitForFunction(
    (words) => [...document.querySelectorAll('#search button')].find((it) => it.textContent.trim() === words),
    { timeout: PATIENCE },
    words,
  );
  await button.click();
}

/** Tests the provider, and returns the message once it contains this. */
async function tries(words, button = 'Test connection') {
  await press(button);
  await options.page.waitForFunction(
    (words) => document.querySelector('#search-result').textContent.includes(words) && !document.querySelector('#search [aria-busy]'),
    { timeout: PATIENCE, polling: 100 },
    words,
  );
  return options.page.$eval('#search-result', (it) => it.innerText);
}

async function fill({ url = server.origin, key = KEY, id = 'cx1' }, provider) {
  await choose(provider);
  await options.fill('textbox', 'Search base URL', url);
  if (provider === 'Google Custom Search') await options.fill('textbox', 'Search engine ID', id);
  if (key) await options.fill('textbox', 'Search API key', key);
}

for (const [provider, method, path] of PROVIDERS) {
  test(`${provider}: it answers, and every way in which it does not is said`, async () => {
    server.mode = 'ok';
    await fill({}, provider);
    assert.match(await tries('results in'), /^10 results in \d+\.\d\ss$/);
    const request = server.seen.at(-1);
    assert.deepEqual([request.method, request.path], [method, path]);
    assert.ok(`${request.query.q ?? request.query.gsrsearch ?? request.body}`.includes('Wikipedia'));

    if (!['Wikipedia (no key)', 'SearXNG'].includes(provider)) {
      await options.fill('textbox', 'Search API key', 'wrong');
      const said = await tries('does not accept this key');
      assert.match(said, /Copy the key/);
      await options.fill('textbox', 'Search API key', KEY);
    }
    await options.fill('textbox', 'Search base URL', `${server.origin}/elsewhere`);
    assert.match(await tries('No search found at'), /Check the base URL/);
    await options.fill('textbox', 'Search base URL', 'http://127.0.0.1:9');
    assert.match(await tries('isn’t responding'), /127\.0\.0\.1:9/);
    await options.fill('textbox', 'Search base URL', 'nowhere');
    await press('Test connection');
    assert.match((await options.refusal('textbox', 'Search base URL')).words, /Enter a full address/);
    await options.fill('textbox', 'Search base URL', server.origin);
    server.mode = 'limited';
    assert.match(await tries('Too many searches'), /again in 42\ss/);
    server.mode = 'ok';
  });
}

test('a SearXNG that gives pages alone is told which setting mends it, and another way on', async () => {
  await fill({ key: '' }, 'SearXNG');
  server.mode = 'silent_json';
  const said = await tries('doesn’t respond in JSON (403)');
  assert.match(said, /formats: \[html, json\]/);
  server.mode = 'ok';
  await tries('results in', 'Try again');
  server.mode = 'silent_json';
  await tries('doesn’t respond in JSON (403)');
  server.mode = 'ok';
  await press('Use Wikipedia');
  await set(({ search }) => (search?.engine ?? 'wikipedia') === 'wikipedia');
});

test('what is saved survives the worker, the key is seen by nobody, and goes with its server', async () => {
  await fill({}, 'Brave');
  for (const [name, typed] of [['Searches a minute', '61'], ['Searches a day', '0']]) {
    await options.fill('spinbutton', name, typed);
    await press('Save');
    assert.match((await options.refusal('spinbutton', name)).words, /Enter a whole number from 1 to/);
    await options.fill('spinbutton', name, '7');
  }
  await press('Save');
  await set(({ search }) => search?.servers?.brave?.per_day === 7);
  await tries('results in');
  await gloss.killWorker();
  await options.page.reload();
  await options.page.waitForSelector('#about');
  assert.equal((await options.field('textbox', 'Search base URL')).value, server.origin);
  assert.match(await options.page.$eval('#search-key', (it) => it.placeholder), /^Saved/);
  await tries('results in');
  const { local, session, page, fields } = await options.everything();
  const kept = Object.values(JSON.parse(local['s/keys']).keys);
  assert.ok(kept.some(({ origin, text }) => origin === server.origin && text === KEY));
  delete local['s/keys'];
  assert.ok(!JSON.stringify([local, session, page, fields]).includes('27182818'));
  await options.fill('textbox', 'Search base URL', 'http://127.0.0.1:9');
  await press('Save');
  await set(({ search }) => search.servers.brave.base_url === 'http://127.0.0.1:9');
  const left = (await options.everything()).local;
  assert.ok(!JSON.stringify(left).includes('27182818'), 'a key goes with its server');
});

test('the trusted sites are a table that can be edited', async () => {
  await options.page.$eval('#search details', (it) => (it.open = true));
  assert.equal((await options.field('textbox', 'Government')).value, '*.gov who.int un.org');
  await options.fill('textbox', 'News', 'https://www.tagesschau.de/inland, here');
  assert.match((await options.refusal('textbox', 'News')).words, /“here” is not a site name/);
  await options.fill('textbox', 'News', 'https://www.tagesschau.de/inland, *.gov.uk');
  const { search } = await set(({ search }) => search?.domains?.news);
  assert.deepEqual(search.domains.news, ['tagesschau.de', '*.gov.uk']);
  await options.fill('textbox', 'News', '');
  await set(({ search }) => !search?.domains);
  await options.page.waitForFunction(() => document.querySelector('#trusted-news').value.startsWith('apnews.com'));
});

// The last test, because it ends the browser.
test('a key that stands in an address stands in no file of the profile but where keys are kept', async () => {
  await fill({}, 'Google Custom Search');
  await press('Save');
  await set(({ search }) => search?.servers?.google?.id === 'cx1');
  await tries('results in');
  server.mode = 'limited';
  await tries('Too many searches');
  await gloss.close({ keep: true });
  const found = await filesWith(join(gloss.folder, 'profile'), 'canary-search');
  assert.deepEqual(found.filter((path) => !path.includes('Local Extension Settings')), []);
  assert.ok(found.length > 0, 'it would be found if it stood there');
  await gloss.remove();
  gloss = undefined;
});
