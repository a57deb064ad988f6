// A key is stored, used, and then searched for: in every file of the browser's profile, and in
// every record, export, prompt and log. Only its request header and the key storage may contain it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, refuses, says } from './lib/chat_server.mjs';
import { downloaded } from './lib/download.mjs';
import { filesWith } from './lib/files.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const CANARY = 'sk-canary-57721566490153286';
/** The part of the key that is searched for, because a refusal might shorten the key. */
const TRACE = 'canary-5772156';
const PASSPHRASE = 'nightingale floor';
/** Chrome's own files of `storage.local`. */
const LOCAL = 'Local Extension Settings';

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(async () => {
  await server.close();
  await site.close();
});

const MODES = [
  ['this session', 'Until the browser closes You enter them again after each restart.'],
  ['a passphrase', 'On this device, under a passphrase Encrypted; unlocked once per browser session.'],
  ['this device', null],
];

for (const [mode, radio] of MODES) {
  test(`a key for ${mode} is in its header and nowhere else`, async () => {
    server.reset();
    const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
    const logs = [];
    const listen = (page) => page.on('console', (message) => logs.push(message.text()));
    const options = await Options.of(gloss);
    listen(options.page);
    if (radio) await (await options.control('radio', radio).waitHandle()).click();
    if (mode === 'a passphrase') {
      await options.fill('textbox', 'New passphrase', PASSPHRASE);
      await options.fill('textbox', 'New passphrase, again', PASSPHRASE);
      await options.press('Encrypt keys');
    }
    if (radio) await options.says('Saved');
    await options.connect({ name: 'Mine', url: server.baseUrl, key: CANARY, model: 'scripted-1' });
    await options.press('Save');
    await options.page.waitForFunction(() => /^Saved/.test(document.querySelector('#key').placeholder));
    await options.press('Test connection');
    await options.says('Connected');

    const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
    listen(chat.page);
    server.script(
      sure('The lamp turns.'),
      refuses(401, { message: `Incorrect API key provided: ${CANARY}.`, code: 'invalid_api_key' }),
      refuses(400, { message: `Authorization: Bearer ${CANARY} is odd (“${CANARY}”)` }),
    );
    await chat.ask('What turns?');
    await chat.settled('The lamp turns.');
    await chat.press('Steps');
    const { text: run } = await downloaded(gloss, () => chat.press('JSON'));
    assert.match(run, /"format":\s*"gloss-run"/);
    await chat.press('Close steps');
    for (const said of ['did not accept this key (401)', 'refused the request (400)']) {
      await chat.ask('And now?');
      await chat.says(said);
    }
    const shown = await chat.page.content();
    await options.page.bringToFront();
    const { text: settings } = await downloaded(gloss, () => options.press('Export'));
    assert.match(settings, /gloss-preferences/);

    // The header contains the key; nothing else that was sent does.
    const sent = [...server.requests, ...server.others];
    assert.equal(server.requests.length, 3);
    for (const request of sent) {
      const { authorization, ...headers } = request.headers;
      assert.equal(authorization, `Bearer ${CANARY}`);
      absent([request.path, headers, request.body], 'the request');
    }
    const { local, session, page, fields } = await options.everything();
    const own = [local, session].map((items) => Object.entries(items).filter(([name]) => ['s/keys', 'keys'].includes(name)));
    const other = [local, session].map((items) => Object.entries(items).filter(([name]) => !['s/keys', 'keys'].includes(name)));
    const stands = own.map((items) => JSON.stringify(items).includes(CANARY));
    assert.deepEqual(stands, { 'this session': [false, true], 'a passphrase': [false, false], 'this device': [true, false] }[mode]);
    absent(other, 'settings and journals');
    absent(await options.page.evaluate(databases), 'the databases');
    absent([page, fields, shown], 'the pages');
    absent(run, 'the exported run');
    absent(settings, 'the exported settings');
    absent([...logs, ...(await workerLogs(gloss))], 'the logs');

    await gloss.close({ keep: true });
    const found = await filesWith(join(gloss.folder, 'profile'), TRACE);
    const phrases = await filesWith(join(gloss.folder, 'profile'), PASSPHRASE);
    const elsewhere = found.filter((path) => !path.includes(LOCAL));
    assert.deepEqual([elsewhere, phrases], [[], []]);
    // The search would find the key if it were there.
    assert.equal(found.length > 0, mode === 'this device');
    await gloss.remove();
  });
}

