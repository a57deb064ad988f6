// The measuring half of `cargo xtask bench`: node bench.mjs FOLDER_OF_BENCH_WASM [NAME]
//
// Each figure has its promise beside it; the exit code tells whether all are kept.

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
import { serve } from './lib/server.mjs';
import { measureSummaries } from './lib/summaries.mjs';
import { measureReading } from './lib/ocr.mjs';
import { numbered, streamed, watchStream } from './lib/streaming.mjs';
import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';

const SUITE = fileURLToPath(
  new URL('../../../shared/suites/readability/test/test-pages/', import.meta.url),
);
/** What `documents.py` makes of the books. */
const DOCUMENTS = process.env.GLOSS_DOCUMENTS ?? fileURLToPath(new URL('../../target/evaluation/documents/', import.meta.url));
/** What `xtask` fetched of Debian's books. */
const BOOKS = process.env.GLOSS_BOOKS ?? fileURLToPath(new URL('../../target/books', import.meta.url));
const COLD_STARTS = 20;
const SUMMARIES = 10;

const RIGHT_CLICKS = 5;
const DECODED = { bytes: 4_000_000, sizes: [283, 4_096, 65_536] };

const [module = '', only = ''] = process.argv.slice(2);
const rows = [];
const site = await serve({
  '/bench/': DIST,
  '/wasm/': module,
  '/npm/': fileURLToPath(new URL('node_modules/', import.meta.url)),
  '/suite/': SUITE,
  '/documents/': DOCUMENTS,
  '/books/': `${BOOKS}/`,
});
const parts = {
  coldStart, clickToSummary, rightClick, extraction, summaries, retrieval, decoding, listening, shrinking, tokenToScreen, manyTokens,
  durability, ocr,
};
const gloss = await launch();
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (name.toLowerCase().includes(only.toLowerCase())) await measure();
  }
} finally {
  await gloss.close();
  await site.close();
}
print();
if (rows.length === 0) console.log(`no part has ${JSON.stringify(only)} in its name: ${Object.keys(parts).join(', ')}`);
process.exitCode = rows.length > 0 && rows.every((row) => row.kept) ? 0 : 1;

function row(what, figure, unit, limit, kept) {
  const digits = unit === '' ? 4 : 1;
  rows.push({ what, figure: `${figure.toFixed(digits)} ${unit}`.trim(), limit, kept });
}

/** Kills the worker and lets the panel wake it, over and over. */
async function coldStart() {
  const panel = await gloss.browser.newPage();
  await panel.evaluateOnNewDocument(watchFirstSnapshot);
  await panel.goto(`chrome-extension://${gloss.id}/panel.html`);
  const ready = [];
  const woken = [];
  for (let start = 0; start < COLD_STARTS; start += 1) {
    await gloss.killWorker();
    await panel.reload();
    const first = await panel.waitForFunction(() => globalThis.firstSnapshot, { timeout: PATIENCE });
    const { readyMs, afterMs } = await first.jsonValue();
    ready.push(readyMs);
    woken.push(afterMs);
  }
  await panel.close();
  row(`worker cold start to ready, median of ${COLD_STARTS}`, median(ready), 'ms', '<= 40', median(ready) <= 40);
  row('a killed worker: connect to first snapshot', median(woken), 'ms', '', true);
}

/** From the click to "Done" with key points, on a page of 100 KB, timed in the popup. */
async function clickToSummary() {
  const times = [];
  for (let run = 0; run < SUMMARIES; run += 1) {
    const page = await gloss.open(`${site.url('long.html')}?bytes=100000&run=${run}`);
    const popup = await gloss.openPopup(page);
    const panel = await Panel.of(popup);
    await panel.control('button', 'Summarize page').wait();
    const timing = await popup.evaluateHandle(timeToDone, `&run=${run}#`, PATIENCE);
    await panel.summarize();
    times.push(await timing.evaluate((watch) => watch.took));
    await page.close();
  }
  row(`click to summary, 100 KB page, median of ${SUMMARIES}`, median(times), 'ms', '<= 300', median(times) <= 300);
}

