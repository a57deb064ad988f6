// Text that only a screenshot contains: read on this device, or by a model with image input; and
// the question to the user if Chrome requires a permission.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, KNOWN, sure } from './lib/chat.mjs';
import { call, ChatServer, late, pause, says, using } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';
import { theatre, turn } from './lib/stage.mjs';

const HOSTS = ['http://127.0.0.1/*'];
const THOUGHT = '<gloss>{"thought":"It stands in the picture."}</gloss>';
const look = (input = {}) => says(THOUGHT, call('extract_screenshot_text', { ...input, reasoning: 'The chart is drawn.' }));

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(async () => {
  await server?.close();
  await site?.close();
});

async function withGloss(settings, use, options = {}) {
  const gloss = await launch({ hosts: HOSTS, ...options });
  server.reset();
  try {
    await connect(gloss, { baseUrl: server.baseUrl, ...settings });
    await use(gloss);
  } finally {
    await gloss.close();
  }
}

/** The tool's result, as the model read it in request `n`. */
async function given(n) {
  const { json } = await server.request(n);
  const { content } = json.messages.find(({ role }) => role === 'tool');
  return content;
}

const isOffscreen = (target) => target.url().endsWith('/offscreen.html');

test('words that are only drawn are read on this device, and the picture is recorded nowhere', async () => {
  await withGloss({}, async (gloss) => {
    const page = await gloss.open(site.url('drawn.html'));
    assert.equal((await page.evaluate(() => document.body.innerText)).includes('Kereon'), false);
    const chat = await Chat.over(gloss, page);
    server.script(look(), sure('The lighthouse opened in 1916.'));
    await chat.ask('When did the lighthouse open?');
    await chat.settled('The lighthouse opened in 1916.');
    const said = await given(2);
    assert.match(said, /The lighthouse of/);
    assert.match(said, /opened in 1916/);
    assert.match(said, /on this device/);
    assert.equal(server.requests.length, 2);
    assert.equal(gloss.browser.targets().filter(isOffscreen).length, 1);
    for (const { body } of server.requests) assert.doesNotMatch(body, /base64/);
  });
});

test('a part of the tab is read by itself', async () => {
  await withGloss({}, async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open(site.url('drawn.html')));
    server.script(look({ region: 'bottom' }), sure('Forty metres.'));
    await chat.ask('How high is it?');
    await chat.settled('Forty metres.');
    const said = await given(2);
    assert.match(said, /forty metres high/);
    assert.doesNotMatch(said, /opened in/);
  });
});

test('Chinese is read as Chinese', async () => {
  await withGloss({}, async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open(site.url('drawn-zh.html')));
    server.script(look(), sure('一九一六年。'));
    await chat.ask('灯塔何时启用？');
    await chat.settled('一九一六年。');
    assert.match(await given(2), /灯塔/);
  });
});

test('a model that looks at images is shown the picture, and what it cost is counted', async () => {
  const facts = { price: { input: 10_000, cached: 1_000, output: 10_000 }, images: true };
  await withGloss({ facts }, async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open(site.url('drawn.html')));
    const costs = (input, output, reply) => using({ prompt_tokens: input, completion_tokens: output }, reply);
    server.script(
      costs(100, 10, look()),
      costs(1_500, 20, says('The lighthouse opened in 1916')),
      costs(200, 10, says(KNOWN, 'In 1916.')),
    );
    await chat.ask('When did the lighthouse open?');
    await chat.settled('In 1916.');
    const { json } = await server.request(2);
    const parts = json.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const picture = parts.find(({ type }) => type === 'image_url');
    assert.match(picture.image_url.url, /^data:image\/jpeg;base64,\/9j\//);
    assert.match(await given(3), /The lighthouse opened in 1916/);
    // 1 840 tokens at $10 a million.
    await chat.says('1,840 tokens');
    await chat.says('$0.018');
    const { body } = await server.request(3);
    assert.doesNotMatch(body, /base64/);
  });
});

test('of a tab that is not in front no picture is taken, and the model is told', async () => {
  await withGloss({}, async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open(site.url('drawn.html')));
    const wait = pause();
    server.script(late(wait, look()), sure('Bring the tab to the front.'));
    await chat.ask('When did the lighthouse open?');
    await wait.reached;
    const other = await gloss.open(site.url('empty.html'));
    wait.release();
    assert.match(await given(2), /not the one that its window shows/);
    await other.close();
  });
});

