// The states of the chat page as a user sees them, each set by the test: what is shown, what a key
// or a button requests, and where the focus is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MINI, OFFERS, ON_DEVICE, answer, paragraph, theatre, turn } from './lib/stage.mjs';

let house;
before(async () => (house = await theatre()));
after(() => house.close());

const RUNNING = { status: 'running', ended_at_ms: null };
const DONE = turn({ answer: answer([paragraph('Because M2 has a node there.')]) });

/** Opens a stage, uses it, and expects no error in the page's console. */
async function on(options, use) {
  const stage = await house.stage(options);
  try {
    await use(stage, stage.panel);
    assert.deepEqual(stage.troubles, []);
  } finally {
    await stage.close();
  }
}

const draft = (stage) => stage.page.$eval('textarea', (field) => field.value);
const focused = (stage) =>
  stage.page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent.trim());
const text = (stage, selector) =>
  stage.page.$eval(selector, (node) => node.textContent.replace(/\s+/g, ' ').trim());
const count = (stage, selector) => stage.page.$$eval(selector, (all) => all.length);
const painted = (stage) =>
  stage.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test('a model is chosen by the keyboard and goes out with the next message', () =>
  on({}, async (stage) => {
    await stage.show({ offers: OFFERS, turns: [DONE] });
    await stage.page.focus('[role=combobox]');
    await stage.page.keyboard.press('ArrowDown');
    await stage.page.waitForSelector('#models-float:popover-open');
    const groups = await stage.page.$$eval('#models [role=group]', (all) => all.map((group) => group.ariaLabel));
    assert.deepEqual(groups, ['Always available', 'OpenAI', 'Ollama at home']);
    assert.match(await text(stage, '#models [aria-label=OpenAI]'), /gpt-4\.1-mini\s*about \$0\.0021 per answer/);
    await stage.page.keyboard.press('End');
    await painted(stage);
    const active = await stage.page.$eval('[role=combobox]', (box) => box.getAttribute('aria-activedescendant'));
    assert.match(await text(stage, `#${active}`), /qwen3:8b.*your own machine/);
    await stage.page.keyboard.press('Enter');
    await stage.page.waitForFunction(() => !document.querySelector(':popover-open'));
    assert.equal(await text(stage, '[role=combobox]'), 'qwen3:8b');
    assert.equal(await focused(stage), 'Model');
    await stage.page.type('textarea', 'And at Dover?');
    await stage.page.keyboard.press('Enter');
    const [{ start }] = await stage.asked();
    assert.equal(start.tuning.model, 'p3');
    assert.deepEqual(start.goal, { ask: { question: 'And at Dover?' } });
  }));

test('a message that is sent before the worker has spoken leaves the choice of the model to it', () =>
  on({}, async (stage) => {
    await stage.page.type('textarea', 'Why so?');
    await stage.page.keyboard.press('Enter');
    await stage.show({ offers: OFFERS, tuning: { model: 'p3', mode: 'agent', max_steps: null } });
    const [{ start }] = await stage.asked();
    assert.deepEqual(start.goal, { ask: { question: 'Why so?' } });
    assert.equal(start.tuning ?? null, null);
    assert.equal(await text(stage, '[role=combobox]'), 'qwen3:8b');
  }));

test('a letter finds a model, Esc closes the list and stops nothing', () =>
  on({}, async (stage) => {
    await stage.show({ offers: OFFERS, turns: [turn(RUNNING)] });
    await stage.page.focus('[role=combobox]');
    await stage.page.keyboard.type('q');
    await stage.page.waitForSelector('#models-float:popover-open');
    await stage.page.keyboard.press('Escape');
    await stage.page.waitForFunction(() => !document.querySelector(':popover-open'));
    assert.deepEqual(await stage.asked(), []);
    await stage.page.focus('textarea');
    await stage.page.keyboard.press('Escape');
    assert.deepEqual(await stage.asked(), [{ stop: { run: 'r1' } }]);
  }));