/** The first right-click after the browser's start, worker cold, panel closed: until its turn is shown. */
async function rightClick() {
  const screen = await Screen.open();
  if (!screen) {
    console.log('skipped: right-clicks (no Xvfb or no xdotool)');
    return;
  }
  const shown = [];
  const recorded = [];
  for (let click = 0; click < RIGHT_CLICKS; click += 1) {
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
  row(`to its turn on the screen, slowest of ${RIGHT_CLICKS}`, slowest, 'ms', '<= 1500', slowest <= 1500);
}

/** Indexing and searching a long document, beside the peers. */
/** How many characters of a real page are read wrongly from its picture, on this device. */
async function ocr() {
  if (!(await stat(`${BOOKS}/usr`).catch(() => null))) {
    console.log('skipped: the reading of pictures (no books: cargo xtask bench ocr)');
    return;
  }
  const server = await ChatServer.start();
  const reader = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(reader, { baseUrl: server.baseUrl });
    for (const { language, promised, rate, rates } of await measureReading({ gloss: reader, server, site, books: BOOKS })) {
      for (const { name, rate } of rates) console.log(`  ${language} ${rate.toFixed(4)} ${name}`);
      row(`characters read wrongly, ${language}, ${rates.length} pages`, rate, '', `<= ${promised}`, rates.length === 10 && rate <= promised);
    }
  } finally {
    await reader.close();
    await server.close();
  }
}

async function retrieval() {
  if (!(await stat(`${DOCUMENTS}/handbook-en.json`).catch(() => null))) {
    console.log('skipped: the speed of retrieval (no documents: cargo xtask bench documents)');
    return;
  }
  const lines = readFileSync(new URL('../../evaluation/retrieval/questions.jsonl', import.meta.url), 'utf8').trim().split('\n');
  const asked = lines.map((line) => JSON.parse(line)).filter(({ language }) => language === 'en');
  const page = await gloss.open(site.url('empty.html'));
  const measured = await page.evaluate(measureRetrieval, 'handbook-en', [100_000, 1_000_000], asked.map(({ question }) => question));
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

async function decoding() {
  const page = await gloss.open(site.url('empty.html'));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const [, api] = /\/stream\?(\w+)$/.exec(request.url()) ?? [];
    if (api) request.respond({ contentType: 'text/event-stream', body: providerStream(api, DECODED.bytes) });
    else request.continue();
  });
  for (const api of APIS) {
    for (const { size, ours, peer, alike } of await page.evaluate(measureDecoding, `/stream?${api}`, api, DECODED.sizes)) {
      row(`${api} in pieces of ${size} B`, ours, 'MB/s', '', alike);
      row(`${api === 'ollama' ? 'lines' : 'eventsource-parser'} + JSON.parse`, peer, 'MB/s', '', true);
      row('times as fast', ours / peer, 'x', '>= 2', ours / peer >= 2);
    }
  }
  await page.close();
}

/** An answer inside JSON, as it is shown while it comes; and calls that are held back. */
async function listening() {
  const page = await gloss.open(site.url('empty.html'));
  for (const [what, reply] of Object.entries(spokenJson(10_000_000))) {
    const { rate, whole, calls } = await page.evaluate(measureListening, reply);
    row(`10 MB of JSON in deltas of 64 B: ${what}`, rate, 'MB/s', '>= 100', rate >= 100);
    // Calls are read once, when all is there: parsing and mending, beside which the wire is slow.
    row(`the same with its end, ${calls} calls read`, whole, 'MB/s', '', true);
  }
  await page.close();
}

/** What fitting a run into its budget costs, by how long the run is and how large its results. */
async function shrinking() {
  const page = await gloss.open(site.url('empty.html'));
  for (const [what, least, most] of await page.evaluate(measureShrinking)) {
    row(`${what}: ${least.of}`, least.ms, 'ms', '', true);
    row(`${what}: ${most.of}`, most.ms, 'ms', '', true);
    const growth = most.ms / least.ms / 4;
    row('against four times the time', growth, 'x', '<= 1.5', growth <= 1.5);
  }
  await page.close();
}

/** From the byte that the server writes to the word on the screen of the side panel. */
async function tokenToScreen() {
  const words = numbered(300);
  // A word in 20 ms is a fast model; a paragraph has 40 words.
  const reply = says(...words.flatMap((word, at) => [`${word}${at % 40 === 39 ? '\n\n' : ' '}`, 20]));
  const { shown, written } = await stream(reply, words.at(-1));
  const took = written.map(({ text, at }) => shown[text.trim()] - at).sort((one, other) => one - other);
  row(`byte to text on screen, median of ${took.length} tokens`, quantile(took, 0.5), 'ms', '', true);
  row('p95', quantile(took, 0.95), 'ms', '<= 25', quantile(took, 0.95) <= 25);
}

/** The frames of the side panel while 10 000 tokens stream into it, a thousand a second. */
async function manyTokens() {
  const words = numbered(10_000);
  const tens = Array.from({ length: 1_000 }, (_, at) => words.slice(at * 10, at * 10 + 10));
  const reply = says(...tens.flatMap((ten, at) => [`${ten.join(' ')}${at % 6 === 5 ? '\n\n' : ' '}`, 10]));
  const { frames, longest } = await stream(reply, words.at(-1));
  frames.sort((one, other) => one - other);
  for (const [what, part] of [['median', 0.5], ['p95', 0.95], ['p99', 0.99], ['longest', 1]]) {
    row(`frame while 10 000 tokens stream, ${what}`, quantile(frames, part), 'ms', '', true);
  }
  row('tasks over 50 ms', longest.length, '', '', true);
}

