// The cost of durability, in a worker that contains only the bench.
//
// Example: `const worker = await DurableBench.start(module); await worker.costs()`. The
// extension is a copy of the built one whose worker is replaced: the same permissions, the same
// storage, the same kind of worker.

import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST, launch } from './browser.mjs';

const WORKER = `
import * as glue from './bench/bench.js';
globalThis.glossHost = { stored: (area, key) => chrome.storage[area].get(key) };
const ready = glue.default({ module_or_path: new URL('bench/bench_bg.wasm', import.meta.url) });
const say = 'The Moon pulls on the sea, and the sea answers late. '.repeat(12);
const found = 'Springs come when the Sun and the Moon pull together. '.repeat(20);
const model = (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms, { text: say })) : Promise.resolve({ text: say }));
const tool = async () => ({ found });
// The same loop without a journal.
const bare = async (steps, ms) => {
  const [transcript, marks] = [['Why is there a tide?'], [performance.now(), 0]];
  for (let step = 1; step <= steps; step += 1) {
    transcript.push((await model(ms)).text);
    transcript.push(JSON.stringify(await tool({ query: 'tide', number: step })));
    transcript.push((await model(ms)).text);
    marks.push(performance.now(), 0);
  }
  return marks;
};
const calls = {
  live: ({ name, steps, ms }) => glue.live(name, steps, ms),
  bare: ({ steps, ms }) => bare(steps, ms),
  erase: ({ name }) => glue.erase(name),
};
chrome.runtime.onMessage.addListener((message, sender, respond) => {
  const from = performance.now();
  ready.then(() => calls[message.call](message))
    .then((marks) => respond({ from, marks: [...(marks ?? [])], to: performance.now() }), (error) => respond({ error: String(error) }));
  return true;
});
`;

/** The browser whose extension is the bench. */
export class DurableBench {
  static async start(module) {
    const folder = await mkdtemp(join(tmpdir(), 'gloss-bench-'));
    await cp(DIST, folder, { recursive: true });
    await cp(module, join(folder, 'bench'), { recursive: true });
    await writeFile(join(folder, 'worker_boot.js'), WORKER);
    const gloss = await launch({ extension: folder });
    return Object.assign(new DurableBench(), { folder, gloss, page: await gloss.openOwn('icons.svg') });
  }

  async #call(message) {
    const answer = await this.page.evaluate((message) => chrome.runtime.sendMessage(message), message);
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  /** One life of a run: `{ ms, bytes }` for each step, and `loading`, `whole` in ms. */
  async #live(message) {
    const { from, marks, to } = await this.#call(message);
    const steps = [];
    for (let at = 2; at < marks.length; at += 2) {
      steps.push({ ms: marks[at] - marks[at - 2], bytes: marks[at + 1] - marks[at - 1] });
    }
    return { steps, loading: marks[0] - from, whole: to - from };
  }

  /** Each of `rounds` runs of `steps` steps without a model's time, and the replay of each. */
  async costs(steps, rounds) {
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
      const message = { call: 'live', name: `bench-${round}`, steps, ms: 0 };
      const first = await this.#live(message);
      const replay = await this.#live(message);
      await this.#call({ ...message, call: 'erase' });
      runs.push({ first, replay });
    }
    return runs;
  }

  /** The time of a run and of its twin without a journal, in ms; the model takes `ms` per call. */
  async beside(steps, ms) {
    const bare = await this.#live({ call: 'bare', steps, ms });
    const ours = await this.#live({ call: 'live', name: 'beside', steps, ms });
    await this.#call({ call: 'erase', name: 'beside' });
    return { bare: bare.whole, ours: ours.whole };
  }

  async close() {
    await this.gloss.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
