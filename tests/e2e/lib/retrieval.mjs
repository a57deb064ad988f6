// Indexing and searching a long document, compared with peers, in one page of one browser.

/**
 * Runs in a page and uses no variable from outside. Takes sections of the document at `address` up
 * to each of `sizes` bytes. Returns the median ms of indexing them, and the mean us of a question of
 * `questions`.
 */
export async function measureRetrieval(address, sizes, questions, rounds) {
  const HITS = 8;
  const ours = await import('/wasm/bench.js');
  await ours.default();
  const { default: MiniSearch } = await import('/npm/minisearch/dist/es/index.js');
  const { create, insertMultiple, search } = await import('/npm/@orama/orama/dist/browser/index.js');
  const all = (await (await fetch(address)).json()).sections;
  const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];
  const took = async (work) => {
    const from = performance.now();
    const result = await work();
    return [performance.now() - from, result];
  };

  const results = [];
  for (const size of sizes) {
    const sections = [];
    for (let bytes = 0, at = 0; bytes < size && at < all.length; at += 1) {
      const { headings, text } = all[at];
      sections.push({ id: String(at), headings: headings.join('\n'), text });
      bytes += new TextEncoder().encode(text).length;
    }
    const given = new ours.Sections();
    for (const { headings, text } of sections) given.push(headings, text);
    const systems = {
      ours: {
        index: () => given.index(),
        search: (index, question) => index.search(question, HITS),
      },
      minisearch: {
        index() {
          const index = new MiniSearch({ fields: ['headings', 'text'] });
          index.addAll(sections);
          return index;
        },
        search: (index, question) => index.search(question),
      },
      Orama: {
        async index() {
          const index = create({ schema: { id: 'string', headings: 'string', text: 'string' } });
          await insertMultiple(index, sections);
          return index;
        },
        search: (index, question) => search(index, { term: question, limit: HITS }),
      },
    };
    const [index, query] = [{}, {}];
    for (const [system, { index: build, search: ask }] of Object.entries(systems)) {
      const builds = [];
      const asks = [];
      let built;
      // The first round warms up the compiler.
      for (let round = 0; round <= rounds; round += 1) {
        built?.free?.();
        const [ms, result] = await took(build);
        built = result;
        const [all] = await took(async () => {
          for (const question of questions) {
            const found = ask(built, question);
            if (found instanceof Promise) await found;
          }
        });
        if (round > 0) {
          builds.push(ms);
          asks.push((all * 1000) / questions.length);
        }
      }
      index[system] = median(builds);
      query[system] = median(asks);
    }
    results.push({ size, sections: sections.length, index, query });
  }
  return { sizes: results };
}
