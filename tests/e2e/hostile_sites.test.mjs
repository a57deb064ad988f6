// Malicious or broken servers: each leads in time to a message that the model reads, and the run
// continues to its answer in the same worker.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { launch } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer, pause, says } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { fetches, html, Sites } from './lib/sites.mjs';

const MB = 1_000_000;

let sites, server, gloss, tab;
before(async () => {
  [sites, server, gloss] = await Promise.all([
    Sites.start(),
    ChatServer.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://*.test/*'], names: '*.test' }),
  ]);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  sites?.close();
});
beforeEach(() => {
  server.reset();
  sites.reset();
});
afterEach(() => tab?.close());

/** Writes until the client disconnects. */
function forever(response) {
  const write = () => {
    while (!response.destroyed && response.write('<p>The sea rises.</p>'.repeat(1_000)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}

/** A PDF of one page whose drawing unpacks to this many bytes. */
function bomb(bytes) {
  const drawing = deflateSync(Buffer.alloc(bytes, 'BT ET '));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
  ].map((words, at) => Buffer.from(`${at + 1} 0 obj\n${words}\nendobj\n`));
  const head = Buffer.from(`4 0 obj\n<< /Filter /FlateDecode /Length ${drawing.length} >>\nstream\n`);
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, head, drawing, Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')]);
}

const gzipped = (bytes) => ({
  headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
  body: gzipSync(Buffer.alloc(bytes, '<p>The sea rises.</p>')),
});

const HARM = {
  'a body that never ends': [html(forever), /larger than 5 MB/],
  'a bomb in gzip': [gzipped(200 * MB), /larger than 5 MB/],
  'a bomb in a PDF': [html(bomb(300 * MB), 'application/pdf'), /the document has no text/],
  'a redirect to itself': [{ status: 302, headers: { location: '/harm' } }, /no response/],
  'a body that is shorter than it says': [{ headers: { 'content-type': 'text/html', 'content-length': '9000' }, body: (response) => response.write('<p>Half', () => response.destroy()) }, /the connection was interrupted/],
  'no body': [html(''), /the page has no text/],
  'headers without end': [{ headers: { 'content-type': 'text/html', 'x-long': 'a'.repeat(600_000) }, body: '<p>Read me.</p>' }, /no response/],
  'a type that is a lie': [html(Buffer.from(Array.from({ length: 4_000 }, (_, at) => at % 256)), 'application/pdf'), /no text to read/],
};

for (const [name, [answer, said]] of Object.entries(HARM)) {
  test(name, async () => {
    sites.paths['/harm'] = answer;
    const url = sites.url('harm.test', '/harm');
    server.script(fetches([url]), sure('So it is.'));
    sites.paths['/start'] = html('<title>Start</title><main><p>A page about tides, and where to read on.</p></main>');
    tab = await gloss.open(sites.url('harbour.test', '/start'));
    const chat = await Chat.over(gloss, tab);
    const worker = gloss.worker();
    await chat.ask(`What does ${url} say?`);
    await chat.settled('So it is.');
    const { content } = server.requests[1].json.messages.find(({ role }) => role === 'tool');
    assert.match(content, said);
    assert.equal(gloss.worker(), worker, 'no worker died of it');
  });
}

test('a model that says a million brackets can be stopped while it does, and the panel lives', async () => {
  const wait = pause();
  server.script(says('['.repeat(MB), wait, ']'));
  sites.paths['/start'] = html('<title>Start</title><main><p>A page about tides.</p></main>');
  tab = await gloss.open(sites.url('harbour.test', '/start'));
  const chat = await Chat.over(gloss, tab);
  const worker = gloss.worker();
  await chat.ask('What is it about?');
  await chat.page.waitForSelector('button.stop');
  await wait.reached;
  await chat.press('Stop');
  await chat.says('Stopped by you at');
  assert.equal(gloss.worker(), worker, 'no worker died of it');
});
