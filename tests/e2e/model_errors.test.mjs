// Every way in which a server fails: the message, the user's text that stays, the offered remedy
// that works, and the number of requests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, stopRuns, sure } from './lib/chat.mjs';
import { ChatServer, cut, late, pause, raw, refuses, unfinished } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const QUESTION = 'What turns?';
const HTML = '<!doctype html><title>Log in</title><h1>Log in to the hotel</h1>';

let site, server, gloss;
const tabs = [];

before(async () => {
  [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch({ hosts: ['http://127.0.0.1/*'] })]);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
});
beforeEach(() => server.reset());
afterEach(async () => {
  await stopRuns(gloss);
  for (const tab of tabs.splice(0)) await tab.close();
});

async function chat() {
  const page = await gloss.open(site.url('article.html'));
  tabs.push(page);
  return Chat.over(gloss, page);
}

/** Asks, reads all of `words`, and finds the question where it was. */
async function fails(words) {
  const one = await chat();
  await one.ask(QUESTION);
  for (const some of words) await one.says(some);
  await one.says('Your message is kept.');
  assert.deepEqual(await one.said(), [QUESTION]);
  return one;
}

/** Presses "Try again" once the server works; its answer replaces the failure. */
async function succeedsAgain(one, words) {
  const asked = server.requests.length;
  server.script(sure('The lamp turns.'));
  await one.press('Try again');
  await one.settled('The lamp turns.');
  await one.saysNoMore(words[0]);
  assert.deepEqual(await one.said(), [QUESTION]);
  assert.deepEqual(await one.answers(), ['The lamp turns.']);
  assert.equal(server.requests.length, asked + 1);
}

// A permanent refusal is requested once; a temporary one three times.
const REFUSALS = [
  ['a key that is not taken', 1, refuses(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' }),
    ['Scripted did not accept this key (401)', 'The key is missing, wrong or no longer valid. Save a valid one in Options, Models.', 'Open settings']],
  ['an address where nothing is', 1, raw('Not Found', { status: 404, type: 'text/plain' }),
    ['Scripted was not found at this address (404)', '/v1/chat/completions. Check the base URL in Options, Models', 'Open settings']],
  ['a model that is not there', 1, refuses(404, { message: 'The model `scripted-1` does not exist', code: 'model_not_found' }),
    ['Scripted has no model “scripted-1”', 'Check the model’s name in Options, Models', 'Open settings']],
  ['an account without quota', 1, refuses(429, { message: 'You exceeded your current quota', code: 'insufficient_quota', type: 'insufficient_quota' }),
    ['Scripted has no quota left for this key', 'Add credit to the account there, or choose another model.']],
  ['a refusal without a reason', 1, raw('', { status: 403 }),
    ['Scripted refused Gloss (403)', 'It gave no reason.']],
  ['a request that is too long, and three times with less', 4, refuses(400, { message: 'This model\'s maximum context length is 8192 tokens', code: 'context_length_exceeded' }),
    ['This is too long for scripted-1', 'Start a new chat, select a part of the page, or choose a model with a larger window.']],
  ['a server that fails three times', 3, refuses(500, { message: 'The lamp is out', retryAfter: 0 }),
    ['Scripted failed (500)', 'It said: The lamp is out. Try again.']],
  ['too many requests, three times', 3, refuses(429, { message: 'Slow down', retryAfter: 0 }),
    ['Scripted got too many requests (429)', 'Wait a little, then try again.']],
  ['too many requests, and a wait that is longer than anybody waits', 1, refuses(429, { message: 'Slow down', retryAfter: 1_200 }),
    ['Scripted got too many requests (429)', 'Try again in 20 min.']],
  ['a page to log in at', 1, raw(HTML),
    ['Scripted sent an unexpected response', 'whether the network asks you to log in']],
  ['an empty body, three times', 3, raw('', { type: 'text/event-stream' }),
    ['The answer from Scripted is incomplete', 'The connection ended before the answer was complete. Try again.']],
  ['a JSON that is no answer', 1, raw('{"hello":"world"}', { type: 'application/json' }),
    ['Scripted sent an unexpected response']],
];

describe('the words of a refusal, and the way on', () => {
  for (const [name, times, reply, words] of REFUSALS) {
    test(name, async () => {
      server.script(...Array(times).fill(reply));
      const one = await fails(words);
      assert.equal(server.requests.length, times);
      await succeedsAgain(one, words);
    });
  }
});

test('too many requests: the time that the server asks for is waited, and the answer comes', async () => {
  server.script(refuses(429, { message: 'Slow down', retryAfter: 1 }), sure('The lamp turns.'));
  const one = await chat();
  await one.ask(QUESTION);
  await one.settled('The lamp turns.');
  assert.equal(server.requests.length, 2);
  const [first, second] = server.requests;
  assert.ok(second.arrivedAt - first.arrivedAt >= 1_000, 'not before the second was over');
  assert.equal(second.body, first.body);
  assert.match(await one.log(), /2nd try/);
});

for (const [name, breaks] of [['destroyed', cut], ['ended without its end', unfinished]]) {
  test(`a stream that is ${name} is asked for again, and no word stands twice`, async () => {
    const wait = pause();
    server.script(breaks(sure('The lamp ', wait, 'tu')), sure('The lamp turns.'));
    const one = await chat();
    await one.ask(QUESTION);
    await one.says('The lamp');
    wait.release();
    await one.settled('The lamp turns.');
    assert.deepEqual(await one.answers(), ['The lamp turns.']);
    assert.equal(server.requests.length, 2);
    assert.match(await one.log(), /2nd try/);
  });
}

test('a stream that breaks off each time ends in words, and keeps what had come', async () => {
  server.script(...Array(3).fill(cut(sure('The lamp tu'))));
  const words = ['The answer from Scripted is incomplete', 'The connection ended before the answer was complete. Try again.'];
  const one = await fails(words);
  assert.equal(server.requests.length, 3);
  await succeedsAgain(one, words);
});

test('a silent server is explained once it is worth a word, and its answer is taken', async () => {
  const wait = pause();
  server.script(late(wait, sure('The lamp turns.')));
  const one = await chat();
  await one.ask(QUESTION);
  await wait.reached;
  assert.doesNotMatch(await one.page.evaluate(() => document.body.innerText), /local models may take minutes/);
  // From here on each second of the page's clock is two minutes. Moving the clock once is not
  // enough: the worker may send a last message afterwards, and the silence begins with it.
  await one.page.evaluate(() => {
    const now = Date.now.bind(Date);
    const start = now();
    Date.now = () => start + (now() - start) * 120;
  });
  await one.says('The model has sent nothing yet; local models may take minutes to load');
  wait.release();
  await one.settled('The lamp turns.');
  assert.equal(server.requests.length, 1);
});

test('a failed turn can be answered on this device', async () => {
  server.script(refuses(401));
  const one = await chat();
  await one.ask('Who was Fresnel?');
  await one.says('Scripted did not accept this key (401)');
  await one.press('Answer on this device');
  await one.settled('Augustin Fresnel, an engineer of roads');
  assert.deepEqual(await one.said(), ['Who was Fresnel?']);
  assert.equal(server.requests.length, 1);
});

test('what was typed meanwhile stays, whatever becomes of the turn', async () => {
  const wait = pause();
  server.script(late(wait, refuses(401)));
  const one = await chat();
  await one.ask(QUESTION);
  await wait.reached;
  await one.page.type('textarea', 'And why does it');
  wait.release();
  await one.says('Scripted did not accept this key (401)');
  assert.equal(await one.draft(), 'And why does it');
});

test('nobody at the address: said at once, and tried again when the person wants it', async () => {
  const closed = createServer();
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address();
  closed.close();
  await once(closed, 'close');
  await connect(gloss, { baseUrl: `http://127.0.0.1:${port}/v1` });
  const one = await fails(['Scripted cannot be reached', `No server responds at http://127.0.0.1:${port}. Check the host and the port in Options, Models`]);
  const back = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: '<gloss>{"confidence":0.9}</gloss>The lamp turns.' }, finish_reason: 'stop' }] }));
  });
  back.listen(port, '127.0.0.1');
  await once(back, 'listening');
  try {
    await one.press('Try again');
    await one.settled('The lamp turns.');
    assert.deepEqual(await one.said(), [QUESTION]);
  } finally {
    back.closeAllConnections();
    back.close();
    await connect(gloss, { baseUrl: server.baseUrl });
  }
});