test('Tools chooses plain answers and a number of steps, and goes back', () =>
  on({}, async (stage, panel) => {
    await stage.show({ offers: OFFERS });
    await panel.press('Tools');
    await panel.control('switch', 'Agent').click();
    await painted(stage);
    assert.equal(await stage.page.$eval('textarea', (field) => field.placeholder), 'Ask for one plain answer');
    await panel.control('switch', 'Agent').click();
    await stage.page.$eval('#tools-steps', (field) => {
      field.value = '40';
      field.dispatchEvent(new Event('change'));
    });
    assert.equal(await stage.page.$eval('#tools-steps', (field) => field.value), '10', 'the most there may be');
    await stage.page.click('textarea');
    await stage.page.keyboard.type('Why?');
    await stage.page.keyboard.press('Enter');
    const [{ start }] = await stage.asked();
    assert.deepEqual(start.tuning, { model: 'p1', mode: 'agent', max_steps: 10 });
    await stage.show({ offers: OFFERS, tuning: { model: 'p1', mode: 'plain', max_steps: 3 } });
    await panel.press('Tools');
    await panel.press('Reset');
    await painted(stage);
    assert.equal(await stage.page.$eval('#tools-agent', (box) => box.checked), true);
  }));

const UNKNOWN = turn({
  ...RUNNING,
  goal: { ask: { question: 'Draw one spring-neap cycle, plain, for a slide.' } },
  status: 'awaiting_user',
  phase: 'executing',
  tool: 'image_generate',
  notices: [{ resumed: { at_ms: 1_000_000, times: 1, again: [] } }],
  wait: { id: 9, need: { outcome: { tool: 'image_generate', arguments: '{"description":"one spring-neap cycle"}', sent_at_ms: 952_000 } } },
});

test('a call whose outcome is unknown is asked about in the log, with two ways on', () =>
  on({}, async (stage) => {
    for (const [name, verdict] of [['Do it again', 'granted'], ['Go on without it', 'refused']]) {
      await stage.show({ offers: OFFERS, turns: [UNKNOWN] });
      const note = await text(stage, '.note.caution');
      assert.match(note, /^Was the image made\?.*it was not repeated\./);
      assert.match(note, /Sent\d\d:\d\d:52.*one spring-neap cycle/);
      assert.match(await text(stage, '[aria-label="Agent status"]'), /^Waiting for you.*image_generate · outcome unknown/);
      assert.equal(await stage.page.$eval('textarea', (field) => field.placeholder), 'Or say what to do next');
      assert.equal(await count(stage, '.note .primary, button[aria-label=Pause]'), 0);
      await stage.panel.press(name);
      assert.deepEqual(await stage.asked(), [{ permit: { run: 'r1', wait: 9, verdict } }]);
      assert.equal(await focused(stage), 'Message');
      await stage.show({ offers: OFFERS, turns: [DONE] });
      assert.equal(await count(stage, '.note'), 0);
    }
  }));

test('what is said instead leaves the unknown call at that', () =>
  on({}, async (stage) => {
    await stage.show({ offers: OFFERS, turns: [UNKNOWN] });
    await stage.page.type('textarea', 'Describe it in words.');
    await stage.page.keyboard.press('Enter');
    const [{ start }, { permit }] = await stage.asked();
    assert.deepEqual(start.goal, { ask: { question: 'Describe it in words.' } });
    assert.deepEqual(permit, { run: 'r1', wait: 9, verdict: 'refused' });
  }));

