// The available tools: set in Options, chosen for one conversation, and offered to the model.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looked, unreachable } from './lib/audit.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, told } from './lib/chat.mjs';
import { call, ChatServer, says } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(async () => {
  await server?.close();
  await site?.close();
});

async function withBrowser(options, use) {
  const gloss = await launch(options);
  server.reset();
  try {
    await use(gloss);
  } finally {
    await gloss.close();
  }
}

const offered = (request) => (request.json.tools ?? []).map((tool) => tool.function.name);

test('each tool has a switch in Options, by keyboard too, and what is set outlives the worker', () =>
  withBrowser({}, async (gloss) => {
    const options = await Options.of(gloss);
    const { page } = options;
    for (const [name, words] of [
      ['Summarize page', /^summarize_page_content · /], ['Explain text', /^explain_text_with_context · /],
      ['Find in page', /^find_in_page · Finds the passages/],
    ]) {
      const field = await options.field('switch', name);
      assert.match(field.words, words);
      assert.equal(field.checked, true, name);
    }
    await page.focus('#tool-find_in_page');
    await page.keyboard.press('Space');
    await options.says('Saved');
    const failing = await options.control('radio', 'End the run The run stops there and says which tool failed.').waitHandle();
    await failing.click();
    await looked(page, '#tools', 'options-tools', 900);
    assert.deepEqual(await unreachable(page), []);
    await gloss.killWorker();
    await page.reload();
    await page.waitForFunction(() => document.querySelector('#tool-find_in_page')?.checked === false, { timeout: PATIENCE });
    const { local } = await options.everything();
    const { preferences } = JSON.parse(local['s/preferences']);
    assert.deepEqual([preferences.tools_off, preferences.on_tool_failure], [['find_in_page'], 'fail']);
    await options.press('Reset to defaults');
    await page.waitForFunction(() => document.querySelector('#tool-find_in_page').checked, { timeout: PATIENCE });
  }));

test('a conversation begins from what Options says, chooses otherwise, and a call of what is off ends nothing', () =>
  withBrowser({ hosts: ['http://127.0.0.1/*'] }, async (gloss) => {
    await connect(gloss, { baseUrl: server.baseUrl, tools_off: ['explain_text_with_context'] });
    const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
    const { page } = chat;
    await chat.press('Tools');
    const is = (id, on) => page.waitForFunction((id, on) => document.getElementById(id)?.checked === on, { timeout: PATIENCE }, id, on);
    await is('tools-explain_text_with_context', false);
    await is('tools-find_in_page', true);
    await page.click('#tools-find_in_page');
    await is('tools-find_in_page', false);
    await looked(page, '#tools', 'popover-tools', 400);
    await page.keyboard.press('Escape');
    server.script(says('<gloss>{"thought":"It may stand there."}</gloss>', call('find_in_page', { query: 'lamp' })), says('<gloss>{"goal_met":true,"confidence":1}</gloss>The lamp turns.'));
    await chat.ask('What turns?');
    await chat.settled('The lamp turns.');
    const [first, second] = server.requests;
    assert.ok(offered(first).includes('summarize_page_content'));
    for (const off of ['find_in_page', 'explain_text_with_context']) assert.ok(!offered(first).includes(off), off);
    assert.match(told(second), /unknown tool `find_in_page`; the most similar: [a-z_]+/);
    // The next message uses the same; Reset restores what Options says.
    await chat.press('Tools');
    await is('tools-find_in_page', false);
    await chat.press('Reset');
    await is('tools-find_in_page', true);
    await is('tools-explain_text_with_context', false);
  }));

test('a tool that cannot run says why, in Chinese too', () =>
  withBrowser({ language: 'zh-CN' }, async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open('chrome://version'));
    const words = await chat.page.waitForFunction(
      () => document.getElementById('tools-find_in_page-d')?.textContent, { timeout: PATIENCE });
    assert.match(await words.jsonValue(), /需要网页；没有打开的网页|Needs a page/);
    assert.equal(await chat.page.$eval('#tools-find_in_page', (box) => box.disabled), true);
  }));
