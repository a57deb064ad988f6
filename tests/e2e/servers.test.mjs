// The servers that stand in for a model, tested by plain fetch, because other tests rely on them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Aimock } from './lib/aimock.mjs';
import { call, ChatServer, cut, late, pause, raw, refuses, says, tooLong, unfinished, using } from './lib/chat_server.mjs';

const QUESTION = { model: 'm', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'hi' }] };

const ask = (baseUrl, options = {}) => fetch(`${baseUrl}/chat/completions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer key-1' },
  body: JSON.stringify(QUESTION),
  ...options,
});

/** The JSON of every event in a stream's text. */
const chunks = (text) => text.split('\n\n').filter((event) => event.startsWith('data: {')).map((event) => JSON.parse(event.slice(6)));
const content = (text) => chunks(text).map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

describe('the scripted server', () => {
  let server;
  before(async () => (server = await ChatServer.start()));
  after(() => server.close());
  beforeEach(() => server.reset());

  test('streams a text in the given pieces, a finish reason, the usage and the end', async () => {
    server.script(using({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 }, says('The ', 'lamp')));
    const text = await (await ask(server.baseUrl)).text();
    assert.equal(content(text), 'The lamp');
    assert.ok(text.endsWith('data: [DONE]\n\n'));
    assert.equal(chunks(text).at(-2).choices[0].finish_reason, 'stop');
    assert.equal(chunks(text).at(-1).usage.total_tokens, 9);
    assert.deepEqual(server.written.map(({ text }) => text), ['The ', 'lamp']);
  });

  test('keeps what was asked, as it was asked', async () => {
    server.script(tooLong(says('no')));
    const text = await (await ask(server.baseUrl)).text();
    assert.equal(chunks(text).find((chunk) => chunk.choices[0]?.finish_reason).choices[0].finish_reason, 'length');
    const [request] = server.requests;
    assert.equal(request.headers.authorization, 'Bearer key-1');
    assert.deepEqual(JSON.parse(request.body), QUESTION);
    assert.deepEqual(request.json, QUESTION);
  });

  test('makes parallel tool calls whose arguments come in pieces', async () => {
    server.script(says(call('find', null, { id: 'a', pieces: ['{"q":', '"x"}'] }), call('read', { url: 'u' }, { id: 'b' })));
    const deltas = chunks(await (await ask(server.baseUrl)).text()).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    const joined = (index) => deltas.filter((delta) => delta.index === index).map((delta) => delta.function.arguments).join('');
    assert.deepEqual([joined(0), joined(1)], ['{"q":"x"}', '{"url":"u"}']);
    assert.deepEqual(deltas.filter((delta) => delta.id).map((delta) => [delta.id, delta.function.name]), [['a', 'find'], ['b', 'read']]);
  });

  test('waits in mid-stream until it is released', async () => {
    const wait = pause();
    server.script(says('before', wait, 'after'));
    const reader = (await ask(server.baseUrl)).body.pipeThrough(new TextDecoderStream()).getReader();
    await wait.reached;
    let text = '';
    while (!text.includes('before')) text += (await reader.read()).value;
    assert.ok(!text.includes('after'));
    wait.release();
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    assert.equal(content(text), 'beforeafter');
  });

  test('holds back even the head until it is released', async () => {
    const wait = pause();
    server.script(late(wait, says('late')));
    let headed = false;
    const asked = ask(server.baseUrl).then((response) => ((headed = true), response));
    await wait.reached;
    assert.equal(headed, false);
    wait.release();
    assert.equal(content(await (await asked).text()), 'late');
  });

  test('refuses as OpenAI does, with the time to wait', async () => {
    server.script(...[401, 403, 404, 408, 500].map((status) => refuses(status)), refuses(429, { retryAfter: 3, code: 'insufficient_quota' }));
    for (const status of [401, 403, 404, 408, 500]) assert.equal((await ask(server.baseUrl)).status, status);
    const limited = await ask(server.baseUrl);
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '3']);
    assert.equal((await limited.json()).error.code, 'insufficient_quota');
    assert.equal((await ask(server.baseUrl)).status, 500, 'beyond the script');
    assert.equal(server.requests.length, 7);
  });

  test('breaks off in both ways', async () => {
    server.script(cut(says('half')), unfinished(says('half')));
    await assert.rejects((await ask(server.baseUrl)).text());
    const text = await (await ask(server.baseUrl)).text();
    assert.equal(content(text), 'half');
    assert.ok(!text.includes('[DONE]') && !text.includes('"stop"'));
    assert.equal((await server.requests[0].ended).aborted, false, 'its own cut is no abort');
  });

  test('gives a body as it stands', async () => {
    server.script(raw('<h1>Proxy</h1>'));
    const response = await ask(server.baseUrl);
    assert.match(response.headers.get('content-type'), /html/);
    assert.equal(await response.text(), '<h1>Proxy</h1>');
  });

  test('knows when it was left, before the head and in mid-stream', async () => {
    for (const reply of [(wait) => late(wait, says('x')), (wait) => says('x', wait)]) {
      const wait = pause();
      server.reset();
      server.script(reply(wait));
      const abort = new AbortController();
      const asked = ask(server.baseUrl, { signal: abort.signal }).then((response) => response.text());
      const request = await server.request(1);
      await wait.reached;
      abort.abort();
      await assert.rejects(asked);
      assert.equal((await request.ended).aborted, true);
      wait.release();
    }
  });

  test('names its models, and sends no CORS headers', async () => {
    const response = await fetch(`${server.baseUrl}/models`);
    assert.deepEqual((await response.json()).data.map((model) => model.id), server.models);
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    assert.equal(server.others.length, 1);
    assert.equal(server.requests.length, 0);
  });
});

describe('aimock', () => {
  test('streams its fixture, and the tap keeps the key and the body', async () => {
    const mock = await Aimock.start({ content: 'The lamp turns.' });
    try {
      assert.equal(content(await (await ask(mock.baseUrl())).text()), 'The lamp turns.');
      assert.equal(mock.requests[0].headers.authorization, 'Bearer key-1');
      assert.deepEqual(JSON.parse(mock.requests[0].body), QUESTION);
    } finally {
      await mock.close();
    }
  });

  test('cuts a stream', async () => {
    const fixture = { match: {}, response: { content: 'The lamp turns all night long.' }, latency: 5, chunkSize: 4, truncateAfterChunks: 3 };
    const mock = await Aimock.start([fixture]);
    try {
      await assert.rejects(ask(mock.baseUrl()).then((response) => response.text()));
    } finally {
      await mock.close();
    }
  });
});