test('Pause and Resume are one toggle that keeps the focus', () =>
  on({}, async (stage) => {
    const paused = { ...RUNNING, status: 'paused', notices: [{ paused: { at_ms: 1_000_000, by: 'pause', until_ms: null, again: [] } }] };
    await stage.show({ offers: OFFERS, turns: [turn({ ...RUNNING, growing: [paragraph('Because')] })] });
    await stage.page.focus('button[aria-label=Pause]');
    await stage.page.keyboard.press('Enter');
    assert.deepEqual(await stage.asked(), [{ pause: { run: 'r1' } }]);
    await stage.show({ offers: OFFERS, turns: [turn({ ...paused, growing: [paragraph('Because')] })] });
    assert.equal(await focused(stage), 'Resume');
    assert.match(await text(stage, '[aria-label="Agent status"]'), /^Paused step 2 of 5/);
    assert.match(await text(stage, 'article:not(.said) .seam'), /^Paused at \d\d:\d\d$/);
    await stage.page.keyboard.press('Enter');
    assert.deepEqual(await stage.asked(), [{ continue: { run: 'r1' } }]);
    await stage.show({ offers: OFFERS, turns: [turn(RUNNING)] });
    assert.equal(await focused(stage), 'Pause');
    await stage.show({ offers: OFFERS, turns: [DONE] });
    assert.equal(await count(stage, 'button[aria-label=Pause], button[aria-label=Resume]'), 0);
  }));

test('what a growing answer shows is what came, block by block', () =>
  on({}, async (stage) => {
    const list = (...items) => ({ list: { start: null, items: items.map((item) => [paragraph(item)]) } });
    const grows = [
      [[paragraph('Springs')], 'Springs'],
      [[paragraph('Springs come'), paragraph('with')], 'Springs come with'],
      [[paragraph('Springs come'), paragraph('with both'), list('Sun')], 'Springs come with both Sun'],
      [[paragraph('Springs come'), paragraph('with both'), list('Sun', 'Mo')], 'Springs come with both Sun Mo'],
      [[paragraph('Springs come'), paragraph('with both'), list('Sun', 'Moon'), paragraph('Neaps')], 'Springs come with both Sun Moon Neaps'],
      [[paragraph('Springs again')], 'Springs again'],
    ];
    const all = (one) => one.replace(/\s+/g, ' ').trim();
    for (const [growing, words] of grows) {
      await stage.show({ offers: OFFERS, turns: [turn({ ...RUNNING, growing })] });
      assert.equal(all(await stage.page.$eval('[role=log] article:last-of-type', (turn) => turn.innerText)), words);
      assert.equal(await count(stage, '.caret'), 1);
    }
  }));

test('Stop stands where Send stood; Enter queues at most three, each to be taken back', () =>
  on({}, async (stage, panel) => {
    await stage.show({ offers: OFFERS, turns: [DONE] });
    const place = (name) => stage.page.$eval(`[aria-label=${name}]`, (button) => JSON.stringify(button.getBoundingClientRect()));
    await panel.press('Settings');
    assert.deepEqual(await stage.chrome(), [{ openOptionsPage: null }]);
    const send = await place('Send');
    await stage.show({ offers: OFFERS, turns: [turn(RUNNING)] });
    assert.equal(await place('Stop'), send);
    for (const message of ['one', 'two', 'three', 'four']) {
      await stage.page.type('textarea', message);
      await stage.page.keyboard.press('Enter');
      await painted(stage);
    }
    const queued = (await stage.asked()).map(({ start }) => start.goal.ask.question);
    assert.deepEqual(queued, ['one', 'two', 'three']);
    assert.equal(await draft(stage), 'four', 'what does not fit is kept');
    assert.match(await text(stage, '.dock'), /3 messages are already waiting/);
    await stage.page.$eval('textarea', (field) => {
      field.value = '';
      field.dispatchEvent(new Event('input'));
    });
    await panel.press('Take back “two”');
    await painted(stage);
    assert.equal(await draft(stage), 'two');
    assert.equal(await count(stage, '.queue li'), 2);
    const [{ take_back }] = await stage.asked();
    assert.ok(take_back.message);
  }));

