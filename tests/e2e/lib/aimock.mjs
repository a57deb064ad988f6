// A mock of the providers that we did not write: it may differ where our own server only repeats
// our assumptions.
//
// Example: `const mock = await Aimock.start({ content: 'The lamp turns.' });
// Its own journal is normalised (keys and raw bodies are lost), so a proxy in front of it records
// the requests.

import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { LLMock } from '@copilotkit/aimock';

/** aimock behind the recording proxy. */
export class Aimock {
  #mock;
  #tap;

  /** Every request as it arrived: `{ method, path, headers, body }`. */
  requests = [];

  /**
   * Fixtures in the order of their matching (`{ match, response, …options }`), or one response
   * for everything. `truncateAfterChunks` needs a `latency` over 0 to take effect.
   */
  static async start(fixtures) {
    const one = new Aimock();
    one.#mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
    const all = Array.isArray(fixtures) ? fixtures : [{ match: {}, response: fixtures }];
    for (const { match, response, ...options } of all) one.#mock.on(match, response, options);
    const target = new URL(await one.#mock.start());
    one.#tap = createServer((incoming, outgoing) => one.#pass(incoming, outgoing, target));
    one.#tap.listen(0, '127.0.0.1');
    await once(one.#tap, 'listening');
    return one;
  }

  /** A profile's base URL, for a dialect that begins at this path. */
  baseUrl(path = '/v1') {
    return `http://127.0.0.1:${this.#tap.address().port}${path}`;
  }

  async close() {
    this.#tap.closeAllConnections();
    this.#tap.close();
    await this.#mock.stop();
  }

  async #pass(incoming, outgoing, target) {
    const pieces = [];
    for await (const piece of incoming) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const { method, url: path, headers } = incoming;
    this.requests.push({ method, path, headers, body: body.toString('utf8') });
    const passed = forward({ host: target.hostname, port: target.port, method, path,
      headers: { ...headers, host: target.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
      answer.on('aborted', () => outgoing.destroy());
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  }
}
