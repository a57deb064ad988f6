// The speed of separating a reply's text for the loop from its text for the user.

/** Replies of about this many bytes, each one JSON object. The same on every call. */
export function spokenJson(bytes) {
  const words = 'Spring tides come when the Sun and the Moon pull together; "neaps" a week later.\n';
  const answer = words.repeat(bytes / words.length);
  const ids = Array.from({ length: bytes / 110 }, (_, at) => ({ id: `call_${at}`, name: 'find_in_page', arguments: { query: `the tide at place ${at}` } }));
  return {
    'an answer': JSON.stringify({ thought: 'Known.', final_answer: answer }),
    'calls': JSON.stringify({ tool_calls: ids }),
  };
}

/**
 * Runs in a page and uses no variable from outside. Returns MB/s without and with the end, the
 * fastest of `rounds`, and the calls that were read.
 */
export async function measureListening(reply, rounds) {
  const bench = await import('/wasm/bench.js');
  await bench.default();
  let [fastest, whole, calls] = [Infinity, Infinity, 0];
  for (let round = 0; round < rounds; round += 1) {
    const listening = new bench.ReplyBench(reply);
    const began = performance.now();
    listening.parse(64);
    fastest = Math.min(fastest, performance.now() - began);
    calls = listening.end();
    whole = Math.min(whole, performance.now() - began);
    listening.free();
  }
  const bytes = new TextEncoder().encode(reply).length / 1000;
  return { rate: bytes / fastest, whole: bytes / whole, calls };
}
