// The measuring half of `cargo xtask bench`: node bench.mjs FOLDER_OF_BENCH_WASM [NAME]
//
// Each figure has its promise beside it; the exit code is 0 if all promises are kept.
//
// `cargo xtask test` runs `GLOSS_SMALL=1 node bench.mjs FOLDER_OF_BENCH_WASM`: each part once, with
// little data of this repository only. Every part has to end and return its figures; they are not
// compared with promises, because the machine is busy. Without the folder (an empty argument), the
// parts of `NEED_MODULE` are skipped with a message.

import { ChatServer, says } from './lib/chat_server.mjs';
import { DIST, launch, PATIENCE } from './lib/browser.mjs';
import { APIS, measureDecoding, providerStream } from './lib/decoding.mjs';
import { measureListening, spokenJson } from './lib/listening.mjs';
import { measureShrinking } from './lib/shrinking.mjs';
import { DurableBench } from './lib/durable.mjs';
import { Screen } from './lib/display.mjs';
import { measureExtraction } from './lib/extraction.mjs';
import { measureRetrieval } from './lib/retrieval.mjs';
import { explainWord, firstTurn, menusMade } from './lib/menu.mjs';
import { Panel } from './lib/panel.mjs';
import { connect } from './lib/profile.mjs';
import { longArticle, serve } from './lib/server.mjs';
import { measureSummaries } from './lib/summaries.mjs';
import { BOOKS, measureReading } from './lib/ocr.mjs';
import { numbered, streamed, watchStream } from './lib/streaming.mjs';
import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';

const SUITE = fileURLToPath(
  new URL('../../../shared/suites/readability/test/test-pages/', import.meta.url),
);
/** The documents that `documents.py` made of the books. */
const DOCUMENTS = process.env.GLOSS_DOCUMENTS ?? fileURLToPath(new URL('../../target/evaluation/documents/', import.meta.url));
/** Debian's books that `xtask` fetched. */
const BOOKS_FOLDER = process.env.GLOSS_BOOKS ?? fileURLToPath(new URL('../../target/books', import.meta.url));
const SMALL = Boolean(process.env.GLOSS_SMALL);
const FULL_AMOUNTS = {
  coldStarts: 20,
  clicks: { times: 10, bytes: 100_000 },
  rightClicks: 5,
  extraction: { rounds: 3 },
  summaries: { sizes: [100_000, 1_000_000], rounds: 9 },
  retrieval: { sizes: [100_000, 1_000_000], rounds: 7 },
  decoding: { bytes: 4_000_000, sizes: [283, 4_096, 65_536], rounds: 15 },
  listening: { bytes: 10_000_000, rounds: 5 },
  shrinking: { steps: 100, bytes: 8_000, result: 250_000, rounds: 7 },
  tokens: 300,
  manyTokens: 10_000,
  durability: { steps: 500, rounds: 5, at: [1, 10, 100, 500], beside: { steps: 40, ms: 50 } },
  ocr: { pages: 10 },
};
/** The amount of work of each part; in the small run, as little as still returns each figure. */
const AMOUNTS = !SMALL ? FULL_AMOUNTS : {
  coldStarts: 2,
  clicks: { times: 1, bytes: 10_000 },
  rightClicks: 1,
  extraction: { rounds: 1 },
  summaries: { sizes: [2_000, 8_000], rounds: 1 },
  retrieval: { sizes: [10_000, 20_000], rounds: 1 },
  decoding: { bytes: 40_000, sizes: [283], rounds: 1 },
  listening: { bytes: 1_000_000, rounds: 1 },
  shrinking: { steps: 5, bytes: 2_000, result: 20_000, rounds: 1 },
  tokens: 20,
  manyTokens: 200,
  durability: { steps: 20, rounds: 1, at: [1, 10, 20], beside: { steps: 2, ms: 5 } },
  ocr: { pages: 1 },
};
/** The parts that run the bench's own module; all others run the built extension. */
const NEED_MODULE = ['summaries', 'retrieval', 'decoding', 'listening', 'shrinking', 'durability'];

