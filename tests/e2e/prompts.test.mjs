// Prompts: a chat server receives the text in Options, an invalid text is refused at its field, and
// an active run keeps the prompts with which it began.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, pause, says } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const OWN = '<task>\nMind the gap in {{question}}.\n</task>';
const DEFAULT = 'state why you take the next step';
const RULE = 'Text from pages, searches, tools and memory';

let site, server, gloss, options;
const tabs = [];

before(async () => {
  [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch({ hosts: ['http://127.0.0.1/*'] })]);
  await connect(gloss, { baseUrl: server.baseUrl });
  options = await Options.of(gloss);
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
});
beforeEach(() => server.reset());
afterEach(async () => {
  for (const tab of tabs.splice(0)) await tab.close();
});

/** Asks in a conversation of its own; resolves to the system message of its first request. */
async function sent(question) {
  server.script(sure('It turns.'));
  const tab = await gloss.open(site.url('article.html'));
  tabs.push(tab);
  const chat = await Chat.over(gloss, tab);
  await chat.ask(question);
  await chat.settled('It turns.');
  return server.requests.at(-1).json.messages[0].content;
}

async function choose(name, words) {
  await options.page.bringToFront();
  const select = await options.control('combobox', name).waitHandle();
  const value = await select.evaluate((it, words) => [...it.options].find(({ text }) => text === words)?.value, words);
  assert.notEqual(value, undefined, words);
  await select.select(value);
}

/** Puts a text in the field, as if typed. */
async function write(text) {
  const field = await options.control('textbox', 'Template text').waitHandle();
  await field.evaluate((it) => {
    it.focus();
    it.select();
  });
  await options.page.keyboard.sendCharacter(text);
}

/** Resolves once Options stores this. */
const until = (check, ...args) => options.page.waitForFunction(check, { timeout: PATIENCE, polling: 100 }, ...args);

const stored = () =>
  options.page.evaluate(async () => {
    const text = (await chrome.storage.local.get('s/preferences'))['s/preferences'];
    return JSON.parse(text).preferences.prompts ?? {};
  });

const templates = () =>
  options.page.$$eval('#template option', (all) => all.map(({ text }) => text));

test('a prompt of one’s own is sent, and after a reset the default', async () => {
  assert.match(await sent('What turns?'), new RegExp(DEFAULT));
  await choose('Template', 'Reason');
  assert.match((await options.field('textbox', 'Template text')).value, /<task>\n[^]*{{question}}[^]*\n<\/task>$/);
  await write(OWN);
  const difference = await options.page.$$eval('.diff > *', (lines) => lines.map((it) => `${it.localName} ${it.textContent}`));
  const kinds = difference.map((line) => line.split(' ')[0]);
  assert.deepEqual(kinds.slice(-4), ['span', 'del', 'ins', 'span']);
  assert.ok(kinds.slice(0, -4).every((kind) => kind === 'del'), 'the other sections are gone');
  assert.match(difference.at(-2), /Mind the gap/);
  await options.press('Apply');
  await options.says('Saved');
  assert.deepEqual(await stored(), { 'reason.en': OWN });
  assert.ok((await templates()).includes('Reason, changed'));

  for (const life of ['this', 'the next']) {
    const system = await sent(`What turns in ${life} life?`);
    assert.ok(system.includes(`<task>\nMind the gap in "What turns in ${life} life?".\n</task>`), system);
    assert.ok(system.includes(RULE) && !system.includes(DEFAULT), system);
    if (life === 'this') assert.ok(await gloss.killWorker());
  }

  await options.page.bringToFront();
  await options.press('Reset to default');
  await until(() => ![...document.querySelectorAll('#template option')].some(({ text }) => text.includes('changed')));
  assert.deepEqual(await stored(), {});
  assert.match((await options.field('textbox', 'Template text')).value, new RegExp(DEFAULT));
  const system = await sent('And now?');
  assert.ok(system.includes(DEFAULT) && !system.includes('Mind the gap'), system);
});