test('a message read on the way stands among the person’s words, not in the queue', () =>
  on({}, async (stage) => {
    const messages = [
      { message: 'q1', goal: { ask: { question: 'In metres' } }, read_at_ms: 5 },
      { message: 'q2', goal: { ask: { question: 'At Dover' } }, read_at_ms: null },
    ];
    await stage.show({ turns: [turn({ ...RUNNING, messages })] });
    const yours = await stage.page.$$eval('[aria-label=You]', (all) => all.map((one) => one.textContent.trim()));
    assert.deepEqual(yours, ['Why do some ports have one tide a day?', 'In metres']);
    assert.match(await text(stage, '.queue'), /At Dover/);
  }));

test('Edit puts the last words into the composer, Esc brings the draft back, Enter replaces the turn', () =>
  on({}, async (stage, panel) => {
    const older = turn({ ...DONE, run: 'r0' });
    await stage.show({ turns: [older, DONE] });
    assert.equal(await count(stage, '[aria-label=Edit]'), 1);
    await stage.page.type('textarea', 'half a thought');
    await panel.press('Edit');
    assert.equal(await draft(stage), 'Why do some ports have one tide a day?');
    assert.match(await text(stage, '.composer'), /Editing your last message/);
    await stage.page.keyboard.press('Escape');
    await painted(stage);
    assert.equal(await draft(stage), 'half a thought');
    await stage.page.$eval('textarea', (field) => {
      field.value = '';
      field.dispatchEvent(new Event('input'));
    });
    await stage.page.keyboard.press('ArrowUp');
    await painted(stage);
    await stage.page.keyboard.type(' Answer briefly.');
    await stage.page.keyboard.press('Enter');
    const [{ start }] = await stage.asked();
    assert.equal(start.replaces, 'r1');
    assert.match(start.goal.ask.question, /Answer briefly\.$/);
  }));

test('words that the worker refuses come back to the composer', () =>
  on({}, async (stage) => {
    await stage.show({});
    await stage.page.type('textarea', 'Why?');
    await stage.page.keyboard.press('Enter');
    await painted(stage);
    assert.equal(await draft(stage), '');
    await stage.page.type('textarea', 'And how?');
    const failure = { code: 'x', title: { key: 'store_full_title' }, remedy: { key: 'store_full_remedy' }, recoverable: true };
    await stage.say({ refused: { failure } });
    assert.equal(await draft(stage), 'Why?\nAnd how?');
  }));

test('a stopped turn offers Continue and one Edit; a cut one goes on', () =>
  on({}, async (stage, panel) => {
    const growing = [paragraph('Two rhythms **compete**.')];
    const notices = [{ stopped: { at_ms: 1_000 } }];
    await stage.show({ turns: [turn({ status: { terminated: 'stopped' }, growing, notices, step: 3 })] });
    assert.equal(await stage.page.$$eval('button', (all) => all.filter((b) => (b.ariaLabel ?? b.textContent) === 'Edit').length), 1);
    await panel.press('Continue');
    assert.deepEqual(await stage.asked(), [{ continue: { run: 'r1' } }]);
    await stage.show({ turns: [turn({ run: 'r2', answer: answer(growing, { finish: 'length' }) })] });
    await panel.press('Continue');
    const [{ start }] = await stage.asked();
    assert.equal(start.goal, 'go_on');
    assert.equal(start.replaces, null);
  }));

test('a failure has its remedy for this system, trying again, and another way on', () =>
  on({}, async (stage, panel) => {
    const key = (key, ...args) => ({ key, args });
    const failure = {
      code: 'model_forbidden',
      title: key('model_forbidden_title', 'Ollama'),
      remedy: key('model_forbidden_ollama_remedy', 'Ollama'),
      recoverable: true,
      commands: ['mac_os', 'windows', 'linux'].map((system) => ({ system, steps: key('command'), text: `for ${system}` })),
    };
    await stage.show({ offers: OFFERS, turns: [turn({ status: 'failed', failure })] });
    assert.equal(await count(stage, '.note > .stack pre'), 1, 'its own system');
    assert.equal(await count(stage, '.note details pre'), 2, 'the others, folded');
    await panel.press('Answer on this device');
    const [{ start }] = await stage.asked();
    assert.equal(start.tuning.model, '');
    assert.equal(start.replaces, 'r1');
    await stage.show({ offers: OFFERS, turns: [turn({ run: 'r2', status: 'failed', failure: { ...failure, code: 'model_bad_key' } })] });
    await panel.press('Open settings');
    assert.deepEqual(await stage.chrome(), [{ openOptionsPage: null }]);
  }));