const [module = '', only = ''] = process.argv.slice(2);
const rows = [];
/** Parts that ended without a figure, because this machine lacks their data. */
const skipped = [];
const site = await serve({
  '/bench/': DIST,
  ...(module && { '/wasm/': module }),
  '/npm/': fileURLToPath(new URL('node_modules/', import.meta.url)),
  '/suite/': SUITE,
  '/documents/': DOCUMENTS,
  '/books/': `${BOOKS_FOLDER}/`,
});
const parts = {
  coldStart, clickToSummary, rightClick, extraction, summaries, retrieval, decoding, listening, shrinking, tokenToScreen, manyTokens,
  durability, ocr,
};
const gloss = await launch();
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (!name.toLowerCase().includes(only.toLowerCase())) continue;
    if (!module && NEED_MODULE.includes(name)) {
      skip(name, 'the bench module is not built');
      continue;
    }
    const [before, from] = [rows.length, performance.now()];
    await measure();
    if (SMALL) console.log(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
    if (rows.length === before && !skipped.includes(name)) throw new Error(`${name} gave no figure`);
  }
} finally {
  await gloss.close();
  await site.close();
}
print();
if (rows.length === 0) console.log(`no part has ${JSON.stringify(only)} in its name: ${Object.keys(parts).join(', ')}`);
process.exitCode = rows.length > 0 && (SMALL || rows.every((row) => row.kept)) ? 0 : 1;

function row(what, figure, unit, limit, kept) {
  if (!Number.isFinite(figure)) throw new Error(`${what}: ${figure} is no figure`);
  const digits = unit === '' ? 4 : 1;
  rows.push({ what, figure: `${figure.toFixed(digits)} ${unit}`.trim(), limit, kept });
}

/** Prints why the part `name` measures nothing. */
function skip(name, why) {
  skipped.push(name);
  console.log(`skipped: ${name} (${why})`);
}

/** Kills the worker and lets the panel wake it, over and over. */
async function coldStart() {
  const panel = await gloss.browser.newPage();
  await panel.evaluateOnNewDocument(watchFirstSnapshot);
  await panel.goto(`chrome-extension://${gloss.id}/panel.html`);
  const ready = [];
  const woken = [];
  for (let start = 0; start < AMOUNTS.coldStarts; start += 1) {
    await gloss.killWorker();
    await panel.reload();
    const first = await panel.waitForFunction(() => globalThis.firstSnapshot, { timeout: PATIENCE });
    const { readyMs, afterMs } = await first.jsonValue();
    ready.push(readyMs);
    woken.push(afterMs);
  }
  await panel.close();
  row(`worker cold start to ready, median of ${AMOUNTS.coldStarts}`, median(ready), 'ms', '<= 40', median(ready) <= 40);
  row('a killed worker: connect to first snapshot', median(woken), 'ms', '', true);
}

/** From the click to "Done" with key points, on a page of 100 KB, timed in the popup. */
async function clickToSummary() {
  const { times: runs, bytes } = AMOUNTS.clicks;
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const page = await gloss.open(`${site.url('long.html')}?bytes=${bytes}&run=${run}`);
    const popup = await gloss.openPopup(page);
    const panel = await Panel.of(popup);
    await panel.control('button', 'Summarize page').wait();
    const timing = await popup.evaluateHandle(timeToDone, `&run=${run}#`, PATIENCE);
    await panel.summarize();
    times.push(await timing.evaluate((watch) => watch.took));
    await page.close();
  }
  row(`click to summary, ${bytes / 1000} KB page, median of ${runs}`, median(times), 'ms', '<= 300', median(times) <= 300);
}

/**
 * From the first right-click after the browser's start, with no worker and the panel closed, until
 * its turn is shown.
 */