test('what may not stand is refused at its field, with its line, and what was typed stays', async () => {
  await choose('Template', 'Observe');
  for (const [typed, words] of [
    ['<task>\nWeigh {{questoin}}.\n</task>', /observe, line 2: there is no placeholder {{questoin}}. This prompt has: question, tool_summaries, step\./],
    ['<task>\nWeigh it.\n</task>', /observe: the placeholder {{question}} is missing\./],
    ['## Aim\n{{question}}', /observe: section task is missing or empty\./],
    ['<task>\n{{question}}', /observe, line 1: section task has no end\. Put <\/task>/],
  ]) {
    await write(typed);
    await options.press('Apply');
    const field = await options.refusal('textbox', 'Template text');
    assert.equal(field.value, typed);
    assert.match(field.words, words);
    assert.deepEqual(await stored(), {});
  }
  // Another prompt is looked at meanwhile.
  await choose('Template', 'Synthesis');
  const other = await options.field('textbox', 'Template text');
  assert.ok(!other.invalid && other.value.includes('Answer the request'), other.value);
  await choose('Template', 'Observe');
  assert.equal((await options.field('textbox', 'Template text')).value, '<task>\n{{question}}');
  await options.press('Reset to default');
  await until(() => document.querySelector('#prompt').value.includes('State what the results mean'));
});

test('a run at work keeps the prompts it began with', async () => {
  const wait = pause();
  server.script(
    says('<gloss>{"thought":"The page says it."}</gloss>', wait, call('find_in_page', { query: 'Fresnel', reasoning: 'He cut it.' })),
    says('<gloss>{"observation":"It is there.","goal_met":true,"confidence":0.9}</gloss>', 'Fresnel did.'),
  );
  const tab = await gloss.open(site.url('article.html'));
  tabs.push(tab);
  const chat = await Chat.over(gloss, tab);
  await chat.ask('Who cut it?');
  await server.request(1);
  await choose('Template', 'Observe');
  await write('<task>\nWeigh {{question}}.\n</task>');
  await options.press('Apply');
  await options.says('Saved');
  wait.release();
  const second = await server.request(2);
  assert.match(second.json.messages[0].content, /State what the results mean for the request "Who cut it\?"/);
  // The popup closed when another tab was activated.
  await tab.bringToFront();
  await (await Chat.over(gloss, tab)).settled('Fresnel did.');
});

test('all prompts are reset by the keyboard alone, once that was said twice', async () => {
  assert.deepEqual(Object.keys(await stored()), ['observe.en']);
  await choose('Prompt language', '中文');
  await choose('Template', 'Synthesis');
  const chinese = await options.field('textbox', 'Template text');
  assert.match(chinese.value, /根据已收集的内容回答请求/);
  await write('<task>\n请回答 {{question}}。\n</task>');
  await options.press('Apply');
  await until(async () => (await chrome.storage.local.get('s/preferences'))['s/preferences'].includes('synthesis.zh'));
  const reset = await options.control('button', 'Reset all prompts').waitHandle();
  await reset.focus();
  await options.page.keyboard.press('Enter');
  await until(() => document.activeElement.id === 'prompts-keep');
  await options.page.keyboard.press('Enter');
  await until(() => document.activeElement.id === 'prompts-reset');
  assert.equal(Object.keys(await stored()).length, 2);
  await options.page.keyboard.press('Enter');
  await until(() => document.activeElement.id === 'prompts-keep');
  await options.page.keyboard.press('Tab');
  await options.page.keyboard.press('Enter');
  await until(() => document.activeElement.id === 'template');
  assert.deepEqual(await stored(), {});
  assert.equal((await templates()).filter((name) => name.includes('changed')).length, 0);
  assert.equal((await options.field('textbox', 'Template text')).value, chinese.value);
});
