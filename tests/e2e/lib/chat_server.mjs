// A server for OpenAI's Chat Completions that follows a script and records its requests.
//
// Example: `const server = await ChatServer.start(); const wait = pause();
// server.script(says('The lamp', wait, ' turns.'), refuses(429, { retryAfter: 1 }));` The first
// request gets "The lamp" and no more until `wait.release()`; the second is refused. A request
// beyond the script gets status 500 and a message, and is counted like any other. The server sends
// no CORS headers, because its clients have the permission to read it.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { inTime } from './patience.mjs';

/** A place in a reply where the server waits. `reached` resolves when the server gets there. */
export function pause() {
  const [reached, released] = [withResolvers(), withResolvers()];
  return {
    pause: released.promise,
    reach: reached.resolve,
    get reached() {
      return inTime('the reply comes to its pause', (resolve) => reached.promise.then(resolve));
    },
    release: released.resolve,
  };
}

/**
 * A complete answer in pieces: texts, pauses and tool calls (`call`), in their order. A number is a
 * time to wait in ms, for benches; a test waits for events.
 */
export function says(...parts) {
  return { status: 200, parts, ending: 'done' };
}

/**
 * A tool call; its arguments arrive in the given pieces, or at once. Several make a parallel call.
 */
export function call(name, input, { id = `call_${name}`, pieces } = {}) {
  return { call: { id, name, pieces: pieces ?? [JSON.stringify(input)] } };
}

/** The reply with other token counts, or none (`null`). */
export function using(usage, reply) {
  return { ...reply, usage };
}

/** The reply that breaks off after its parts: the connection is destroyed. */
export function cut(reply) {
  return { ...reply, ending: 'cut' };
}

/** The reply that ends cleanly after its parts, without a finish reason or `[DONE]`. */
export function unfinished(reply) {
  return { ...reply, ending: 'unfinished' };
}

/** The reply that reached its limit of tokens. */
export function tooLong(reply) {
  return { ...reply, finish: 'length' };
}

/** A reply whose headers, too, are sent only after `wait` is released. */
export function late(wait, reply) {
  return { ...reply, late: wait };
}