/**
 * A chat beside a tab whose toolbar click no longer counts, because the tab went to another site.
 */
async function beyond(gloss) {
  const page = await gloss.open(site.url('article.html'));
  const chat = await Chat.in(await gloss.openSidePanel(page), gloss.language);
  const other = await serve();
  await page.goto(other.url('drawn.html'));
  await page.bringToFront();
  return { chat, other };
}

/** Restricts the extension's sites to these, or allows all, on Chrome's own page for extensions. */
async function siteAccess(gloss, hostAccess, hosts = []) {
  // In a window of its own, because the run continues at once, and the tab must then be active in
  // its window.
  const url = 'chrome://extensions/';
  const opened = gloss.browser.waitForTarget((target) => target.url().startsWith(url));
  await gloss.cdp.send('Target.createTarget', { url, newWindow: true });
  const settings = await (await opened).page();
  await settings.evaluate(async (extensionId, hostAccess, hosts) => {
    await chrome.developerPrivate.updateExtensionConfiguration({ extensionId, hostAccess });
    for (const host of hosts) await chrome.developerPrivate.addHostPermission(extensionId, host);
  }, gloss.id, hostAccess, hosts);
  await settings.close();
}

test('without Chrome’s leave the person is asked; given elsewhere, the picture is taken', async () => {
  await withGloss({}, async (gloss) => {
    await siteAccess(gloss, 'ON_SPECIFIC_SITES', HOSTS);
    const { chat, other } = await beyond(gloss);
    server.script(look(), sure('In 1916.'));
    await chat.ask('When did the lighthouse open?');
    await chat.says('Permission needed');
    await chat.says('Take pictures of tabs, on all sites');
    assert.ok(await chat.offers('Allow all sites'));
    assert.equal(server.requests.length, 1);
    await siteAccess(gloss, 'ON_ALL_SITES');
    await chat.settled('In 1916.');
    assert.match(await given(2), /opened in 1916/);
    await chat.says('You allowed pictures of tabs at');
    await other.close();
  }, { hosts: ['<all_urls>'] });
});

test('refused, the model is told and goes on without', async () => {
  await withGloss({}, async (gloss) => {
    const { chat, other } = await beyond(gloss);
    server.script(look(), sure('It can’t be seen.'));
    await chat.ask('When did the lighthouse open?');
    await chat.says('Permission needed');
    // The result is recorded, whatever dies.
    await gloss.killWorker();
    await chat.press('Not now');
    await chat.settled('It can’t be seen.');
    assert.match(await given(2), /has not allowed Gloss to take a picture of the tab/);
    await chat.says('went on without a picture');
    assert.equal(gloss.browser.targets().some(isOffscreen), false);
    await other.close();
  });
});

test('the card says what all sites are asked for, and asks Chrome in the click', async (t) => {
  const hall = await theatre();
  t.after(() => hall.close());
  const waits = turn({ status: 'awaiting_user', ended_at_ms: null, answer: null, wait: { id: 9, need: 'screenshot' } });
  for (const scheme of ['light', 'dark']) {
    const stage = await hall.stage({ scheme });
    await stage.show({ turns: [waits] });
    await stage.panel.control('dialog', 'Permission needed').wait();
    const words = await stage.page.$eval('[role=dialog]', (card) => card.innerText.replace(/\s+/g, ' '));
    assert.match(words, /for all sites or for none/);
    if (process.env.GLOSS_SHOTS) await stage.page.screenshot({ path: `${process.env.GLOSS_SHOTS}/screenshot-${scheme}.png` });
    await stage.chrome();
    await stage.panel.press('Allow all sites');
    await stage.page.waitForFunction(() => globalThis.worker.asked.some((command) => command.permit));
    assert.deepEqual((await stage.chrome()).filter((call) => call.request), [{ request: { origins: ['<all_urls>'] } }]);
    const [{ permit }] = (await stage.asked()).filter((command) => command.permit);
    assert.deepEqual(permit, { run: 'r1', wait: 9, verdict: 'granted' });
    assert.deepEqual(stage.troubles, []);
    await stage.close();
  }
});
