// The time of an on-device summary, in one page of one browser.

/**
 * Runs in a page and uses no variable from outside. Summarises the first `sizes` bytes of the pages
 * at `addresses` as one page. Returns ms (the median of `rounds`), and the wasm memory in bytes
 * after the first round and after the last.
 */
export async function measureSummaries(addresses, sizes, rounds) {
  const ours = await import('/wasm/bench.js');
  const { memory } = await ours.default();
  const texts = await Promise.all(addresses.map(async (address) => {
    const html = await (await fetch(address)).text();
    const tree = new DOMParser().parseFromString(html, 'text/html');
    const blocks = [...tree.querySelectorAll('p, li, blockquote')];
    return blocks.map((block) => block.textContent.trim().replace(/\s+/g, ' ')).join('\n\n');
  }));
  const book = new TextEncoder().encode(texts.join('\n\n'));
  const results = [];
  for (const size of sizes) {
    const text = new TextDecoder().decode(book.subarray(0, size));
    const times = [];
    let [summary, first] = ['', 0];
    for (let round = 0; round <= rounds; round += 1) {
      const from = performance.now();
      summary = ours.summary(text);
      // The first round warms up the compiler.
      if (round > 0) times.push(performance.now() - from);
      else first = memory.buffer.byteLength;
    }
    const ms = times.sort((one, other) => one - other)[rounds >> 1];
    results.push({ size: text.length, ms, points: summary.split('\n').length, first, last: memory.buffer.byteLength });
  }
  return results;
}
