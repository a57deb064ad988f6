// The pages that tests read, on loopback.
//
// Example: `const site = await serve(); gloss.open(site.url('article.html'))`.
// `long.html?bytes=1000000` is an article of that size, the same on every call.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTime } from './patience.mjs';

const PAGES = fileURLToPath(new URL('../pages/', import.meta.url));
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.pdf': 'application/pdf',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * Serves `tests/e2e/pages/` and the folders of `mounts` (`{ '/bench/': folder }`) on a free
 * port of 127.0.0.1. A request for `/held` is answered only by `release()`; `holding()`
 * resolves when there is one.
 */
export async function serve(mounts = {}) {
  const roots = { ...mounts, '/': PAGES };
  const held = new Set();
  const waiting = new Set();
  const asked = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    asked.push(url.pathname.slice(1));
    if (url.pathname === '/held') {
      held.add(response);
      for (const resolve of waiting) resolve();
      return;
    }
    try {
      const body =
        url.pathname === '/long.html'
          ? longArticle(Number(url.searchParams.get('bytes')))
          : await file(roots, decodeURIComponent(url.pathname));
      response.writeHead(200, { 'content-type': TYPES[extname(url.pathname)] ?? 'text/plain' });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    url: (path) => `${origin}/${path}`,
    /** The number of requests for a path. */
    asked: (path) => asked.filter((one) => one === path).length,
    holding: () => inTime('a request is held', (resolve) => (held.size > 0 ? resolve() : waiting.add(resolve))),
    release: () => {
      for (const response of held) response.end();
      held.clear();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function file(roots, path) {
  const prefix = Object.keys(roots).find((start) => path.startsWith(start));
  const inside = normalize(path.slice(prefix.length));
  if (inside.startsWith('..') || inside.startsWith(sep)) throw new Error('outside');
  return readFile(join(roots[prefix], inside));
}

const SUBJECTS = ['The keeper', 'A surveyor', 'The harbour office', 'Each pilot', 'The almanac',
  'A fishing crew', 'The old chart', 'The tide gauge', 'An apprentice', 'The lamp'];
const VERBS = ['recorded', 'compared', 'measured', 'questioned', 'described', 'copied', 'repaired',
  'predicted', 'observed', 'corrected'];
const OBJECTS = ['the height of the water', 'a slow drift of the sandbank', 'the hour of the ebb',
  'every passing vessel', 'the colour of the evening sky', 'a table of forgotten soundings',
  'the weight of the new bell', 'two lines of careful figures', 'the bearing of the church tower',
  'a rumour from the northern shore'];
const ENDS = ['before the storm arrived', 'with a pencil and a length of string', 'for the third year running',
  'while the crew waited', 'in the margin of the log', 'against the advice of the council',
  'as the fog began to lift', 'by the light of one window', 'and sent the result inland',
  'though nobody had asked'];

/** An article of about `bytes` bytes, every sentence of it different. */
export function longArticle(bytes) {
  const parts = ['<!doctype html><html lang="en"><meta charset="utf-8"><title>The long log of a small harbour</title>',
    '<nav><a href="/">Home</a> <a href="/news">News</a></nav><main><article><h1>The long log of a small harbour</h1>'];
  let size = 0;
  for (let paragraph = 1; size < bytes; paragraph += 1) {
    if (paragraph % 12 === 1) parts.push(`<h2>Volume ${Math.ceil(paragraph / 12)}</h2>`);
    const text = Array.from({ length: 5 }, (_, at) => sentence(paragraph * 5 + at)).join(' ');
    parts.push(`<p>${text}</p>`);
    size += text.length + 7;
  }
  parts.push('</article></main><footer>Printed at the harbour office</footer></html>');
  return parts.join('\n');
}

/** Sentence `n`: it contains its number, so no two are alike. */
function sentence(n) {
  const mixed = Math.imul(n, 2_654_435_761) >>> 0;
  const pick = (list, shift) => list[Math.floor(mixed / 10 ** shift) % list.length];
  return `${pick(SUBJECTS, 2)} ${pick(VERBS, 3)} ${pick(OBJECTS, 4)} ${pick(ENDS, 5)}, entry ${n}.`;
}