async function rightClick() {
  const screen = await Screen.open();
  if (!screen) {
    skip('rightClick', 'no Xvfb or no xdotool');
    return;
  }
  const shown = [];
  const recorded = [];
  for (let click = 0; click < AMOUNTS.rightClicks; click += 1) {
    const started = await launch({ headless: false, screen });
    try {
      await menusMade(started);
      const page = await started.open(site.url('article.html'));
      await started.killWorker();
      let chosenAt;
      const panel = await started.sidePanel(async () => (chosenAt = await explainWord(screen, page, 'Fresnel')));
      const { shownAt, recordedAt } = await firstTurn(panel);
      shown.push(shownAt - chosenAt);
      recorded.push(recordedAt - chosenAt);
    } finally {
      await started.close();
    }
  }
  await screen.close();
  row('first right-click, cold: to the run\'s first record', median(recorded), 'ms', '', true);
  const slowest = Math.max(...shown);
  row(`to its turn on the screen, slowest of ${AMOUNTS.rightClicks}`, slowest, 'ms', '<= 1500', slowest <= 1500);
}

/**
 * The share of characters of a real page that are read wrongly from a screenshot, on this device.
 */
async function ocr() {
  const books = SMALL ? [{ language: 'en', promised: 1, pages: [site.url('article.html')] }] : await bookPages();
  if (!books) return;
  const server = await ChatServer.start();
  const reader = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(reader, { baseUrl: server.baseUrl });
    const { pages } = AMOUNTS.ocr;
    for (const { language, promised, rate, rates } of await measureReading({ gloss: reader, server, books, most: pages })) {
      for (const { name, rate } of rates) console.log(`  ${language} ${rate.toFixed(4)} ${name}`);
      row(`characters read wrongly, ${language}, ${rates.length} pages`, rate, '', `<= ${promised}`, rates.length === pages && rate <= promised);
    }
  } finally {
    await reader.close();
    await server.close();
  }
}

/** The addresses of the pages of `BOOKS`; none, with a message, if the books are missing. */
async function bookPages() {
  if (!(await stat(`${BOOKS_FOLDER}/usr`).catch(() => null))) return skip('ocr', 'no books: cargo xtask bench ocr');
  return Promise.all(BOOKS.map(async ({ folder, ...book }) => {
    const names = (await readdir(`${BOOKS_FOLDER}/${folder}`).catch(() => [])).filter((name) => name.endsWith('.html')).toSorted();
    return { ...book, pages: names.map((name) => `${site.origin}/books/${folder}/${name}`) };
  }));
}

/** Indexing and searching a long document, beside the peers. */
async function retrieval() {
  if (!SMALL && !(await stat(`${DOCUMENTS}/handbook-en.json`).catch(() => null))) {
    return skip('retrieval', 'no documents: cargo xtask bench documents');
  }
  const lines = readFileSync(new URL('../../evaluation/retrieval/questions.jsonl', import.meta.url), 'utf8').trim().split('\n');
  const asked = lines.map((line) => JSON.parse(line)).filter(({ language }) => language === 'en');
  const { sizes, rounds } = AMOUNTS.retrieval;
  const page = await gloss.open(site.url('empty.html'));
  const address = SMALL ? ownDocument(sizes.at(-1)) : '/documents/handbook-en.json';
  const measured = await page.evaluate(measureRetrieval, address, sizes, asked.map(({ question }) => question), rounds);
  for (const { size, sections, index, query, embedding } of measured.sizes) {
    const of = `${size / 1000} KB, ${sections} sections`;
    const promised = size >= 1_000_000;
    for (const [what, times, unit, least] of [['index', index, 'ms', 8], ['query', query, 'us', 15]]) {
      for (const [system, time] of Object.entries(times)) row(`${what}, ${of}: ${system}`, time, unit, '', true);
      const faster = times.minisearch / times.ours;
      row('times as fast as minisearch', faster, 'x', promised ? `>= ${least}` : '', !promised || faster >= least);
    }
    if (embedding !== null) row(`embed and ask, ${of}`, embedding, 'ms', '', true);
  }
  if (measured.loading !== null) row('load the embeddings', measured.loading, 'ms', '', true);
  await page.close();
}