test('Ollama that was not told of Gloss: the exact setting for this system, and its copy', async () => {
  await connect(gloss, { baseUrl: server.baseUrl, name: 'Ollama at home' });
  try {
    server.script(raw('', { status: 403 }));
    const one = await fails(['Ollama at home refused Gloss (403)', 'Ollama at home accepts requests only from allowed origins. Allow Gloss once:']);
    const shown = await one.page.$eval('.note', (note) => ({
      here: note.querySelector('.stack pre').textContent,
      visible: [...note.querySelectorAll('pre')].filter((pre) => pre.checkVisibility()).length,
      others: [...note.querySelectorAll('details pre')].map((pre) => pre.textContent),
      summary: note.querySelector('summary').textContent,
    }));
    const commands = {
      linux: '[Service]\nEnvironment="OLLAMA_ORIGINS=chrome-extension://*"',
      darwin: 'launchctl setenv OLLAMA_ORIGINS "chrome-extension://*"',
      win32: 'setx OLLAMA_ORIGINS "chrome-extension://*"',
    };
    assert.equal(shown.here, commands[process.platform]);
    assert.equal(shown.visible, 1, 'the others are folded');
    const rest = Object.entries(commands).filter(([system]) => system !== process.platform);
    assert.deepEqual(new Set(shown.others), new Set(rest.map(([, command]) => command)));
    await one.panel.control('button', 'Copy command').wait();
    await succeedsAgain(one, ['Ollama at home refused Gloss (403)']);
  } finally {
    await connect(gloss, { baseUrl: server.baseUrl });
  }
});

test('a server that was not allowed yet: the card, and "Not now" answers on this device', async () => {
  const own = await launch();
  try {
    await connect(own, { baseUrl: server.baseUrl });
    const one = await Chat.over(own, await own.open(site.url('article.html')));
    await one.ask('Who was Fresnel?');
    await one.says('Permission needed');
    await one.says(`Send to ${server.origin}`);
    assert.equal(await one.page.$('textarea'), null, 'the card has the place of the composer');
    assert.equal(await one.page.evaluate(() => document.activeElement.textContent), 'Permission needed');
    for (const name of ['Allow Scripted', 'Not now', 'Stop']) assert.ok(await one.offers(name), name);
    await one.press('Not now');
    await one.settled('Augustin Fresnel, an engineer of roads');
    assert.match(await one.log(), /Scripted was not allowed; went on with On device/);
    assert.deepEqual(await one.said(), ['Who was Fresnel?']);
    assert.equal(server.requests.length, 0);
    await one.page.waitForSelector('textarea');
  } finally {
    await own.close();
  }
});