test('a permission card takes the composer’s place and the focus, and asks Chrome in the click', () =>
  on({}, async (stage, panel) => {
    const need = { provider: { name: 'OpenAI', origin: 'https://api.openai.com' } };
    const waiting = turn({ status: 'awaiting_user', ended_at_ms: null, wait: { id: 3, need } });
    await stage.show({ offers: OFFERS, turns: [DONE] });
    await stage.page.type('textarea', 'draft');
    await stage.show({ offers: OFFERS, turns: [waiting] });
    assert.equal(await count(stage, 'textarea'), 0);
    assert.equal(await focused(stage), 'Permission needed');
    assert.match(await panel.status(), /Waiting for you/);
    await panel.press('Allow OpenAI');
    await painted(stage);
    assert.deepEqual(await stage.chrome(), [{ request: { origins: ['https://api.openai.com/*'] } }]);
    assert.deepEqual(await stage.asked(), [{ permit: { run: 'r1', wait: 3, verdict: 'granted' } }]);
    await stage.show({ offers: OFFERS, turns: [DONE] });
    assert.equal(await draft(stage), 'draft', 'the draft waited');
    assert.equal(await focused(stage), 'Message');
    await stage.show({ offers: OFFERS, turns: [{ ...waiting, run: 'r3' }] });
    await panel.press('Not now');
    assert.deepEqual(await stage.asked(), [{ permit: { run: 'r3', wait: 3, verdict: 'refused' } }]);
  }));

test('beside a page it may not read, the card asks for the site, known or not', () =>
  on({}, async (stage, panel) => {
    const failure = { code: 'capture_no_access', title: { key: 'capture_no_access_title' }, remedy: { key: 'capture_no_access_remedy' }, recoverable: true };
    const beside = { unreadable: { title: '', failure } };
    await stage.show({ beside });
    await panel.press('Allow this site');
    await painted(stage);
    assert.deepEqual(await stage.chrome(), [{ request: { permissions: ['tabs'] } }], 'its address first');
    assert.match(await text(stage, '.ask'), /hides this site’s address.*Click the Gloss icon/);
    await stage.page.evaluate(() => globalThis.worker.asked.splice(0));
    await stage.page.evaluate(() => globalThis.worker.added());
    const greeted = await stage.page.evaluate(() => globalThis.worker.asked.some((command) => command.hello));
    assert.ok(greeted, 'Chrome gave it: the page is looked at anew');
    await panel.press('Not now');
    await painted(stage);
    assert.equal(await count(stage, 'textarea'), 1);
    await stage.permits({ url: 'https://tides.example/a', given: true });
    const site = turn({ goal: 'summarize', model: ON_DEVICE, status: 'awaiting_user', ended_at_ms: null, wait: { id: 3, need: { site: { tab: 7 } } } });
    await stage.show({ beside, turns: [site] });
    await stage.page.waitForFunction(() => document.querySelector('.asked').textContent.includes('tides.example'));
    await stage.chrome();
    await panel.press('Allow this site');
    await painted(stage);
    assert.deepEqual(await stage.chrome(), [{ request: { origins: ['https://tides.example/*'] } }]);
  }));