/** An error in OpenAI's format. `retryAfter` is in seconds. */
export function refuses(status, { message = `refused with ${status}`, code = null, type = 'error', retryAfter } = {}) {
  const headers = { 'content-type': 'application/json' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return { status, headers, body: JSON.stringify({ error: { message, type, code, param: null } }) };
}

/** An unchanged body: a proxy's HTML, half a JSON, nothing. */
export function raw(body, { status = 200, type = 'text/html; charset=utf-8' } = {}) {
  return { status, headers: { 'content-type': type }, body };
}

/** The server. */
export class ChatServer {
  #server;
  #replies = [];
  #always;
  #arrivals = new Set();
  #sockets = new Set();

  /** Every request to the chat endpoint, in their order. */
  requests = [];
  /** Every other request (`GET /v1/models`, a preflight), in their order. */
  others = [];
  /** The models that `GET /v1/models` lists. */
  models = ['scripted-1', 'scripted-2'];
  /** The time at which each text was written, in ms since 1970 with fractions: `{ text, at }`. */
  written = [];

  static async start() {
    const server = new ChatServer();
    server.#server = createServer((request, response) => server.#serve(request, response));
    server.#server.on('connection', (socket) => {
      socket.setNoDelay(true);
      server.#sockets.add(socket);
      socket.on('close', () => server.#sockets.delete(socket));
    });
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  /** A profile's base URL. */
  get baseUrl() {
    return `${this.origin}/v1`;
  }

  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Adds replies to the end of the script; a function receives the request. */
  script(...replies) {
    this.#replies.push(...replies);
  }

  /** The reply to every request beyond the script; a function receives the request. */
  always(reply) {
    this.#always = reply;
  }

  /** Request `n` (from 1) of the chat endpoint, once it has arrived. */
  async request(n) {
    while (this.requests.length < n) await inTime(`request ${n} comes`, (resolve) => this.#arrivals.add(resolve));
    return this.requests[n - 1];
  }

  /** Clears the script and the recorded requests. */
  reset() {
    this.#replies = [];
    this.#always = undefined;
    for (const list of [this.requests, this.others, this.written]) list.length = 0;
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming, response) {
    const ended = withResolvers();
    const request = { method: incoming.method, path: incoming.url, headers: incoming.headers,
      rawHeaders: incoming.rawHeaders, arrivedAt: now(), aborted: false,
      get ended() {
        return inTime('the request ends', (resolve) => ended.promise.then(resolve));
      } };
    response.on('close', () => {
      // A connection that this server cuts is not an abort of the client.
      request.aborted = !response.writableFinished && !request.cut;
      ended.resolve(request);
    });
    const isChat = incoming.method === 'POST' && incoming.url.endsWith('/chat/completions');
    request.body = await text(incoming);
    request.json = parsed(request.body);
    (isChat ? this.requests : this.others).push(request);
    if (!isChat) return this.#aside(request, response);
    for (const arrived of this.#arrivals) arrived();
    this.#arrivals.clear();
    const reply = this.#replies.shift() ?? this.#always ?? refuses(500, { message: 'the script has ended' });
    await this.#tell(typeof reply === 'function' ? reply(request) : reply, request, response);
  }

  #aside({ method, path }, response) {
    if (method !== 'GET' || !path.endsWith('/models')) return response.writeHead(404).end();
    const data = this.models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'test' }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
  }

  async #tell(reply, request, response) {
    await reached(reply.late);
    if (response.destroyed) return;
    if (reply.body !== undefined) {
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const model = request.json?.model ?? 'scripted-1';
    const event = (choice, more = {}) => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk',
      created: 1_700_000_000, model, choices: choice ? [{ index: 0, logprobs: null, finish_reason: null, ...choice }] : [], ...more })}\n\n`;
    const send = (piece) => new Promise((resolve) => response.write(piece, resolve));
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    await send(event({ delta: { role: 'assistant', content: '' } }));
    let calls = 0;
    for (const part of reply.parts) {
      if (response.destroyed) return;
      if (part.pause) await reached(part);
      else if (typeof part === 'number') await setTimeout(part);
      else if (part.call) await this.#call(part.call, calls++, event, send);
      else {
        this.written.push({ text: part, at: now() });
        await send(event({ delta: { content: part } }));
      }
    }
    if (reply.ending === 'cut') {
      request.cut = true;
      response.destroy();
      return;
    }
    if (reply.ending === 'unfinished') return response.end();
    await send(event({ delta: {}, finish_reason: reply.finish ?? (calls > 0 ? 'tool_calls' : 'stop') }));
    const usage = reply.usage === undefined ? estimated(request, reply) : reply.usage;
    if (usage && request.json?.stream_options?.include_usage) await send(event(null, { usage }));
    response.end('data: [DONE]\n\n');
  }

  async #call({ id, name, pieces }, index, event, send) {
    const [type, empty] = ['function', ''];
    await send(event({ delta: { tool_calls: [{ index, id, type, function: { name, arguments: empty } }] } }));
    for (const piece of pieces) {
      await send(event({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } }));
    }
  }
}

/** The time in ms since 1970, with fractions: comparable with a page's on the same machine. */
const now = () => performance.timeOrigin + performance.now();

function withResolvers() {
  let resolve, reject;
  const promise = new Promise((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}

async function reached(wait) {
  wait?.reach();
  await wait?.pause;
}

async function text(incoming) {
  const pieces = [];
  for await (const piece of incoming) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Four bytes per token, like a server that estimates. */
function estimated(request, reply) {
  const prompt_tokens = Math.ceil(request.body.length / 4);
  const said = reply.parts.filter((part) => typeof part === 'string').join('');
  const completion_tokens = Math.ceil(said.length / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
