// Options: a setting stays set, a refusal is shown at its field, and only the worker sees a key.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { serveModels } from './lib/models.mjs';
import { Options } from './lib/options.mjs';
import { until } from './lib/patience.mjs';
import { serve } from './lib/server.mjs';
import { storedBatches } from './lib/tiers.mjs';

const CANARY = 'sk-canary-27182818284590452';
const HOSTS = ['http://127.0.0.1/*'];
const URL = 'http://127.0.0.1:9/v1';

let site;
before(async () => (site = await serve()));
after(() => site.close());

async function withBrowser(options, use) {
  const gloss = await launch(options);
  try {
    await use(gloss);
  } finally {
    await gloss.close();
  }
}

test('what is set survives the death of the worker and a restart of the browser', async () => {
  const first = await launch();
  let options = await Options.of(first);
  await (await options.control('radio', 'Direct At least 60 % sure. Fastest and cheapest.').waitHandle()).click();
  await options.says('Saved');
  await options.fill('spinbutton', 'Max steps', '3');
  await (await options.control('switch', 'Show thinking').waitHandle()).click();
  const thinking = () => options.page.evaluate(() => chrome.storage.local.get('s/preferences'));
  await options.page.waitForFunction(
    async () => (await chrome.storage.local.get('s/preferences'))['s/preferences']?.includes('"show_thinking": true'),
    { polling: 100 },
  );
  assert.match((await thinking())['s/preferences'], /"max_steps": 3/);
  assert.ok(await first.killWorker());
  await options.page.reload();
  await options.page.waitForSelector('#about');
  await isSet(options);
  await first.close({ keep: true });

  const again = await launch({ folder: first.folder });
  try {
    options = await Options.of(again);
    await isSet(options);
    await options.press('Reset to defaults');
    await options.page.waitForFunction(() => document.querySelector('#steps').value === '');
    assert.equal((await options.field('switch', 'Show thinking')).checked, false);
  } finally {
    await again.close();
  }
});

async function isSet(options) {
  assert.equal((await options.field('spinbutton', 'Max steps')).value, '3');
  assert.equal((await options.field('switch', 'Show thinking')).checked, true);
  const direct = await options.field('radio', 'Direct At least 60 % sure. Fastest and cheapest.');
  assert.equal(direct.checked, true);
}

test('a value that may not stand is refused at its field and nothing is lost', async () => {
  await withBrowser({}, async (gloss) => {
    const options = await Options.of(gloss);
    for (const [name, typed] of [['Max steps', '11'], ['Token budget', '12'], ['Tool calls', '']]) {
      await options.fill('spinbutton', name, typed);
      const field = await options.refusal('spinbutton', name);
      assert.equal(field.value, typed, name);
      assert.match(field.words, /^Enter a whole number from 1|^Enter a whole number from 5000/, name);
    }
    await options.fill('spinbutton', 'Max steps', '9');
    await options.page.waitForFunction(() => !document.querySelector('#steps').ariaInvalid);
    // The browser drops digits of other scripts; that is not the same as an empty field.
    await options.page.click('#month', { clickCount: 3 });
    await options.page.keyboard.sendCharacter('٣');
    await options.page.keyboard.press('Tab');
    await options.page.waitForFunction(() => document.querySelector('#month').ariaInvalid === 'true');
    await options.connect({ name: 'Mine', url: 'nowhere', model: '' });
    await options.press('Save');
    await options.page.waitForFunction(() => document.querySelector('#url').ariaInvalid === 'true');
    assert.match((await options.field('textbox', 'Base URL')).words, /Enter a full address/);
    assert.match((await options.field('textbox', 'Model')).words, /Enter the model’s name/);
    assert.equal((await options.field('textbox', 'Name')).value, 'Mine');
    const { local } = await options.everything();
    assert.equal(JSON.parse(local['s/preferences']).preferences.max_steps, 9);
    assert.equal(JSON.parse(local['s/preferences']).preferences.max_month_dollars, 5);
    assert.deepEqual(JSON.parse(local['s/preferences']).preferences.profiles, []);
  });
});

