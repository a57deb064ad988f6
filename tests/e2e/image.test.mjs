// A generated image: shown and stored, described to no model, made only with the user's permission
// once a page was read; and the message if none is made.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, KNOWN, sure } from './lib/chat.mjs';
import { call, ChatServer, says, using } from './lib/chat_server.mjs';
import { downloaded } from './lib/download.mjs';
import { Options } from './lib/options.mjs';
import { png } from './lib/png.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';
import { IMAGE_CARD, IMAGE_TURN, pictured, theatre } from './lib/stage.mjs';

const IMAGE = png();
const THOUGHT = '<gloss>{"thought":"An image is wanted."}</gloss>';
const DESCRIPTION = 'A red lighthouse';
const FACTS = { price: { input: 5_000, cached: 1_250, output: 30_000 } };
const POLICY = 'Your request was rejected by the safety system.';

let site, server, painter;
before(async () => ([site, server, painter] = await Promise.all([serve(), ChatServer.start(), paints()])));
after(async () => {
  await server?.close();
  await site?.close();
  painter?.close();
});

/** A server of images that records its requests. */
async function paints() {
  const seen = [];
  const listener = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    seen.push({ path: request.url, headers: request.headers, body: text && JSON.parse(text) });
    const answer = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/made.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(IMAGE, 'base64'));
    const { model } = seen.at(-1).body;
    if (model === 'strict-1') return answer(400, { error: { message: POLICY, code: 'moderation_blocked' } });
    if (model === 'flux-2') return answer(200, { data: [{ url: `${painter.origin}/made.png` }] });
    answer(200, { data: [{ b64_json: IMAGE }], usage: { input_tokens: 20, output_tokens: 1_000, total_tokens: 1_020 } });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { seen, origin: `http://127.0.0.1:${listener.address().port}`, close: () => listener.close() };
}

async function withGloss(image, use) {
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  server.reset();
  painter.seen.length = 0;
  try {
    const profile = (id, name, base_url, model) => ({ id, name, base_url, model, calling: 'native', facts: FACTS });
    const profiles = [profile('p1', 'Scripted', server.baseUrl, 'scripted-1')];
    if (image) profiles.push(profile('p2', 'Painter', `${painter.origin}/v1`, image));
    await connect(gloss, { baseUrl: server.baseUrl, profiles, roles: image ? { image: 'p2' } : {} });
    await use(gloss);
  } finally {
    await gloss.close();
  }
}

const draws = () => says(THOUGHT, call('image_generate', { description: DESCRIPTION, reasoning: 'It was asked for.' }));

/** Resolves once the chat shows the image, with the image's facts. */
async function shown(chat) {
  const image = await chat.page.waitForSelector(`img[alt="${DESCRIPTION}"]`, { timeout: PATIENCE });
  await chat.page.waitForFunction((image) => image.complete && image.naturalWidth === 256, { timeout: PATIENCE }, image);
  return image.evaluate(({ src, clientWidth }) => ({ src, width: clientWidth }));
}

/** The tool's result, as the model read it in request `n`. */
async function given(n) {
  const { json } = await server.request(n);
  return json.messages.find(({ role }) => role === 'tool').content;
}

test('an image is shown with its words, can be kept and enlarged, costs, and is there after the worker died', async () => {
  await withGloss('gpt-image-2', async (gloss) => {
    const page = await gloss.open('chrome://version/');
    const chat = await Chat.over(gloss, page);
    const costs = (input, output, reply) => using({ prompt_tokens: input, completion_tokens: output }, reply);
    server.script(costs(100, 10, draws()), costs(200, 10, says(KNOWN, 'Here it is.')));
    await chat.ask('Draw a red lighthouse');
    await chat.settled('Here it is.');
    const { src, width } = await shown(chat);
    assert.match(src, /^blob:chrome-extension:/);
    const [{ path, body }] = painter.seen;
    assert.equal(path, '/v1/images/generations');
    assert.deepEqual(body, { model: 'gpt-image-2', prompt: DESCRIPTION, n: 1, quality: 'medium' });
    // 320 tokens at $5 a million, 1 020 at $30.
    await chat.says('1,340 tokens · $0.032');
    for (const { body } of server.requests) assert.doesNotMatch(body, new RegExp(IMAGE.slice(0, 40)));
    const kept = await downloaded(gloss, () => chat.press('Download'));
    assert.equal(kept.name, 'A red lighthouse.png');
    assert.match(kept.text, /PNG/);
    await chat.press('Enlarge');
    await chat.page.waitForSelector('.made [aria-pressed="true"]');
    assert.ok((await shown(chat)).width > width);
    await chat.page.close();
    await gloss.killWorker();
    await shown(await Chat.over(gloss, page));
    assert.equal(server.requests.length, 2);
    assert.equal(painter.seen.length, 1);
  });
});