/** The address of a document of about this many bytes, in the format of `documents.py`. */
function ownDocument(bytes) {
  const paragraphs = [...longArticle(bytes).matchAll(/<p>(.*?)<\/p>/g)];
  const sections = paragraphs.map(([, text], at) => ({ headings: [`Page ${at + 1}`], text }));
  return `data:application/json,${encodeURIComponent(JSON.stringify({ sections }))}`;
}

async function decoding() {
  const page = await gloss.open(site.url('empty.html'));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const [, api] = /\/stream\?(\w+)$/.exec(request.url()) ?? [];
    if (api) request.respond({ contentType: 'text/event-stream', body: providerStream(api, AMOUNTS.decoding.bytes) });
    else request.continue();
  });
  for (const api of APIS) {
    for (const { size, ours, peer, alike } of await page.evaluate(measureDecoding, `/stream?${api}`, api, AMOUNTS.decoding.sizes, AMOUNTS.decoding.rounds)) {
      if (SMALL && !alike) throw new Error(`${api}: not the text that the peer reads`);
      row(`${api} in pieces of ${size} B`, ours, 'MB/s', '', alike);
      row(`${api === 'ollama' ? 'lines' : 'eventsource-parser'} + JSON.parse`, peer, 'MB/s', '', true);
      row('times as fast', ours / peer, 'x', '', true);
    }
  }
  await page.close();
}

/** An answer inside JSON, as it is shown while it streams; and calls that are held back. */
async function listening() {
  const page = await gloss.open(site.url('empty.html'));
  const { bytes, rounds } = AMOUNTS.listening;
  for (const [what, reply] of Object.entries(spokenJson(bytes))) {
    const { rate, whole, calls } = await page.evaluate(measureListening, reply, rounds);
    row(`${bytes / 1e6} MB of JSON in deltas of 64 B: ${what}`, rate, 'MB/s', '>= 100', rate >= 100);
    // Calls are read once, when they are complete: parsing and repairing, which is faster than the
    // network.
    row(`the same with its end, ${calls} calls read`, whole, 'MB/s', '', true);
  }
  await page.close();
}

/** The time of fitting a run into its budget, by the run's length and the size of its results. */
async function shrinking() {
  const page = await gloss.open(site.url('empty.html'));
  for (const [what, least, most] of await page.evaluate(measureShrinking, AMOUNTS.shrinking)) {
    row(`${what}: ${least.of}`, least.ms, 'ms', '', true);
    row(`${what}: ${most.of}`, most.ms, 'ms', '', true);
    const growth = most.ms / least.ms / 4;
    row('against four times the time', growth, 'x', '<= 1.5', growth <= 1.5);
  }
  await page.close();
}

/** From the byte that the server writes to the word on the screen of the side panel. */
async function tokenToScreen() {
  const words = numbered(AMOUNTS.tokens);
  // A word in 20 ms is a fast model; a paragraph has 40 words.
  const reply = says(...words.flatMap((word, at) => [`${word}${at % 40 === 39 ? '\n\n' : ' '}`, 20]));
  const { shown, written } = await stream(reply, words.at(-1));
  const took = written.map(({ text, at }) => shown[text.trim()] - at).sort((one, other) => one - other);
  row(`byte to text on screen, median of ${took.length} tokens`, quantile(took, 0.5), 'ms', '', true);
  row('p95', quantile(took, 0.95), 'ms', '<= 25', quantile(took, 0.95) <= 25);
}

/** The frames of the side panel while 10 000 tokens stream into it, a thousand a second. */
async function manyTokens() {
  const words = numbered(AMOUNTS.manyTokens);
  const tens = Array.from({ length: words.length / 10 }, (_, at) => words.slice(at * 10, at * 10 + 10));
  const reply = says(...tens.flatMap((ten, at) => [`${ten.join(' ')}${at % 6 === 5 ? '\n\n' : ' '}`, 10]));
  const { frames, longest } = await stream(reply, words.at(-1));
  frames.sort((one, other) => one - other);
  for (const [what, part] of [['median', 0.5], ['p95', 0.95], ['p99', 0.99], ['longest', 1]]) {
    row(`frame while ${words.length} tokens stream, ${what}`, quantile(frames, part), 'ms', '', true);
  }
  row('tasks over 50 ms', longest.length, '', '', true);
}