test('a page that is looked at once more keeps its card, and the card the focus', () =>
  on({}, async (stage) => {
    const failure = { code: 'capture_no_access', title: { key: 'capture_no_access_title' }, remedy: { key: 'capture_no_access_remedy' }, recoverable: true };
    await stage.show({ beside: { unreadable: { title: '', failure } } });
    await stage.page.waitForSelector('.ask');
    await stage.page.keyboard.press('Tab');
    assert.equal(await focused(stage), 'Not now');
    await stage.show({ beside: 'looking' });
    assert.equal(await focused(stage), 'Not now');
    await stage.show({ beside: { unreadable: { title: '', failure } } });
    assert.equal(await focused(stage), 'Not now');
  }));

test('the trajectory tells each step, folds thoughts unless asked, and gives the focus back', () =>
  on({}, async (stage, panel) => {
    const call = { id: 'a', tool: 'find_in_page', arguments: '{"query":"tide"}', state: 'failed', summary: { key: 'tool_timed_out', args: ['30'] }, duration_ms: 30_000, tokens: 12, cost: 0 };
    const step = { number: 1, started_at_ms: 1_000, ended_at_ms: 6_200, thought: { words: 'Look for it.' }, calls: [call], observation: { words: 'Nothing.' }, goal_met: false, tokens: 1940, failures: [] };
    await stage.show({ turns: [turn({ ...RUNNING, steps: [step] })] });
    await panel.press('Steps');
    const drawer = await text(stage, '.drawer');
    for (const words of ['Step 1', '5.2 s · 1,940 tokens', 'find_in_page', '"query":"tide"', 'did not respond within 30 s', 'Goal not met.']) {
      assert.ok(drawer.includes(words), `${words} in ${drawer}`);
    }
    assert.equal(await count(stage, '.drawer details[open]'), 0);
    await stage.page.keyboard.press('Escape');
    await painted(stage);
    assert.equal(await count(stage, '.drawer'), 0);
    assert.equal(await focused(stage), 'Steps');
    assert.deepEqual(await stage.asked(), [{ inspect: { run: 'r1' } }], 'Esc stopped nothing');
    await stage.show({ turns: [turn({ ...RUNNING, steps: [step] })], show_thinking: true });
    await panel.press('Steps');
    assert.equal(await count(stage, '.drawer .events details[open]'), 2);
  }));

test('each call says in words where it stands, what it took, and how many of its step are done', async () => {
  const call = (id, state, summary, more = {}) => ({ id, tool: 'web_fetch', arguments: `{"urls":["https://tides.example/${id}"]}`, state, summary, duration_ms: 0, tokens: 0, cost: 0, ...more });
  const said = (key, ...args) => ({ key, args });
  const calls = [
    call('a', 'completed', said('summary_fetched', '1', '1', 'tides.example'), { duration_ms: 1_200, tokens: 340, cost: 2_000 }),
    call('b', 'failed', said('fetch_not_found', 'tides.example'), { duration_ms: 300, tokens: 20 }),
    call('c', 'timed_out', said('tool_timed_out', '30'), { duration_ms: 30_000, tokens: 9 }),
    call('d', 'rejected', said('tool_not_permitted'), { duration_ms: 4, tokens: 18 }),
    call('e', 'skipped', said('tool_skipped')),
    call('f', 'running', null),
    call('g', 'pending', null),
  ];
  const step = { number: 1, started_at_ms: 1_000, ended_at_ms: 6_200, thought: { words: 'Read them.' }, calls, observation: null, goal_met: false, tokens: 1940, cost: 0, failures: [] };
  const shown = turn({ ...RUNNING, phase: 'executing', step: 1, max_steps: 5, tool: 'web_fetch', steps: [step] });
  for (const scheme of ['light', 'dark']) {
    await on({ scheme }, async (stage, panel) => {
      await stage.show({ turns: [shown] });
      await stage.page.waitForFunction(() => /5 of 7 done/.test(document.querySelector('.status')?.textContent));
      await panel.press('Steps');
      const outcomes = await stage.page.$$eval('.drawer .events .meta', (all) => all.map((line) => line.textContent.replaceAll('\u00a0', ' ')));
      assert.deepEqual(outcomes, [
        'Done: Pages read: 1 of 1 (tides.example)',
        'Failed: tides.example has no such page',
        'Timed out: The tool did not respond within 30 s',
        'Refused: Not allowed; went on without it',
        'Skipped: this run has reached its tool call limit',
        'Running',
        'Waiting its turn',
      ]);
      const spent = await stage.page.$$eval('.drawer .events .spend', (all) => all.map((line) => line.textContent.replaceAll('\u00a0', ' ')));
      assert.deepEqual(spent.slice(4), ['', '', ''], 'what was not made took nothing');
      assert.match(spent[0], /^1\.2 s · 340 tokens · \$0\.002$/);
      const signs = await stage.page.$$eval('.drawer .events use', (all) => all.map((use) => use.getAttribute('href').split('#')[1]));
      assert.deepEqual(signs.slice(1), ['i-check', 'i-alert', 'i-clock', 'i-rejected', 'i-skipped', 'i-action', 'i-pending']);
      if (process.env.GLOSS_SHOTS) await stage.page.screenshot({ path: `${process.env.GLOSS_SHOTS}/calls-${scheme}.png` });
    });
  }
});

