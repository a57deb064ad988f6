// The browser's built-in model, replaced by a stand-in with the documented API: in the worker, as
// in Chromium's source for extensions, and in windows only, as the documentation says.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, KNOWN } from './lib/chat.mjs';
import { Desk, HOLD, withLanguageModel } from './lib/language_model.mjs';
import { Options } from './lib/options.mjs';
import { serve } from './lib/server.mjs';

const NAME = 'Chrome built-in';
const ID = 'browser:built-in';
const TOOL = '<gloss>{"thought":"The page says it."}</gloss>\n```json\n'
  + '{"tool_calls":[{"id":"a","name":"find_in_page","arguments":{"query":"Fresnel"},"reasoning":"He cut the lens."}]}\n```';

let site;
before(async () => { site = await serve(); });
after(() => site?.close());

/** Resolves once the model's row shows this about its download. */
const state = (options, words) => options.page.waitForFunction(
  (words) => document.querySelector('#built-in [role=status]')?.textContent === words, { timeout: PATIENCE, polling: 50 }, words);
const isOffscreen = (target) => target.url().endsWith('/offscreen.html');
const offscreen = (gloss) => gloss.browser.targets().filter(isOffscreen).length;

for (const [title, worker, where] of [
  ['a worker that has it', true, 'worker'],
  ['a worker that has not, beside windows that have', false, 'offscreen.html'],
]) {
  describe(title, () => {
    let copy, gloss, desk;
    const tabs = [];
    before(async () => {
      copy = await withLanguageModel({ worker });
      gloss = await launch({ extension: copy.extension });
      desk = await Desk.of(gloss);
      const options = await Options.of(gloss);
      await options.page.waitForSelector(`#main option[value="${ID}"]`);
      await options.page.select('#main', ID);
      await options.says('Saved');
      await options.page.close();
    });
    after(async () => {
      await gloss?.close();
      await copy?.remove();
    });
    afterEach(async () => {
      for (const tab of tabs.splice(0)) await tab.close();
    });

    async function chat() {
      const page = await gloss.open(site.url('article.html'));
      tabs.push(page);
      return Chat.over(gloss, page);
    }

    test('an answer streams, and its session is destroyed', async () => {
      await desk.script([KNOWN, 'The lamp ', HOLD, '**turns** all night.']);
      const one = await chat();
      await one.ask('What turns?');
      await one.says('The lamp');
      await desk.release();
      await one.settled('The lamp turns all night.');
      assert.deepEqual(await one.answers(), ['The lamp turns all night.']);
      assert.match(await one.log(), /Chrome built-in · [\d,]+ tokens/);
      assert.equal(await desk.settled(), 1);
      const [asked] = await desk.told('create');
      assert.equal(asked.where, where);
      assert.equal(asked.prompts[0].role, 'system');
      assert.match(asked.prompts[0].content, /find_in_page/);
      const [{ input, responseConstraint }] = await desk.told('prompted');
      assert.deepEqual(input.map(({ role }) => role), ['user']);
      assert.match(input[0].content, /What turns\?$/);
      assert.equal(responseConstraint, undefined);
      assert.equal(offscreen(gloss), worker ? 0 : 1);
    });

    test('a tool is called in words, and its result goes back as data', async () => {
      await desk.script([TOOL.slice(0, 70), TOOL.slice(70)], [KNOWN, 'Fresnel cut it.']);
      const one = await chat();
      await one.ask('Who cut the lens?');
      await one.settled('Fresnel cut it.');
      assert.doesNotMatch(await one.log(), /tool_calls|gloss>/);
      assert.equal(await desk.settled(), 2);
      const [, { input }] = await desk.told('prompted');
      assert.match(input[0].content, /^<tool_result tool="find_in_page"[^]*Augustin Fresnel/);
      const [, { prompts }] = await desk.told('create');
      assert.deepEqual(prompts.map(({ role }) => role), ['system', 'user', 'assistant']);
    });

    test('Stop ends the session at once', async (t) => {
      await desk.script([KNOWN, 'The lamp ', HOLD, 'never.']);
      const one = await chat();
      await one.ask('What turns?');
      await one.says('The lamp');
      const pressed = performance.now();
      await one.press('Stop');
      assert.equal(await desk.settled(), 1);
      t.diagnostic(`${Math.round(performance.now() - pressed)} ms after it was pressed`);
      await one.says('Stopped');
    });

    test('a worker that is killed in mid-answer goes on, and gives one clean answer', async () => {
      await desk.script([KNOWN, 'The lamp ', HOLD, 'never.'], [KNOWN, 'The lamp turns.']);
      const one = await chat();
      await one.ask('What turns?');
      await one.says('The lamp');
      const old = gloss.browser.targets().filter(isOffscreen);
      assert.ok(await gloss.killWorker());
      await one.settled('The lamp turns.');
      assert.deepEqual(await one.answers(), ['The lamp turns.']);
      const made = await desk.told('created');
      assert.equal(made.length, 2);
      const destroyed = (await desk.told('destroyed')).map(({ session }) => session);
      if (worker) {
        // The first one died with its worker, which had no time to report it.
        assert.ok(destroyed.includes(made[1].session));
      } else {
        assert.equal(await desk.settled(), 2);
        assert.ok(!gloss.browser.targets().includes(old[0]), 'the page went with its worker');
        assert.equal(offscreen(gloss), 1);
      }
    });

    test('more than its window takes is said as of any model', async () => {
      await desk.script();
      // Three more requests follow, each with half.
      await desk.refuse('QuotaExceededError', 'The input is too large.', 4);
      const one = await chat();
      await one.ask('What turns?');
      await one.says('This is too long for Chrome');
      assert.equal(await desk.settled(), 0);
    });

    test('what it refuses or fails at is in its own words', async () => {
      await desk.script([{ error: { name: 'NotSupportedError', message: 'The model attempted to output text in an untested language.' } }]);
      const one = await chat();
      await one.ask('What turns?');
      await one.says('Chrome refused the request');
      await one.says('It said: The model attempted to output text in an untested language.');
      assert.equal(await desk.settled(), 1);
    });

    test('a model that is not downloaded is fetched in Options, at a click, with its progress', async () => {
      await desk.script([KNOWN, 'The lamp turns.']);
      await desk.state('downloadable');
      const one = await chat();
      await one.ask('What turns?');
      await one.says('Chrome has to download its model first');
      assert.ok(await one.offers('Open settings'));
      assert.equal((await desk.told('create')).length, 0, 'nothing is downloaded unasked');
      const options = await Options.of(gloss);
      tabs.push(options.page);
      await state(options, 'Chrome has to download it once; it takes several gigabytes.');
      await options.press('Download');
      await state(options, 'Downloaded: 40 %');
      await desk.release();
      await state(options, '');
      assert.equal(await desk.settled(), 1);
      await options.page.close();
      tabs.pop();
      const again = await chat();
      await again.ask('What turns?');
      await again.settled('The lamp turns.');
    });

    test('the conversation offers it last, and says where it answers', async () => {
      const one = await chat();
      await one.page.locator('::-p-aria([name="Model"][role="combobox"])').click();
      await one.page.waitForSelector('[role=option]:nth-of-type(1)');
      const names = await one.page.$$eval('[role=option]', (all) => all.map((it) => it.innerText.replace(/\s+/g, ' ').trim()));
      assert.deepEqual(names, ['On device quotes the page, sends nothing', `${NAME} on this device, free`]);
    });
  });
}

test('where the browser has none, nothing offers it, and a choice of it says so', async () => {
  const gloss = await launch();
  try {
    const options = await Options.of(gloss);
    assert.equal(await options.page.$('#built-in'), null);
    assert.equal(await options.page.$(`#main option[value="${ID}"]`), null);
    await options.page.evaluate(async (id) => {
      const preferences = { format: 'gloss-preferences', version: 1, preferences: { answers: id } };
      await chrome.storage.local.set({ 's/preferences': JSON.stringify(preferences) });
    }, ID);
    await gloss.killWorker();
    const page = await gloss.open(site.url('article.html'));
    const one = await Chat.over(gloss, page);
    await one.ask('What turns?');
    await one.says('Chrome isn’t available here');
  } finally {
    await gloss.close();
  }
});
