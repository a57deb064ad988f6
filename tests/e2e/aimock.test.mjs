// The same adapters against a server that we did not write.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Aimock } from './lib/aimock.mjs';
import { launch } from './lib/browser.mjs';
import { Chat, KNOWN } from './lib/chat.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const ANSWER = `${KNOWN}The **lamp** turns all night long, and nobody stops it.`;
const SHOWN = 'The lamp turns all night long, and nobody stops it.';
const PIECES = { chunkSize: 7, latency: 2 };
const CALL = (id, query) => ({ id, name: 'find_in_page', arguments: JSON.stringify({ query, reasoning: 'The page says it.' }) });

/**
 * The other dialects: their base path, their endpoint, the way the key is sent, and the ids of tool
 * results, if they have any.
 */
const DIALECTS = [
  { api: 'responses', path: '/v1', endpoint: '/v1/responses', key: ['authorization', 'Bearer key-1'],
    results: ({ input }) => input.filter(({ type }) => type === 'function_call_output').map(({ call_id }) => call_id) },
  { api: 'messages', path: '/v1', endpoint: '/v1/messages', key: ['x-api-key', 'key-1'],
    results: ({ messages }) => messages.at(-1).content.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id) },
  { api: 'gemini', path: '/v1beta', endpoint: '/v1beta/models/scripted-1:streamGenerateContent?alt=sse', key: ['x-goog-api-key', 'key-1'],
    results: ({ contents }) => contents.at(-1).parts.map(({ functionResponse }) => functionResponse.id) },
  { api: 'ollama', path: '', endpoint: '/api/chat', key: ['authorization', 'Bearer key-1'],
    results: ({ messages }) => messages.filter(({ role }) => role === 'tool').map((_, at) => ['a', 'b'][at]) },
];

let site, gloss;
before(async () => ([site, gloss] = await Promise.all([serve(), launch({ hosts: ['http://127.0.0.1/*'] })])));
after(async () => {
  await gloss?.close();
  await site?.close();
});

/** A question to a mock with these fixtures; `use` gets the chat and the requests. */
async function asked(fixtures, use, { path, api } = {}) {
  const mock = await Aimock.start(fixtures);
  const page = await gloss.open(site.url('article.html'));
  try {
    await connect(gloss, { baseUrl: mock.baseUrl(path), api });
    const chat = await Chat.over(gloss, page);
    await chat.ask('What turns?');
    await use(chat, () => mock.requests.filter(({ method }) => method === 'POST').map(({ headers, body, path: at }) => ({ headers, at, json: JSON.parse(body) })));
  } finally {
    await page.close();
    await mock.close();
  }
}

test('an answer streams in pieces that end anywhere', async () => {
  await asked([{ match: {}, response: { content: ANSWER }, ...PIECES }], async (chat, requests) => {
    await chat.settled(SHOWN);
    assert.deepEqual(await chat.answers(), [SHOWN]);
    const [{ headers }] = requests();
    assert.equal(headers.authorization, 'Bearer key-1');
    assert.equal(requests().length, 1);
  });
});

test('calls of two tools at once, and the answer from their results', async () => {
  const fixtures = [
    { match: { hasToolResult: false }, response: { content: '<gloss>{"thought":"The page says it."}</gloss>', toolCalls: [CALL('a', 'Fresnel'), CALL('b', 'silver')] }, ...PIECES },
    { match: { toolCallId: 'b', toolResultContains: 'tarnishes' }, response: { content: ANSWER }, ...PIECES },
  ];
  await asked(fixtures, async (chat, requests) => {
    await chat.settled(SHOWN);
    const { messages } = requests()[1].json;
    assert.deepEqual(messages.filter(({ role }) => role === 'tool').map((result) => result.tool_call_id), ['a', 'b']);
    assert.equal(requests().length, 2);
  });
});

