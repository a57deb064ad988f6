// Extraction compared with a peer, in one page of one browser.

/**
 * Runs in a page that has `Readability`, and uses no variable from outside. Extracts each of
 * `pages` (`{ name, source, expected }`, the last two are addresses) with both, and compares the
 * words with the expected text. Times include parsing and are the median of `rounds`. F1 is over
 * the bag of words; Chinese is split into characters.
 */
export async function measureExtraction(pages, rounds) {
  const ADDRESS = 'http://fakehost/test/page.html';
  const gloss = await import('/bench/reader/reader.js');
  await gloss.default();
  const linkedom = await import('/npm/linkedom/worker.js');
  const get = async (path) => (await fetch(path)).text();

  /** The text of markup, with a break at each block. */
  const textOf = (html) => {
    const tree = new DOMParser().parseFromString(html, 'text/html');
    tree.querySelectorAll('script, style').forEach((node) => node.remove());
    const blocks = 'address, article, aside, blockquote, br, dd, div, dl, dt, figcaption, figure, '
      + 'footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, ol, p, pre, section, table, td, th, tr, ul';
    tree.querySelectorAll(blocks).forEach((block) => {
      block.before('\n');
      block.after('\n');
    });
    return tree.body.textContent;
  };
  const bag = (text) => {
    const counts = new Map();
    for (const [word] of text.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
  };
  const total = (counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const f1 = (one, other) => {
    const [a, b] = [bag(one), bag(other)];
    const common = [...a].reduce((sum, [word, count]) => sum + Math.min(count, b.get(word) ?? 0), 0);
    const all = total(a) + total(b);
    return all === 0 ? 1 : (2 * common) / all;
  };

  /** The text of the document that the reader returns as JSON, before the document's name. */
  const paragraphs = ([json]) => (JSON.parse(json).Ok?.paragraphs ?? []).map((one) => one.text).join('\n');

  const systems = {
    ours: (html) => gloss.read(html, ADDRESS),
    peer: (html) => {
      const tree = new linkedom.DOMParser().parseFromString(html, 'text/html');
      return new Readability(tree).parse()?.content ?? '';
    },
  };
  const toText = { ours: paragraphs, peer: textOf };
  const results = { ours: [], peer: [] };
  for (const { name, source, expected: wanted } of pages) {
    const html = await get(source);
    const expected = textOf(await get(wanted));
    for (const [system, extract] of Object.entries(systems)) {
      let text = '';
      const times = [];
      for (let round = 0; round <= rounds; round += 1) {
        const from = performance.now();
        try {
          text = extract(html);
        } catch {
          text = '';
        }
        times.push(performance.now() - from);
      }
      // The first round warms up the compiler.
      const ms = times.slice(1).sort((one, other) => one - other)[rounds >> 1];
      results[system].push({ name, ms, f1: f1(text ? toText[system](text) : '', expected) });
    }
  }
  const mean = (list, key) => list.reduce((sum, item) => sum + item[key], 0) / list.length;
  const told = (list) => ({
    ms: mean(list, 'ms'),
    f1: mean(list, 'f1'),
    worst: [...list].sort((one, other) => one.f1 - other.f1).slice(0, 8),
  });
  return { ours: told(results.ours), peer: told(results.peer) };
}