test('a passage from elsewhere is cited with the title and the site of its page', async () => {
  const elsewhere = { passage: 'w1a1.p4', paragraph: 4, quote: 'The spring tide is 7.5 m high.', url: 'https://tides.example/brest#:~:text=The%20spring', elsewhere: 'Tides at Brest' };
  const here = { passage: 'p3.1', paragraph: 3, quote: 'It rises.', url: 'https://coastlines.example/tides#:~:text=It' };
  const blocks = [paragraph('It is 7.5 m [[w1a1.p4]], and rises [[p3.1]].')];
  for (const scheme of ['light', 'dark']) {
    await on({ scheme }, async (stage, panel) => {
      await stage.show({ turns: [turn({ answer: answer(blocks, { citations: [elsewhere, here] }) })] });
      await panel.press('Source 1, passage found');
      const open = await text(stage, '.pop:popover-open');
      assert.match(open, /Tides at Brest ?tides\.example · ¶ 4 ?The spring tide is 7\.5 m high\./);
      const link = await stage.page.$eval('.pop:popover-open a', (a) => a.getAttribute('href'));
      assert.equal(link, elsewhere.url);
      if (process.env.GLOSS_SHOTS) await stage.page.screenshot({ path: `${process.env.GLOSS_SHOTS}/cited-${scheme}.png` });
      await stage.page.keyboard.press('Escape');
      const rows = await stage.page.$$eval('.sources li', (all) => all.map((row) => row.textContent.replace(/[\s\u00a0]+/g, ' ')));
      assert.match(rows[0], /Tides at Brest.*tides\.example · ¶ 4/);
      assert.match(rows[1], /this page · ¶ 3/);
    });
  }
});

test('marks are numbered by first mention; a popover shows the passage, or what is missing', () =>
  on({}, async (stage, panel) => {
    const cited = (passage, number) => ({ passage, paragraph: number, quote: `Quote ${passage}`, url: `https://coastlines.example/tides#:~:text=${passage}` });
    const blocks = [paragraph('First [[p14.2]], then [[p99.1]], then [[p3.1]], and [[p14.2]] again.')];
    const citations = [cited('p14.2', 14), cited('p3.1', 3)];
    await stage.show({ turns: [turn({ answer: answer(blocks, { citations }) })] });
    const marks = await stage.page.$$eval('.cite', (all) => all.map((mark) => [mark.textContent, mark.ariaLabel]));
    assert.deepEqual(marks, [['1', 'Source 1, passage found'], ['2?', 'Source 2, unverified'], ['3', 'Source 3, passage found'], ['1', 'Source 1, passage found']]);
    assert.match(await panel.status(), /Passage found for 2 of 3 citations/);
    await panel.press('Source 3, passage found');
    const open = () => text(stage, '.pop:popover-open');
    assert.match(await open(), /¶ 3 ?Quote p3\.1 ?Passage found in the page/);
    await panel.press('Source 2, unverified');
    assert.match(await open(), /Unverified\. The model cited a passage that isn’t on the page/);
    await stage.page.keyboard.press('Escape');
    await stage.page.waitForFunction(() => !document.querySelector(':popover-open'));
    assert.equal(await focused(stage), 'Source 2, unverified');
    assert.equal(await count(stage, '.sources li'), 2);
  }));