/**
 * What a side panel shows of `reply`, until it shows `last`; and the time at which each part was
 * written.
 */
async function stream(reply, last) {
  const server = await ChatServer.start();
  const connected = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(connected, { baseUrl: server.baseUrl });
    server.always(reply);
    const side = await connected.openSidePanel(await connected.open(site.url('article.html')));
    await (await Panel.of(side)).control('button', 'Summarize page').wait();
    await watchStream(side);
    await side.type('textarea', 'Say it all');
    await side.keyboard.press('Enter');
    await side.waitForFunction((last) => globalThis.streamWatch.shown.get(last) < Infinity, { timeout: 120_000 }, last);
    return { ...(await streamed(side)), written: server.written };
  } finally {
    await connected.close();
    await server.close();
  }
}

/**
 * The cost of a step as a run grows, the cost of a replay, and both compared with a loop without a
 * journal.
 */
async function durability() {
  const { steps, rounds, at: shown, beside } = AMOUNTS.durability;
  const window = 10;
  const bench = await DurableBench.start(module);
  try {
    const runs = await bench.costs(steps, rounds);
    // A step is shorter than the browser's clock can measure, so a few around each are measured.
    const around = (at) => runs.flatMap(({ first }) => first.steps.slice(Math.max(0, at - 1 - window / 2), Math.max(window, at + window / 2 - 1)));
    const bytesAt = (at) => runs[0].first.steps[at - 1].bytes;
    const [base, baseBytes] = [mean(around(10).map(({ ms }) => ms)), bytesAt(10)];
    for (const at of shown) {
      const [ms, bytes] = [mean(around(at).map(({ ms }) => ms)), bytesAt(at)];
      row(`a step, at step ${at}`, ms * 1000, 'us', '<= 2x', ms <= 2 * base);
      row(`bytes it writes, at step ${at}`, bytes, 'B', '<= 2x', bytes <= 2 * baseBytes);
    }
    row(`load ${steps} steps`, median(runs.map(({ replay }) => replay.loading)), 'ms', '', true);
    const replayed = median(runs.map(({ replay }) => replay.whole - replay.loading));
    row(`replay ${steps} steps`, replayed, 'ms', '<= 50', replayed <= 50);
    const { bare, ours } = await bench.beside(beside.steps, beside.ms);
    row(`a bare loop of ${beside.steps} steps, ${beside.ms} ms a model call`, bare, 'ms', '', true);
    row('the same, durable', ours, 'ms', '', true);
    const share = (100 * (ours - bare)) / ours;
    row('own share of the time', share, '%', '<= 5', share <= 5);
  } finally {
    await bench.close();
  }
}

async function extraction() {
  const pages = await suite('extraction');
  if (!pages) return;
  const page = await gloss.open(site.url('empty.html'));
  await page.addScriptTag({ url: '/npm/@mozilla/readability/Readability.js' });
  const { ours, peer } = await page.evaluate(measureExtraction, pages, AMOUNTS.extraction.rounds);
  const faster = peer.ms / ours.ms;
  row(`extraction, ms a page (${pages.length} pages)`, ours.ms, 'ms', '', true);
  row('Readability + linkedom, ms a page', peer.ms, 'ms', '', true);
  row('times as fast', faster, 'x', '>= 4', faster >= 4);
  row('text F1', ours.f1, '', '>= 0.999', ours.f1 >= 0.999);
  row('Readability + linkedom, text F1', peer.f1, '', '', true);
  for (const { name, f1 } of ours.worst) console.log(`least alike: ${name} ${f1.toFixed(4)}`);
  // If the reader's answer can't be parsed any more, the figures are meaningless.
  if (ours.f1 < 0.5) throw new Error('the text of the reader is not that of the pages');
  await page.close();
}