test('a key is kept apart, and is in no page, no export and no session', async () => {
  await withBrowser({ hosts: HOSTS }, async (gloss) => {
    let options = await Options.of(gloss);
    await options.connect({ name: 'Mine', url: `${URL}/`, key: CANARY, model: 'm1' });
    const masked = await options.page.$eval('#key', (key) => [key.type, getComputedStyle(key).webkitTextSecurity]);
    assert.deepEqual(masked, ['text', 'disc']);
    await options.press('Save');
    await options.says('Saved');
    await options.page.reload();
    await options.page.waitForSelector('#about');
    const { local, session, page, fields } = await options.everything();
    const kept = Object.values(JSON.parse(local['s/keys']).keys);
    assert.deepEqual(kept, [{ origin: new globalThis.URL(URL).origin, text: CANARY }]);
    delete local['s/keys'];
    assert.ok(!JSON.stringify([local, session, page, fields]).includes('canary'));
    assert.match(await options.page.$eval('#key', (key) => key.placeholder), /^Saved/);
    assert.equal((await options.field('textbox', 'Base URL')).value, URL);

    const exported = await download(gloss, options);
    assert.match(exported, /"base_url": "http:\/\/127\.0\.0\.1:9\/v1"/);
    assert.ok(!exported.includes('canary'));
  });
});

/** What "Export" offers, read from the link that it presses. */
async function download(gloss, options) {
  await options.page.evaluate(() => {
    HTMLElement.prototype.click = new Proxy(HTMLElement.prototype.click, {
      apply(click, element) {
        globalThis.offered = { href: element.href, name: element.download };
      },
    });
  });
  await options.press('Export');
  const offered = await options.page.waitForFunction(() => globalThis.offered);
  const { href, name } = await offered.jsonValue();
  assert.equal(name, 'gloss-settings.json');
  return options.page.evaluate((href) => fetch(href).then((file) => file.text()), href);
}

test('settings are exported and imported, and a foreign file changes nothing', async () => {
  await withBrowser({ hosts: HOSTS }, async (gloss) => {
    const options = await Options.of(gloss);
    await options.fill('spinbutton', 'Tool calls', '7');
    await options.says('Saved');
    const file = join(gloss.folder, 'settings.json');
    const exported = await download(gloss, options);
    await options.fill('spinbutton', 'Tool calls', '8');
    await options.page.waitForFunction(async () => (await chrome.storage.local.get())['s/preferences'].includes('"max_tool_calls": 8'));
    const input = await options.page.$('#data input[type=file]');

    await writeFile(file, '{"format":"gloss-preferences","version":1,"preferences":{"max_minutes":0,"style":"direct"}}');
    await input.uploadFile(file);
    await options.says('in this file is not valid');
    const { local } = await options.everything();
    const kept = JSON.parse(local['s/preferences']).preferences;
    assert.deepEqual([kept.style, kept.max_tool_calls], ['balanced', 8]);

    await writeFile(file, exported);
    await input.uploadFile(file);
    await options.page.waitForFunction(() => document.querySelector('#tool-calls').value === '7');
  });
});

test('erasing leaves nothing, after its word was typed', async () => {
  await withBrowser({ hosts: HOSTS }, async (gloss) => {
    const options = await Options.of(gloss);
    const runs = async () => Object.keys(await storedBatches(options.page)).length;
    const article = await gloss.open(site.url('article.html'));
    await gloss.pressAlt(article, 's');
    await until('the run is recorded', async () => (await runs()) > 0);
    await options.page.bringToFront();
    await options.connect({ name: 'Mine', url: URL, key: CANARY, model: 'm1' });
    await options.press('Save');
    await options.says('Saved');
    const button = await options.control('button', 'Erase everything').waitHandle();
    assert.ok(await button.evaluate((it) => it.disabled));
    await options.fill('textbox', 'Type “erase” to confirm', 'erase');
    await options.press('Erase everything');
    await options.says('Everything is erased.');
    const { local, session, fields } = await options.everything();
    assert.deepEqual(local, {});
    assert.deepEqual(session, {});
    assert.equal(await runs(), 0);
    assert.ok(!fields.join().includes('canary'));
    const bodies = await options.page.evaluate(readBodies);
    assert.deepEqual(bodies, []);
  });
});