test('History lists every conversation by day, finds words, and shows one again', () =>
  on({}, async (stage, panel) => {
    await stage.show({ turns: [DONE] });
    await panel.press('History');
    assert.deepEqual(await stage.asked(), ['history'].map((name) => ({ [name]: {} })));
    const past = (conversation, question, at_ms, status = 'completed') => ({
      conversation, goal: { ask: { question } }, page: DONE.page, status, turns: 2, at_ms });
    const day = 86_400_000;
    await stage.say({ history: { conversations: [
      past('c1', 'How high is it?', 20.5 * day, 'awaiting_user'),
      past('c2', 'What are neaps?', 20.5 * day - 1_000_000),
      past('c3', 'Who was Kelvin?', 12.5 * day),
    ] } });
    assert.equal(await focused(stage), 'Search conversations');
    assert.equal(await count(stage, '.past ul'), 2, 'days');
    assert.match(await text(stage, '.past li'), /How high is it\?.*2 turns.*Waiting for you/);
    await stage.page.keyboard.type('kelvin');
    await painted(stage);
    assert.equal(await count(stage, '.past li'), 1);
    await stage.page.keyboard.press('Escape');
    await painted(stage);
    assert.equal(await focused(stage), 'History');
    await stage.say({ history: { conversations: [past('c3', 'Who was Kelvin?', 12.5 * day)] } });
    await stage.page.click('.past li button');
    assert.deepEqual(await stage.asked(), [{ show: { conversation: 'c3' } }]);
    assert.equal(await focused(stage), 'Message');
  }));

test('another model, a permission and a retry are told in words', () =>
  on({}, async (stage) => {
    const need = { provider: { name: 'OpenAI', origin: 'https://api.openai.com' } };
    const notices = [
      { permission: { at_ms: 1, need, verdict: 'refused' } },
      { model_changed: { from: MINI, to: ON_DEVICE } },
      { model_changed: { from: MINI, to: ON_DEVICE } },
    ];
    await stage.show({ turns: [turn({ ...RUNNING, notices, attempt: 2 })] });
    const lines = await stage.page.$$eval('.seam', (all) => all.map((line) => line.textContent.trim()));
    assert.deepEqual(lines, ['OpenAI was not allowed; went on with On device', 'OpenAI did not answer; went on with On device']);
    await stage.page.waitForFunction(() => document.querySelector('.status')?.textContent.includes('2nd try'));
  }));

for (const language of ['en', 'zh-CN']) {
  test(`nothing is cut sideways at 320 px (${language})`, () =>
    on({ width: 320, language }, async (stage, panel) => {
      await stage.show({ offers: OFFERS, turns: [DONE, turn({ ...RUNNING, run: 'r2', tool: 'explain_text_with_context' })] });
      const wide = () => stage.page.$$eval('html, .log, .dock, .composer .row, .ask', (all) =>
        all.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.className || node.tagName));
      assert.deepEqual(await wide(), []);
      await panel.press('Tools');
      const inside = await stage.page.$eval('#tools', (float) => {
        const { left, right } = float.getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      });
      assert.ok(inside);
      await stage.page.keyboard.press('Escape');
      const need = { provider: { name: 'OpenAI', origin: 'https://api.openai.com' } };
      await stage.show({ offers: OFFERS, turns: [turn({ status: 'awaiting_user', ended_at_ms: null, wait: { id: 3, need } })] });
      assert.deepEqual(await wide(), []);
    }));
}