test('once a page was read the person is shown all that is sent, and says', async () => {
  await withGloss('gpt-image-2', async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
    server.script(draws(), sure('Without an image, then.'));
    await chat.ask('Draw what this is about');
    await chat.panel.control('dialog', 'Approve tool call').setTimeout(PATIENCE).wait();
    const card = await chat.page.$eval('dialog', (card) => card.innerText.replace(/\s+/g, ' '));
    for (const words of [DESCRIPTION, 'Painter, gpt-image-2', 'About $0.046']) assert.ok(card.includes(words), card);
    await chat.page.keyboard.press('Escape');
    await chat.settled('Without an image, then.');
    assert.match(await given(2), /rejected/);
    assert.equal(painter.seen.length, 0);
    server.script(draws(), sure('Here it is.'));
    await chat.ask('Do draw it');
    await chat.panel.control('button', 'Approve once').setTimeout(PATIENCE).wait();
    await chat.press('Approve once');
    await chat.settled('Here it is.');
    await shown(chat);
    assert.equal(painter.seen.length, 1);
  });
});

test('an image that comes as an address is fetched and kept', async () => {
  await withGloss('flux-2', async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open('chrome://version/'));
    server.script(draws(), says(KNOWN, 'Here it is.'));
    await chat.ask('Draw a red lighthouse');
    await chat.settled('Here it is.');
    assert.match((await shown(chat)).src, /^blob:/);
    assert.deepEqual(painter.seen.map(({ path }) => path), ['/v1/images/generations', '/made.png']);
  });
});

test('what a provider refuses is told to the model and the person', async () => {
  await withGloss('strict-1', async (gloss) => {
    const chat = await Chat.over(gloss, await gloss.open('chrome://version/'));
    server.script(draws(), says(KNOWN, 'It was refused.'));
    await chat.ask('Draw a red lighthouse');
    await chat.settled('It was refused.');
    assert.match(await given(2), /no image was made: Painter: refused the request \(400\): Your request was rejected/);
    assert.equal(painter.seen.length, 1);
  });
});

test('without a model for images the agent is told what to set, and it can be set', async () => {
  await withGloss(undefined, async (gloss) => {
    const page = await gloss.open('chrome://version/');
    const chat = await Chat.over(gloss, page);
    server.script(draws(), says(KNOWN, 'Choose a model for images first.'));
    await chat.ask('Draw a red lighthouse');
    await chat.settled('Choose a model for images first.');
    assert.match(await given(2), /in Options, under Models/);
    await chat.page.close();
  });
});

test('the role Image is chosen in Options, and its model makes the image', async () => {
  await withGloss('gpt-image-2', async (gloss) => {
    const options = await Options.of(gloss);
    const role = await options.control('combobox', 'Image').waitHandle();
    assert.equal(await role.evaluate((it) => it.selectedOptions[0].text), 'Painter · gpt-image-2');
    const follow = await role.evaluate((it) => [...it.options].find(({ text }) => text === 'Follow main').value);
    await role.select(follow);
    await options.page.waitForFunction(async () => {
      const stored = await chrome.storage.local.get('s/preferences');
      return JSON.parse(stored['s/preferences']).preferences.roles.image === null;
    });
    await options.page.close();
    const chat = await Chat.over(gloss, await gloss.open('chrome://version/'));
    server.script(draws(), says(KNOWN, 'Nobody draws.'));
    await chat.ask('Draw a red lighthouse');
    await chat.settled('Nobody draws.');
    assert.match(await given(2), /role Image/);
    assert.equal(painter.seen.length, 0);
  });
});

test('light and dark, in the panel: the image, and the card before it', async (t) => {
  const hall = await theatre();
  t.after(() => hall.close());
  for (const scheme of ['light', 'dark']) {
    const stage = await hall.stage({ scheme });
    const picture = async (name) => process.env.GLOSS_SHOTS && (await stage.page.screenshot({ path: `${process.env.GLOSS_SHOTS}/${name}-${scheme}.png` }));
    await stage.show({ turns: [IMAGE_TURN] });
    const [asked] = (await stage.asked()).filter((command) => command.picture);
    assert.deepEqual(asked, { picture: { run: 'r1', step: 1, call: 'c1' } });
    await stage.say(pictured({ media_type: 'image/png', base64: IMAGE }));
    await stage.page.waitForFunction(() => document.querySelector('.made img')?.naturalWidth === 256);
    await picture('image');
    // Content that is not an image of a known type is not shown, wherever it comes from.
    await stage.say(pictured({ media_type: 'image/svg+xml', base64: 'PHN2Zy8+' }));
    assert.equal(await stage.page.$('.made img'), null);
    await stage.show({ turns: [IMAGE_CARD] });
    await stage.panel.control('dialog', 'Approve tool call').wait();
    await picture('image-card');
    await stage.chrome();
    await stage.panel.press('Approve once');
    await stage.page.waitForFunction(() => globalThis.worker.asked.some((command) => command.permit));
    assert.deepEqual((await stage.chrome()).filter((call) => call.request), []);
    assert.deepEqual(stage.troubles, []);
    await stage.close();
  }
});