function readBodies() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('gloss');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      if (!database.objectStoreNames.contains('blobs')) return resolve([]);
      const keys = database.transaction('blobs').objectStore('blobs').getAllKeys();
      keys.onsuccess = () => resolve(keys.result);
    };
  });
}

test('each name that people and tests hold on to stands on the page', async () => {
  await withBrowser({}, async (gloss) => {
    const options = await Options.of(gloss);
    const names = [
      ['combobox', 'Provider'], ['textbox', 'Base URL'], ['textbox', 'API key'], ['textbox', 'Model'],
      ['combobox', 'Search provider'], ['textbox', 'Search base URL'], ['textbox', 'Search API key'], ['radiogroup', 'Agent style'], ['spinbutton', 'Max steps'], ['switch', 'Show thinking'],
      ['spinbutton', 'Token budget'], ['button', 'Export'], ['button', 'Import'], ['button', 'Erase everything'],
    ];
    for (const [role, name] of names) {
      const found = await options.page.$$(`::-p-aria([name="${name}"][role="${role}"])`);
      assert.equal(found.length, 1, `${role} "${name}"`);
    }
    for (const name of ['Models', 'Search']) {
      const region = await options.control('region', name).waitHandle();
      for (const button of ['Test connection', 'Save']) {
        const found = await region.$$(`::-p-aria([name="${button}"][role="button"])`);
        assert.equal(found.length, 1, `${name}: "${button}"`);
      }
    }
    for (const name of ['Agent', 'Privacy', 'Data', 'Shortcuts', 'About']) {
      await options.control('region', name).waitHandle();
    }
    const shortcuts = await options.page.$eval('#shortcuts table', (table) => table.innerText);
    for (const words of ['Open Gloss', 'Summarize page', 'Alt S']) assert.ok(shortcuts.includes(words), words);
  });
});

test('Test connection says exactly what is wrong, or what works', async () => {
  const server = await serveModels(CANARY, ['tiny-1', 'tiny-2']);
  try {
    await withBrowser({ hosts: HOSTS }, async (gloss) => {
      const options = await Options.of(gloss);
      const trying = async (changed, words) => {
        for (const [name, text] of Object.entries(changed)) await options.fill('textbox', name, text);
        await options.press('Test connection');
        await options.says(words);
      };
      await options.connect({ name: 'Mine', url: `${server.origin}/v1`, key: 'sk-wrong', model: 'tiny-1' });
      await trying({}, 'Mine did not accept this key (401)');
      await trying({ 'API key': CANARY }, 'Connected. “tiny-1” is available.');
      const names = await options.page.$$eval('[role=option]', (all) => all.map((it) => it.textContent));
      assert.deepEqual(names, ['tiny-1', 'tiny-2']);
      await options.page.focus('[role=listbox]');
      await options.page.keyboard.press('ArrowDown');
      assert.equal((await options.field('textbox', 'Model')).value, 'tiny-2');
      await trying({ Model: 'huge-9' }, 'huge-9');
      await trying({ 'Base URL': `${server.origin}/nowhere` }, '404');
      await trying({ 'Base URL': URL }, 'Mine cannot be reached');
      await trying({ 'Base URL': 'nowhere' }, 'Enter a full address');
      const { local, session, page } = await options.everything();
      assert.ok(!JSON.stringify([local, session, page]).includes('canary'), 'tried, not kept');
      assert.deepEqual([...new Set(server.seen.map(({ path }) => path))], ['/v1/models', '/nowhere/models']);
    });
  } finally {
    await server.close();
  }
});
