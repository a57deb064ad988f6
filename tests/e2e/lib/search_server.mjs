// Five search providers on loopback, each with its documented API.
//
// Example: `const server = await serveSearch('sk-1')`; a search with Brave's API and that
// key gets results, any other is refused as Brave refuses it.

import { createServer } from 'node:http';

const found = (count) => [...Array(count).keys()].map((n) => ({ title: `Result ${n}`, url: `https://r${n}.example/` }));

/**
 * Serves on a free port of 127.0.0.1. `mode` is `ok`, `limited` or `silent_json`; `seen` are the
 * requests, without keys.
 */
export async function serveSearch(key) {
  const state = { mode: 'ok', seen: [] };
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      state.seen.push({ method: request.method, path: url.pathname, query: Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'key')), body });
      const give = (status, json, headers = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(json));
      };
      const page = (status) => {
        response.writeHead(status, { 'content-type': 'text/html' });
        response.end('<!DOCTYPE html><title>Here</title><p>A page.');
      };
      const route = ROUTES[`${request.method} ${url.pathname}`];
      if (!route) return page(404);
      if (state.mode === 'limited') return give(429, { error: { code: 'RATE_LIMITED', message: 'slow down' } }, { 'retry-after': '42', 'access-control-allow-origin': '*' });
      route({ url, body, headers: request.headers, key, give, page, mode: state.mode });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

const ROUTES = {
  'GET /w/api.php': ({ url, give, page }) => {
    if (url.searchParams.get('origin') !== '*') return page(403);
    const count = Number(url.searchParams.get('gsrlimit'));
    const pages = found(count).map(({ title, url }, n) => ({ pageid: n, ns: 0, title, index: n + 1, canonicalurl: url, extract: 'It begins.' }));
    give(200, { batchcomplete: true, query: { pages, search: [] } }, { 'access-control-allow-origin': '*' });
  },
  'GET /search': ({ url, give, page, mode }) => {
    if (mode === 'silent_json' || url.searchParams.get('format') !== 'json') return page(403);
    give(200, { query: url.searchParams.get('q'), results: found(12), unresponsive_engines: [] });
  },
  'GET /res/v1/web/search': ({ url, headers, key, give }) => {
    if (headers['x-subscription-token'] !== key) {
      return give(422, { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID', detail: 'The provided subscription token is invalid.', status: 422 } });
    }
    give(200, { type: 'search', query: { original: url.searchParams.get('q') }, web: { type: 'search', results: found(Number(url.searchParams.get('count'))) } });
  },
  'GET /customsearch/v1': ({ url, key, give }) => {
    if (url.searchParams.get('key') !== key) {
      return give(400, { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', errors: [{ reason: 'badRequest' }], details: [{ reason: 'API_KEY_INVALID' }] } });
    }
    const items = found(Number(url.searchParams.get('num'))).map(({ title, url }) => ({ title, link: url, snippet: 'It says.' }));
    give(200, { kind: 'customsearch#search', items });
  },
  'POST /search': ({ body, headers, key, give }) => {
    if (headers.authorization !== `Bearer ${key}`) return give(401, { detail: { error: 'Unauthorized: missing or invalid API key.' } });
    give(200, { query: JSON.parse(body).query, results: found(JSON.parse(body).max_results) });
  },
};
