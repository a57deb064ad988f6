// Several models: their presets, their roles, the fallbacks if one fails, and the known figures of
// each. The test uses only controls and keys that a user has.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Options } from './lib/options.mjs';

const HOSTS = ['http://127.0.0.1/*', 'https://api.openai.com/*', 'https://api.deepseek.com/*'];
let gloss, options;

before(async () => {
  gloss = await launch({ hosts: HOSTS });
  options = await Options.of(gloss);
});
after(() => gloss?.close());

/** The settings, once they satisfy this. */
async function settled(check) {
  for (const until = Date.now() + PATIENCE; ; ) {
    const { local } = await options.everything();
    const text = local['s/preferences'];
    const preferences = text && JSON.parse(text).preferences;
    if (preferences && check(preferences)) return preferences;
    if (Date.now() > until) assert.fail(`it stays ${text}`);
    await options.page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

async function add(profile) {
  await options.press('Add profile');
  await options.connect(profile);
  await options.press('Save');
  await settled(({ profiles }) => profiles.some(({ name }) => name === profile.name));
}

async function choose(name, words) {
  const select = await options.control('combobox', name).waitHandle();
  const value = await select.evaluate((it, words) => [...it.options].find(({ text }) => text === words)?.value, words);
  assert.notEqual(value, undefined, words);
  await select.select(value);
}

test('each provider has its address, and says where a key is made', async () => {
  const presets = [
    ['OpenAI', 'https://api.openai.com/v1', 'platform.openai.com'],
    ['Anthropic', /^https:\/\/api\.anthropic\.com\//, 'console.anthropic.com'],
    ['Google Gemini', /^https:\/\/generativelanguage\.googleapis\.com\//, 'aistudio.google.com'],
    ['Ollama', /^http:\/\/localhost:11434/, null],
    ['LM Studio', 'http://localhost:1234/v1', null],
    ['llama.cpp', 'http://localhost:8080/v1', null],
    ['vLLM', 'http://localhost:8000/v1', null],
    ['OpenRouter', 'https://openrouter.ai/api/v1', 'openrouter.ai'],
    ['Groq', 'https://api.groq.com/openai/v1', 'console.groq.com'],
    ['DeepSeek', 'https://api.deepseek.com/v1', 'platform.deepseek.com'],
    ['Mistral', 'https://api.mistral.ai/v1', 'console.mistral.ai'],
    ['Other (OpenAI-compatible)', '', null],
  ];
  const names = await options.page.$$eval('#provider option', (all) => all.map((it) => it.text));
  assert.deepEqual(names, presets.map(([name]) => name));
  for (const [name, url, keys] of presets) {
    await choose('Provider', name);
    const { value } = await options.field('textbox', 'Base URL');
    if (url instanceof RegExp) assert.match(value, url);
    else assert.equal(value, url, name);
    const link = await options.page.$eval('#key-d', (it) => it.querySelector('a')?.textContent ?? null);
    assert.equal(link, keys && `Create one at ${keys}`, name);
    const called = await options.field('textbox', 'Name');
    assert.equal(called.value, name.startsWith('Other') ? '' : name);
  }
});

test('each part is played by the profile that is named, or follows the main one', async () => {
  await add({ provider: 'OpenAI', name: 'OpenAI', model: 'gpt-4.1-mini' });
  await add({ provider: 'DeepSeek', name: 'DeepSeek', model: 'deepseek-chat' });
  await add({ name: 'Mine', url: 'http://127.0.0.1:9/v1', model: 'own-1' });
  for (const name of ['Light', 'Vision', 'Image', 'Embedding']) {
    const words = await (await options.control('combobox', name).waitHandle()).evaluate((it) => it.selectedOptions[0].text);
    assert.equal(words, 'Follow main', name);
  }
  await choose('Light', 'DeepSeek · deepseek-chat');
  await choose('Main', 'Mine · own-1');
  const { profiles, roles, answers } = await settled(({ roles, answers, profiles }) => roles.light && answers === profiles[2].id);
  assert.equal(roles.light, profiles[1].id);
  assert.equal(roles.vision, null);
  assert.equal(answers, profiles[2].id);
});

test('the order in which models are tried is made by the keyboard', async () => {
  const line = () => options.page.$eval('.field:has([aria-expanded]) p', (it) => it.textContent.trim());
  assert.match(await line(), /^No fallback/);
  await options.press('Reorder');
  for (const name of ['OpenAI · gpt-4.1-mini', 'On device', 'DeepSeek · deepseek-chat']) {
    await (await options.control('button', `Add ${name}`).waitHandle()).focus();
    await options.page.keyboard.press('Enter');
    await options.control('button', `Leave out: ${name}`).waitHandle();
  }
  // On device came last and stays so.
  let { then, profiles } = await settled(({ then }) => then.length === 3);
  assert.deepEqual(then, [profiles[0].id, profiles[1].id, '']);
  assert.match(await line(), /^1\. Mine, 2\. OpenAI, 3\. DeepSeek, 4\. On device/);

  await (await options.control('button', 'Up: DeepSeek · deepseek-chat').waitHandle()).focus();
  await options.page.keyboard.press('Enter');
  ({ then } = await settled(({ then }) => then[0] === profiles[1].id));
  assert.deepEqual(then, [profiles[1].id, profiles[0].id, '']);
  await options.says('DeepSeek · deepseek-chat is now 1 of 3.');
  // Up is disabled now: the focus is on Down, and moves with the row.
  await options.page.waitForFunction(() => document.activeElement.ariaLabel === 'Down: DeepSeek · deepseek-chat');
  await options.page.keyboard.press('Enter');
  await settled(({ then }) => then[1] === profiles[1].id);
  await options.page.waitForFunction(() => document.activeElement.ariaLabel === 'Down: DeepSeek · deepseek-chat');
  // Privacy lists the servers that may then receive a page.
  const leaves = await options.page.$$eval('#privacy tbody tr', (rows) => rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)));
  assert.deepEqual(leaves.slice(0, 3), [
    ['each answer', '127.0.0.1:9 (Mine)'],
    ['when the models before it fail', 'api.openai.com (OpenAI)'],
    ['when the models before it fail', 'api.deepseek.com (DeepSeek)'],
  ]);
  await options.press('Leave out: On device');
  await settled(({ then }) => then.length === 2);
  await options.press('Done');
  assert.equal(await options.page.$('ol'), null);
});

test('what is known of a model can be changed and comes back', async () => {
  const cells = (model) => options.page.$$eval('#models tbody tr', (rows, model) => {
    const row = rows.find((row) => row.cells[0].textContent.startsWith(model));
    return [...row.cells].slice(0, -1).map((cell) => cell.textContent.trim());
  }, model);
  assert.deepEqual(await cells('gpt-4.1-mini'), ['gpt-4.1-mini', '1,047,576', '0.40', '0.10', '1.60', 'images, tools, JSON']);
  assert.deepEqual(await cells('own-1'), ['own-1', 'not known', '0', '0', '0', 'tools']);
  await options.press('Edit price of gpt-4.1-mini');
  await options.page.waitForFunction(() => document.activeElement.ariaLabel === 'Window of gpt-4.1-mini');
  await options.fill('textbox', 'Price in of gpt-4.1-mini', 'cheap');
  await options.press('Save price of gpt-4.1-mini');
  await options.says('Enter a price in dollars for a million tokens');
  assert.ok((await options.field('textbox', 'Price in of gpt-4.1-mini')).invalid);
  await options.fill('textbox', 'Price in of gpt-4.1-mini', '0.5');
  await (await options.control('checkbox', 'images').waitHandle()).click();
  await options.page.focus('#figure-0');
  await options.page.keyboard.press('Enter');
  const { profiles } = await settled(({ profiles }) => profiles[0].facts);
  assert.deepEqual(profiles[0].facts, { price: { input: 500, cached: 100, output: 1600 }, window: 1_047_576, images: false, schema: true });
  await options.control('button', 'Edit price of gpt-4.1-mini').waitHandle();
  assert.deepEqual(await cells('gpt-4.1-mini'), ['gpt-4.1-mini yours', '1,047,576', '0.50', '0.10', '1.60', 'tools, JSON']);

  await options.press('Edit price of gpt-4.1-mini');
  await options.control('button', 'Reset price of gpt-4.1-mini').waitHandle();
  await options.page.focus('#figure-1');
  await options.page.keyboard.press('Escape');
  await options.page.waitForFunction(() => !document.querySelector('#figure-1'));
  await options.press('Edit price of gpt-4.1-mini');
  await options.press('Reset price of gpt-4.1-mini');
  await settled(({ profiles }) => !profiles[0].facts);
  await options.control('button', 'Edit price of gpt-4.1-mini').waitHandle();
  assert.deepEqual((await cells('gpt-4.1-mini')).slice(2, 3), ['0.40']);
});

test('a file of an older Gloss is taken over, and what it does not know stays as at first', async () => {
  const file = join(gloss.folder, 'old.json');
  const profile = { id: 'old-1', name: 'Old', base_url: 'http://127.0.0.1:9/v1', model: 'm1', calling: 'text' };
  const preferences = { style: 'direct', max_tokens: 90_000, profiles: [profile], answers: 'old-1' };
  await writeFile(file, JSON.stringify({ format: 'gloss-preferences', version: 1, preferences }));
  await (await options.page.$('#data input[type=file]')).uploadFile(file);
  const now = await settled(({ style }) => style === 'direct');
  assert.equal(now.profiles.length, 4);
  assert.equal(now.answers, 'old-1');
  assert.deepEqual([now.then, now.roles.light, now.max_cost_cents], [[], null, 10]);
  const main = await (await options.control('combobox', 'Main').waitHandle()).evaluate((it) => it.selectedOptions[0].text);
  assert.equal(main, 'Old · m1');
});