/** What a side panel shows of `reply`, until it says `last`; and when each part was written. */
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

/** What a step costs as a run grows, what a replay costs, and what both come to beside a bare loop. */
async function durability() {
  const [steps, rounds, window] = [500, 5, 10];
  const bench = await DurableBench.start(module);
  try {
    const runs = await bench.costs(steps, rounds);
    // A step is over in less than the browser's clock is good for: a few around each are read.
    const around = (at) => runs.flatMap(({ first }) => first.steps.slice(Math.max(0, at - 1 - window / 2), Math.max(window, at + window / 2 - 1)));
    const bytesAt = (at) => runs[0].first.steps[at - 1].bytes;
    const [base, baseBytes] = [mean(around(10).map(({ ms }) => ms)), bytesAt(10)];
    for (const at of [1, 10, 100, 500]) {
      const [ms, bytes] = [mean(around(at).map(({ ms }) => ms)), bytesAt(at)];
      row(`a step, at step ${at}`, ms * 1000, 'us', '<= 2x', ms <= 2 * base);
      row(`bytes it writes, at step ${at}`, bytes, 'B', '<= 2x', bytes <= 2 * baseBytes);
    }
    row(`load ${steps} steps`, median(runs.map(({ replay }) => replay.loading)), 'ms', '', true);
    const replayed = median(runs.map(({ replay }) => replay.whole - replay.loading));
    row(`replay ${steps} steps`, replayed, 'ms', '<= 50', replayed <= 50);
    const { bare, ours } = await bench.beside(40, 50);
    row('a bare loop of 40 steps, 50 ms a model call', bare, 'ms', '', true);
    row('the same, durable', ours, 'ms', '', true);
    const share = (100 * (ours - bare)) / ours;
    row('own share of the time', share, '%', '<= 5', share <= 5);
  } finally {
    await bench.close();
  }
}

async function extraction() {
  const names = await suite();
  if (!names) return;
  const page = await gloss.open(site.url('empty.html'));
  await page.addScriptTag({ url: '/npm/@mozilla/readability/Readability.js' });
  const { ours, peer } = await page.evaluate(measureExtraction, names);
  const faster = peer.ms / ours.ms;
  row(`extraction, ms a page (${names.length} pages)`, ours.ms, 'ms', '', true);
  row('Readability + linkedom, ms a page', peer.ms, 'ms', '', true);
  row('times as fast', faster, 'x', '>= 4', faster >= 4);
  row('text F1', ours.f1, '', '>= 0.999', ours.f1 >= 0.999);
  row('Readability + linkedom, text F1', peer.f1, '', '', true);
  for (const { name, f1 } of ours.worst) console.log(`least alike: ${name} ${f1.toFixed(4)}`);
}

/** The time of a summary grows as its page does, and what it took is given back. */
async function summaries() {
  const names = await suite();
  if (!names) return;
  const page = await gloss.open(site.url('empty.html'));
  const [small, large] = await page.evaluate(measureSummaries, names, [100_000, 1_000_000]);
  row('summary of 100 KB', small.ms, 'ms', '<= 50', small.ms <= 50 && small.points > 3);
  row('summary of 1 MB', large.ms, 'ms', '<= 600', large.ms <= 600 && large.points > 3);
  row('times as long for ten times the page', large.ms / small.ms, 'x', '<= 13', large.ms <= 13 * small.ms);
  row('memory for 1 MB', large.first / 1e6, 'MB', '', true);
  row('memory after nine more', large.last / 1e6, 'MB', 'as before', large.last <= large.first);
  await page.close();
}

/** The names of the suite's pages; none, and said so, where it is not present. */
async function suite() {
  if (await stat(SUITE).catch(() => null)) return (await readdir(SUITE)).sort();
  console.log(`skipped: what is measured on real pages (none at ${SUITE})`);
  return undefined;
}

function print() {
  console.log();
  for (const { what, figure, limit, kept } of rows) {
    console.log(`${what.padEnd(50)} ${figure.padStart(12)}  ${limit.padEnd(9)} ${kept ? '' : 'MISSED'}`);
  }
}

/** Of values in their order: 0.5 is the median, 1 the last. */
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

// These run in the page and close over nothing.

/** Notes what the worker says of itself in the first snapshot, and how long that took. */
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
 * From the next click in this page to the end of the summary whose links have `mark`; fails
 * after `patience` ms.
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