test('429, then the answer', async () => {
  const fixtures = [
    { match: { sequenceIndex: 0 }, response: { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 1 } },
    { match: {}, response: { content: ANSWER }, ...PIECES },
  ];
  await asked(fixtures, async (chat, requests) => {
    await chat.settled(SHOWN);
    assert.equal(requests().length, 2);
  });
});

test('429 without end, with the time that its chaos asks for', async () => {
  await asked([{ match: {}, response: { content: ANSWER }, chaos: { rateLimitRate: 1 } }], async (chat, requests) => {
    await chat.says('Scripted got too many requests (429)');
    assert.equal(requests().length, 3);
  });
});

test('a stream that is cut, then the answer, and no word twice', async () => {
  const fixtures = [
    { match: { sequenceIndex: 0 }, response: { content: ANSWER }, ...PIECES, truncateAfterChunks: 12 },
    { match: {}, response: { content: ANSWER }, ...PIECES },
  ];
  await asked(fixtures, async (chat, requests) => {
    await chat.settled(SHOWN);
    assert.deepEqual(await chat.answers(), [SHOWN]);
    assert.equal(requests().length, 2);
  });
});

test('chaos: a body that is no JSON, and a connection that is dropped', async () => {
  await asked([{ match: {}, response: { content: ANSWER }, chaos: { malformedRate: 1 } }], async (chat) => {
    await chat.says('Scripted sent an unexpected response');
    assert.deepEqual(await chat.said(), ['What turns?']);
  });
  await asked([{ match: {}, response: { content: ANSWER }, chaos: { disconnectRate: 1 } }], async (chat) => {
    await chat.says('Scripted cannot be reached');
    assert.deepEqual(await chat.said(), ['What turns?']);
  });
  await asked([{ match: {}, response: { content: ANSWER }, chaos: { dropRate: 1 } }], async (chat, requests) => {
    await chat.says('Scripted failed (500)');
    assert.equal(requests().length, 3);
  });
});

for (const { api, path, endpoint, key: [header, value], results } of DIALECTS) {
  test(`${api}: calls of two tools at once, and the answer from their results`, async () => {
    const fixtures = [
      { match: { hasToolResult: false }, response: { content: '<gloss>{"thought":"The page says it."}</gloss>', toolCalls: [CALL('a', 'Fresnel'), CALL('b', 'silver')] }, ...PIECES },
      { match: { toolResultContains: 'tarnishes' }, response: { content: ANSWER }, ...PIECES },
    ];
    await asked(fixtures, async (chat, requests) => {
      await chat.settled(SHOWN);
      assert.deepEqual(await chat.answers(), [SHOWN]);
      assert.deepEqual(requests().map(({ at }) => at), [endpoint, endpoint]);
      assert.deepEqual(requests().map(({ headers }) => headers[header]), [value, value]);
      assert.deepEqual(results(requests()[1].json), ['a', 'b']);
    }, { path, api });
  });

  // Each retries after a second; the refusal is read in the same way for all.
  const skip = !process.env.GLOSS_LONG && api !== 'messages' && 'a long suite';
  test(`${api}: overloaded, then the answer`, { skip }, async () => {
    const fixtures = [
      { match: { sequenceIndex: 0 }, response: { error: { message: 'Overloaded', type: 'overloaded_error' }, status: 503 } },
      { match: {}, response: { content: ANSWER }, ...PIECES },
    ];
    await asked(fixtures, async (chat, requests) => {
      await chat.settled(SHOWN);
      assert.equal(requests().length, 2);
    }, { path, api });
  });

  test(`${api}: a stream that is cut, then the answer, and no word twice`, async () => {
    const fixtures = [
      { match: { sequenceIndex: 0 }, response: { content: ANSWER }, ...PIECES, truncateAfterChunks: 8 },
      { match: {}, response: { content: ANSWER }, ...PIECES },
    ];
    await asked(fixtures, async (chat, requests) => {
      await chat.settled(SHOWN);
      assert.deepEqual(await chat.answers(), [SHOWN]);
      assert.equal(requests().length, 2);
    }, { path, api });
  });
}
