// The measuring half of `cargo xtask bench`: node bench.mjs FOLDER_OF_EXTRACT_BENCH
//
// Each figure has its promise beside it; the exit code tells whether all are kept.

import { measureExtraction } from './lib/extraction.mjs';
import { DIST, launch, PATIENCE } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';
import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { readFileSync } from 'node:fs';

const SUITE = fileURLToPath(
  new URL('../../../shared/suites/readability/test/test-pages/', import.meta.url),
);
const COLD_STARTS = 20;
const SUMMARIES = 10;

const rows = [];
const site = await serve({
  '/bench/': DIST,
  '/npm/': fileURLToPath(new URL('node_modules/', import.meta.url)),
  '/suite/': SUITE,
});
const gloss = await launch();
try {
  sizes();
  await coldStart();
  await clickToSummary();
  await extraction();
} finally {
  await gloss.close();
  await site.close();
}
print();
process.exitCode = rows.every((row) => row.kept) ? 0 : 1;

function row(what, figure, unit, limit, kept) {
  const digits = unit === '' ? 4 : 1;
  rows.push({ what, figure: `${figure.toFixed(digits)} ${unit}`.trim(), limit, kept });
}

function sizes() {
  const limits = { worker: [1500, 500], pages: [500, Infinity] };
  for (const [name, [raw, packed]] of Object.entries(limits)) {
    const wasm = readFileSync(`${DIST}${name}/${name}_bg.wasm`);
    const kilobytes = wasm.length / 1000;
    const brotli = brotliCompressSync(wasm).length / 1000;
    row(`${name} wasm, raw`, kilobytes, 'KB', `<= ${raw}`, kilobytes <= raw);
    row(`${name} wasm, brotli`, brotli, 'KB', packed < Infinity ? `<= ${packed}` : '', brotli <= packed);
  }
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

async function extraction() {
  if (!(await stat(SUITE).catch(() => null))) {
    console.log(`skipped: extraction beside its peer (no pages at ${SUITE})`);
    return;
  }
  const names = (await readdir(SUITE)).sort();
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

function print() {
  console.log();
  for (const { what, figure, limit, kept } of rows) {
    console.log(`${what.padEnd(50)} ${figure.padStart(12)}  ${limit.padEnd(9)} ${kept ? '' : 'MISSED'}`);
  }
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
