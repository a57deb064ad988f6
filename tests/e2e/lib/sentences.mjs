// The time and the memory of the sentence model, in a page of the extension.
//
// Example: 300 different sentences of 28 common words are compared with a question. Each of
// these words is one piece for the model, so the number of multiplications is known.

import { execFileSync } from 'node:child_process';

const WORDS = 'the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one'.split(' ');
/** The pieces of a sentence: its words, and its start and end. */
const PIECES = 30;
/** The sentences of a page that the model rates for a question. */
export const RATED = 150;
/** The multiplications for a piece, and for a sentence in the last layers. */
const [OF_PIECE, OF_SENTENCE] = [512 * 768 + 20 * 256 * 256, 1280 * 512 + 2 * 512 * 320 + 320 * 320 + 2 * 320 * 512 + 512 * 512];

/** `count` sentences; those of another `round` differ. */
const sentences = (count, round) => Array.from({ length: count }, (_, at) => {
  let seed = round * 7919 + at + 1;
  const word = () => WORDS[(seed = (seed * 48_271) % 2_147_483_647) % WORDS.length];
  return Array.from({ length: PIECES - 2 }, word).join(' ');
});

/**
 * The median ms of a first answer (with loading), of a second about the same page, of a third for
 * which half of the sentences are new, and of `many` new sentences; the GMAC/s of the latter; the MB that the model's `Worker` adds, and that stay when it
 * has ended.
 */
export async function measureSentences(page, many, rounds) {
  const before = megabytes(page);
  const [first, second, third, all] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const [known, others] = [sentences(RATED, 3 * round), sentences(RATED / 2, 3 * round + 1)];
    const texts = [known, known, [...known.slice(RATED / 2), ...others], sentences(many, 3 * round + 2)];
    const times = await page.evaluate(ask, texts, `what is it ${round}`);
    [first, second, third, all].forEach((kept, at) => kept.push(times[at]));
    if (round < rounds - 1) await page.evaluate(() => globalThis.model.terminate());
  }
  const used = megabytes(page) - before;
  await page.evaluate(() => globalThis.model.terminate());
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];
  const took = median(all);
  const gmacs = (many * (PIECES * OF_PIECE + OF_SENTENCE)) / (took * 1e6);
  return { first: median(first), second: median(second), third: median(third), many: took, gmacs, used, kept: megabytes(page) - before };
}

/** Runs in the page: starts the model's `Worker`, and asks it once with each list of texts. */
async function ask(lists, question) {
  const from = performance.now();
  const model = new Worker('offscreen_boot.js', { type: 'module' });
  globalThis.model = model;
  const times = [];
  let began = from;
  for (const texts of lists) {
    const answer = await new Promise((resolve) => {
      model.onmessage = ({ data }) => resolve(data);
      model.postMessage(JSON.stringify({ question: `${question} ${times.length}`, texts }));
    });
    if (answer?.length !== texts.length) throw new Error(`the model answered ${answer}`);
    times.push(performance.now() - began);
    began = performance.now();
  }
  return times;
}

/** The resident memory of the browser's renderers, in MB. */
function megabytes(page) {
  const browser = page.browser().process().pid;
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,rss,args'], { encoding: 'utf8' }).split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/)).map(([pid, parent, kb, ...args]) => ({ pid: +pid, parent: +parent, kb: +kb, args: args.join(' ') }));
  const ours = new Set([browser]);
  for (let size = 0; size < ours.size;) {
    size = ours.size;
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid);
  }
  const renderers = processes.filter(({ pid, args }) => ours.has(pid) && args.includes('--type=renderer'));
  return renderers.reduce((sum, { kb }) => sum + kb, 0) / 1024;
}
