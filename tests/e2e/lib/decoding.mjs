// Decoding of a provider's stream beside its peer, in one page of one browser.

/**
 * A stream of about `bytes` bytes as OpenAI sends one: 283 bytes an event, a word in each. The
 * same on every call.
 */
export function providerStream(bytes) {
  const words = ['The', ' lamp', ' turns', ' "slowly"', ' in', ' the', '\n\n', ' fog', ',', ' café', ' 灯塔', '.'];
  const event = (content, at) => {
    const chunk = { id: 'chatcmpl-BfT4qOuM2mVn0yJp7sKd1xWz3aRc', object: 'chat.completion.chunk', created: 1_750_000_000,
      model: 'gpt-4.1-mini-2025-04-14', service_tier: 'default', system_fingerprint: 'fp_658b958c37',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }], usage: null, obfuscation: '' };
    const bare = Buffer.byteLength(JSON.stringify(chunk)) + 8;
    chunk.obfuscation = 'x7Kq2mVn0yJp'.repeat(9).slice(at % 5, Math.max(at % 5, 283 - bare + (at % 5)));
    return `data: ${JSON.stringify(chunk)}\n\n`;
  };
  const events = [];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    events.push(event(words[at % words.length], at));
    size += Buffer.byteLength(events.at(-1));
  }
  return events.join('');
}

/**
 * Runs in a page; closes over nothing. Decodes the stream at `address` in pieces of each of
 * `sizes` bytes, as the worker does and by eventsource-parser with JSON.parse; gives MB/s, the
 * fastest of some rounds, and whether both made the same text of it.
 */
export async function measureDecoding(address, sizes) {
  const ROUNDS = 15;
  const ours = await import('/wasm/bench.js');
  await ours.default();
  const { createParser } = await import('/npm/eventsource-parser/dist/index.js');
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());

  const systems = {
    ours(pieces) {
      const decoding = new ours.Decoding();
      for (const piece of pieces) decoding.feed(piece);
      return decoding.text();
    },
    peer(pieces) {
      let text = '';
      const parser = createParser({
        onEvent(event) {
          text += JSON.parse(event.data).choices[0]?.delta?.content ?? '';
        },
      });
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
    // In turn, so that what slows the machine slows both; the first round is for the compiler.
    for (let round = 0; round <= ROUNDS; round += 1) {
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