/** The other ways in which a key travels: the settings, the key's name, and its place in a request. */
const WAYS = {
  'a header of Anthropic': [{ answers: 'claude' }, 'claude', ({ headers }) => headers['x-api-key']],
  'a header of Google': [{ answers: 'gemini' }, 'gemini', ({ headers }) => headers['x-goog-api-key']],
  'a header of a search': [{ engine: 'brave' }, 'search-brave', ({ headers }) => headers['x-subscription-token']],
  'the query of a search': [{ engine: 'google', id: 'cx1' }, 'search-google', ({ path }) => new URL(path, 'http://any').searchParams.get('key')],
  'a search’s bearer token': [{ engine: 'tavily' }, 'search-tavily', ({ headers }) => headers.authorization?.replace('Bearer ', '')],
  'an image’s bearer token': [{ image: 'painter' }, 'painter', ({ headers }) => headers.authorization?.replace('Bearer ', '')],
};

test('a key in another header, in a query, of a search or of images is in its place and nowhere else', async () => {
  const echo = await echoes();
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  const key = (n) => `${CANARY}-${n}`;
  const keys = Object.fromEntries(Object.values(WAYS).map(([, name], n) => [name, { origin: echo.origin, text: key(n) }]));
  const profile = (id, api, model) => ({ id, name: id, base_url: `${echo.origin}/v1`, model, api, calling: 'native' });
  const scripted = { ...profile('p1', undefined, 'scripted-1'), base_url: server.baseUrl };
  const profiles = [scripted, profile('claude', 'messages', 'c'), profile('gemini', 'gemini', 'g'), profile('painter', undefined, 'gpt-image-2')];
  const shown = [];
  for (const [n, [way, [{ answers = 'p1', engine, id = '', image }, , place]]] of Object.entries(WAYS).entries()) {
    server.reset();
    echo.seen.length = 0;
    const search = engine && { engine, servers: { [engine]: { base_url: echo.origin, id } } };
    await connect(gloss, { baseUrl: server.baseUrl, profiles, answers, keys, ...(search && { search }), roles: image ? { image } : {} });
    const tool = image ? call('image_generate', { description: 'tides', reasoning: 'It was asked for.' }) : call('web_search', { query: 'tides' });
    if (answers === 'p1') server.script(says('<gloss>{"thought":"Try it."}</gloss>', tool), sure('It failed.'));
    const chat = await Chat.over(gloss, await gloss.openOwn('icons.svg'));
    await chat.ask('tides');
    if (answers === 'p1') await chat.settled('It failed.');
    else await chat.says('did not accept this key (401)');
    shown.push(await chat.page.content());
    const [sent] = echo.seen;
    assert.equal(place(sent), key(n), way);
    assert.equal(JSON.stringify(sent).split(TRACE).length, 2, `once: ${way}`);
    absent(server.requests.map(({ body }) => body), `the prompts: ${way}`);
  }
  const options = await Options.of(gloss);
  const { local, session, page, fields } = await options.everything();
  const other = [local, session].map((items) => Object.entries(items).filter(([name]) => !['s/keys', 'keys'].includes(name)));
  absent(other, 'settings and journals');
  absent(await options.page.evaluate(databases), 'the databases');
  absent([page, fields, shown], 'the pages');
  absent(await workerLogs(gloss), 'the logs');
  await gloss.close({ keep: true });
  const found = await filesWith(join(gloss.folder, 'profile'), TRACE);
  assert.deepEqual(found.filter((path) => !path.includes(LOCAL)), []);
  await gloss.remove();
  echo.close();
});

/** A server that refuses every request, and repeats all of it in the refusal. */
async function echoes() {
  const seen = [];
  const listener = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    seen.push({ path: request.url, headers: request.headers, body: Buffer.concat(pieces).toString() });
    const message = `Bad key: ${request.url} ${JSON.stringify(request.headers)}`;
    const error = { code: 401, message, type: 'authentication_error', status: 'UNAUTHENTICATED' };
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error, detail: { error: message } }));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { seen, origin: `http://127.0.0.1:${listener.address().port}`, close: () => listener.close() };
}

function absent(what, where) {
  const text = JSON.stringify(what);
  assert.ok(!text.includes(TRACE) && !text.includes(PASSPHRASE), where);
}

/** The content of all databases of the extension; runs in the page. */
async function databases() {
  const answered = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const held = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const rows = database.transaction(store).objectStore(store);
      held.push(store, await answered(rows.getAllKeys()), await answered(rows.getAll()));
    }
    database.close();
  }
  return held;
}

/**
 * The console output of the worker in this life. It attaches last, because a debugger keeps the
 * worker alive.
 */
async function workerLogs(gloss) {
  const { targetInfos } = await gloss.cdp.send('Target.getTargets');
  const worker = targetInfos.find(({ targetId }) => targetId === gloss.worker());
  const cdp = await gloss.cdp.connection().createSession(worker);
  const logs = [];
  cdp.on('Runtime.consoleAPICalled', ({ args }) => logs.push(args));
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }) => logs.push(exceptionDetails));
  cdp.on('Log.entryAdded', ({ entry }) => logs.push(entry));
  // Each is answered after everything that was logged before.
  await cdp.send('Runtime.enable');
  await cdp.send('Log.enable');
  await cdp.detach();
  return logs;
}
