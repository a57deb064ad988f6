// Decoding a provider's stream, compared with a peer, in one page of one browser.

const WORDS = ['The', ' lamp', ' turns', ' "slowly"', ' in', ' the', '\n\n', ' fog', ',', ' café', ' 灯塔', '.'];
const sse = (event) => `data: ${JSON.stringify(event)}\n\n`;
const named = (event) => `event: ${event.type}\n${sse(event)}`;
const obfuscated = (at) => 'x7Kq2mVn0yJp'.slice(at % 9);

/** A typical event of each provider: a word, and the provider's other fields. */
const EVENTS = {
  chat_completions(content, at) {
    const chunk = { id: 'chatcmpl-BfT4qOuM2mVn0yJp7sKd1xWz3aRc', object: 'chat.completion.chunk', created: 1_750_000_000,
      model: 'gpt-4.1-mini-2025-04-14', service_tier: 'default', system_fingerprint: 'fp_658b958c37',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }], usage: null, obfuscation: '' };
    const bare = Buffer.byteLength(JSON.stringify(chunk)) + 8;
    chunk.obfuscation = 'x7Kq2mVn0yJp'.repeat(9).slice(at % 5, Math.max(at % 5, 283 - bare + (at % 5)));
    return sse(chunk);
  },
  responses: (delta, at) => named({ type: 'response.output_text.delta', sequence_number: at + 4,
    item_id: 'msg_6876cf02e0bc8192b74af0fb64b715ff06fa2fcced15a5ac', output_index: 0, content_index: 0, delta, logprobs: [],
    obfuscation: obfuscated(at) }),
  messages: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  // This provider sends several words at once.
  gemini: (text, at) => sse({ candidates: [{ content: { parts: [{ text: text.repeat(9) }], role: 'model' }, index: 0 }],
    usageMetadata: { promptTokenCount: 1_024, candidatesTokenCount: at, totalTokenCount: 1_024 + at,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1_024 }], thoughtsTokenCount: 128 },
    modelVersion: 'gemini-2.5-flash', responseId: 'xW1taPqSN5-Kz7IP0bqzqAM' }).replaceAll('\n', '\r\n'),
  ollama: (content, at) => `${JSON.stringify({ model: 'qwen3:8b', created_at: `2026-01-01T00:00:00.${100_000_000 + at}Z`,
    message: { role: 'assistant', content }, done: false })}\n`,
};

/** The streams that the bench decodes. */
export const APIS = Object.keys(EVENTS);

/** A stream of about `bytes` bytes in a provider's format. The same on every call. */
export function providerStream(api, bytes) {
  const events = [];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    events.push(EVENTS[api](WORDS[at % WORDS.length], at));
    size += Buffer.byteLength(events.at(-1));
  }
  return events.join('');
}

/**
 * Runs in a page and uses no variable from outside. Decodes the stream at `address` in pieces of
 * each of `sizes` bytes, as the worker does, and with eventsource-parser (lines: by splitting) and
 * JSON.parse. Returns MB/s, the fastest of `rounds`, and whether both texts are the same.
 */
export async function measureDecoding(address, api, sizes, rounds) {
  const ours = await import('/wasm/bench.js');
  await ours.default();
  const { createParser } = await import('/npm/eventsource-parser/dist/index.js');
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());

  const said = {
    chat_completions: ({ choices }) => choices[0]?.delta?.content,
    responses: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''),
    messages: ({ type, delta }) => (type === 'content_block_delta' && delta.type === 'text_delta' ? delta.text : ''),
    gemini: ({ candidates }) => candidates?.[0]?.content?.parts?.map(({ text }) => text ?? '').join(''),
    ollama: ({ message }) => message?.content,
  }[api];
  const lines = (take) => {
    let rest = '';
    return {
      feed(text) {
        const all = (rest + text).split('\n');
        rest = all.pop();
        all.forEach(take);
      },
    };
  };
  const systems = {
    ours(pieces) {
      const decoding = new ours.Decoding(api);
      for (const piece of pieces) decoding.feed(piece);
      return decoding.text();
    },
    peer(pieces) {
      let text = '';
      const take = (data) => {
        text += said(JSON.parse(data)) ?? '';
      };
      const parser = api === 'ollama' ? lines(take) : createParser({ onEvent: ({ data }) => take(data) });
      const decoder = new TextDecoder();
      for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
      return text;
    },
  };
  const results = [];
  for (const size of sizes) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    const texts = {};
    const times = { ours: [], peer: [] };
    // Alternately, so that what slows the machine slows both; the first round warms up the
    // compiler.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [system, decode] of Object.entries(systems)) {
        const from = performance.now();
        texts[system] = decode(pieces);
        if (round > 0) times[system].push(performance.now() - from);
      }
    }
    const speed = (system) => bytes.length / 1000 / Math.min(...times[system]);
    results.push({ size, ours: speed('ours'), peer: speed('peer'), alike: texts.ours === texts.peer && texts.ours.length > 0 });
  }
  return results;
}