/** The time of a summary grows with its page, and its memory is released. */
async function summaries() {
  const pages = await suite('summaries');
  if (!pages) return;
  const { sizes, rounds } = AMOUNTS.summaries;
  const page = await gloss.open(site.url('empty.html'));
  const [small, large] = await page.evaluate(measureSummaries, pages.map(({ expected }) => expected), sizes, rounds);
  row(`summary of ${sizes[0] / 1000} KB`, small.ms, 'ms', '<= 50', small.ms <= 50 && small.points > 3);
  row(`summary of ${sizes[1] / 1000} KB`, large.ms, 'ms', '<= 600', large.ms <= 600 && large.points > 3);
  row('times as long for ten times the page', large.ms / small.ms, 'x', '<= 13', large.ms <= 13 * small.ms);
  row(`memory for ${sizes[1] / 1000} KB`, large.first / 1e6, 'MB', '', true);
  row('memory after nine more', large.last / 1e6, 'MB', 'as before', large.last <= large.first);
  await page.close();
}

/**
 * The pages that the part `name` reads, each with its name and the addresses of its source and of
 * the expected text: those of the suite, or our own in the small run. None, with a message, if the
 * suite is missing.
 */
async function suite(name) {
  if (SMALL) return ['article.html', 'article-zh.html'].map((name) => ({ name, source: `/${name}`, expected: `/${name}` }));
  if (!(await stat(SUITE).catch(() => null))) return skip(name, `no real pages at ${SUITE}`);
  return (await readdir(SUITE)).toSorted().map((name) => ({ name, source: `/suite/${name}/source.html`, expected: `/suite/${name}/expected.html` }));
}

function print() {
  console.log();
  for (const { what, figure, limit, kept } of rows) {
    // So little data can't be compared with the promise.
    const judged = SMALL ? '' : `  ${limit.padEnd(9)} ${kept ? '' : 'MISSED'}`;
    console.log(`${what.padEnd(50)} ${figure.padStart(12)}${judged}`);
  }
}

/** A quantile of sorted values: 0.5 is the median, 1 the last. */
function quantile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1];
}

// These run in the page and use no variable from outside.

/** Records what the worker says of itself in the first snapshot, and the time until then. */
function watchFirstSnapshot() {
  const connect = chrome.runtime.connect.bind(chrome.runtime);
  const readyIn = (value) => {
    const message = typeof value === 'string' ? JSON.parse(value) : value;
    const parts = message && typeof message === 'object' ? Object.entries(message) : [];
    for (const [key, part] of parts) {
      const found = key === 'ready_ms' ? part : readyIn(typeof part === 'object' ? part : null);
      if (typeof found === 'number') return found;
    }
    return undefined;
  };
  chrome.runtime.connect = (...words) => {
    const from = performance.now();
    const port = connect(...words);
    port.onMessage.addListener((message) => {
      const readyMs = readyIn(message);
      if (readyMs === undefined) return;
      globalThis.firstSnapshot ??= { readyMs, afterMs: performance.now() - from };
    });
    return port;
  };
}

/**
 * The time from the next click in this page to the end of the summary whose links have `mark`;
 * fails after `patience` ms.
 */
function timeToDone(mark, patience) {
  const lastLink = () => [...document.querySelectorAll('.points a.ref')].at(-1)?.href ?? '';
  const took = new Promise((resolve, reject) => {
    setTimeout(reject, patience, new Error('no summary came'));
    const start = (click) => {
      const watch = new MutationObserver(() => {
        const status = [...document.querySelectorAll('[role=status]')].map((s) => s.textContent).join();
        if (!status.includes('Done') || !lastLink().includes(mark)) return;
        watch.disconnect();
        resolve(performance.now() - click.timeStamp);
      });
      watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    };
    addEventListener('click', start, { capture: true, once: true });
  });
  return { took };
}
