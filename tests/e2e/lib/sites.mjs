// Sites for the web tests, on two loopback addresses, and scripted replies that read them.
//
// Example: `const sites = await Sites.start(); sites.paths['/a'] = page('A', 'It says
// so.')`, and `sites.url('tides.test', '/a')` is its address in a browser that was launched
// with `names: '*.test'`. `sites.seen` are the requests.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { call, says } from './chat_server.mjs';
import { inTime } from './patience.mjs';

/** An answer of a site. */
export const html = (body, type = 'text/html; charset=utf-8') => ({ headers: { 'content-type': type }, body });

/** A page of a site: a heading and a paragraph. */
export const page = (title, text) => html(`<html lang=en><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`);

/**
 * A server that answers on two loopback addresses, by path; `seen` are the requests. An answer is
 * `{ status, headers, body }`, a function of the number of earlier requests, or `'hold'`.
 */
export class Sites {
  seen = [];
  paths = {};
  #servers = [];
  #waiting = [];

  static async start() {
    const sites = new Sites();
    let port = 0;
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      const server = createServer((request, response) => sites.#answer(request, response));
      server.listen(port, address);
      await once(server, 'listening');
      port = server.address().port;
      sites.#servers.push(server);
    }
    sites.port = port;
    return sites;
  }

  url(host, path) {
    return `http://${host}:${this.port}${path}`;
  }

  /** The number of requests for a path. */
  count(path) {
    return this.seen.filter((request) => request.url === path).length;
  }

  /** Resolves when a path was requested this many times. */
  async reached(path, times = 1) {
    while (this.count(path) < times) await inTime(`${path} is asked for`, (resolve) => this.#waiting.push(resolve));
  }

  reset() {
    this.seen.length = 0;
    this.paths = {};
  }

  close() {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  #answer(request, response) {
    this.seen.push({ url: request.url, host: request.headers.host, headers: request.headers });
    for (const resolve of this.#waiting.splice(0)) resolve();
    const found = this.paths[request.url];
    const answer = typeof found === 'function' ? found(this.count(request.url)) : found;
    if (answer === 'hold') return;
    const { status = 200, headers = {}, body = '' } = answer ?? { status: 404 };
    response.writeHead(status, headers);
    // A body that writes itself may never end.
    if (typeof body === 'function') body(response);
    else response.end(body);
  }
}

/** A reply that reads these pages. */
export const fetches = (urls, more = {}) =>
  says('<gloss>{"thought":"Read it.","complexity":"simple"}</gloss>', call('web_fetch', { urls, reasoning: 'It may say so.', ...more }, { id: 'f' }));
