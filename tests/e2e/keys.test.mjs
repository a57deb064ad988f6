// The storage of keys in the real browser: encryption, moves, and messages about locked keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { until } from './lib/patience.mjs';
import { serve } from './lib/server.mjs';

const CANARY = 'sk-canary-16180339887498948';
const HOSTS = ['http://127.0.0.1/*'];
const SESSION = 'Until the browser closes You enter them again after each restart.';
const DEVICE = 'On this device Readable by someone with access to your profile folder.';
const SEALED = 'On this device, under a passphrase Encrypted; unlocked once per browser session.';

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(async () => {
  await server.close();
  await site.close();
});

/** What is stored about the keys: on the device, and in the session. */
async function kept(options) {
  const { local, session } = await options.everything();
  return [local['s/keys'], session.keys].map((text) => JSON.parse(text ?? '{}'));
}

/** Resolves once the stored keys satisfy this. */
async function keptSo(options, what, holds) {
  for (const until = Date.now() + PATIENCE; ; ) {
    const now = await kept(options);
    if (holds(...now)) return now;
    if (Date.now() > until) throw new Error(`waited until ${what}; kept are ${Object.keys(now[0])} and ${Object.keys(now[1])}`);
    await options.page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

const has = (items) => JSON.stringify(items).includes(CANARY);

async function pick(options, name) {
  await (await options.control('radio', name).waitHandle()).click();
}

/** Types a new passphrase and its repetition. */
async function seal(options, passphrase, again = passphrase) {
  await options.fill('textbox', 'New passphrase', passphrase);
  await options.fill('textbox', 'New passphrase, again', again);
  await options.press('Encrypt keys');
}

/** Tests the connection with the stored key; resolves to what the server received. */
async function tested(options) {
  server.reset();
  await options.press('Test connection');
  // The last test's message is still shown, so the server shows when the next request arrived.
  await until('the server is asked', () => server.others.length > 0);
  await options.says('Connected.');
  return server.others.map(({ headers }) => headers.authorization);
}

test('keys go where they are to be, sealed so that only the passphrase opens them', async () => {
  const first = await launch({ hosts: HOSTS });
  const options = await Options.of(first);
  await options.connect({ name: 'Mine', url: server.baseUrl, key: CANARY, model: 'scripted-1' });
  await options.press('Save');
  await options.says('Saved');
  assert.deepEqual(await tested(options), [`Bearer ${CANARY}`]);
  assert.match((await options.field('textbox', 'API key')).words, /^Kept on this device, never/);

  await pick(options, SESSION);
  await keptSo(options, 'the key is in the session', (local, session) => has(session) && !has(local));
  assert.deepEqual(await tested(options), [`Bearer ${CANARY}`]);
  await pick(options, DEVICE);
  await keptSo(options, 'the key is on the device', (local, session) => has(local) && !has(session));

  await pick(options, SEALED);
  await seal(options, 'short');
  assert.match((await options.refusal('textbox', 'New passphrase')).words, /at least 8 characters/);
  await seal(options, 'correct horse', 'correct house');
  assert.match((await options.refusal('textbox', 'New passphrase, again')).words, /don’t match/);
  assert.ok(has((await kept(options))[0]), 'nothing moved');
  await seal(options, 'correct horse');
  const [local, session] = await keptSo(options, 'the key is sealed', (local, session) => !has(local) && !has(session));
  const { rounds, salt } = local.header.sealed;
  assert.ok(rounds >= 600_000);
  assert.equal(salt.length, 32);
  const [sealed, ...others] = Object.values(local.keys);
  assert.equal(others.length, 0);
  assert.equal(sealed.origin, new URL(server.baseUrl).origin);
  assert.match(sealed.text, new RegExp(`^[0-9a-f]{${2 * (12 + CANARY.length + 16)}}$`));
  assert.ok(!JSON.stringify([local, session]).includes('horse'));
  assert.equal(session.opens[0], salt);
  assert.deepEqual(session.keys, {});
  assert.deepEqual(await tested(options), [`Bearer ${CANARY}`]);
  assert.match((await options.field('textbox', 'API key')).words, /^Encrypted on this device with your passphrase/);

  // Another passphrase has another salt, and what the last one sealed is gone.
  await options.press('Change passphrase');
  await seal(options, 'battery staple');
  const [changed] = await keptSo(options, 'the salt is another', (local) => !JSON.stringify(local).includes(salt));
  assert.equal(Object.keys(changed.keys).length, 1);

  // A worker's death leaves them open, the browser's does not.
  assert.ok(await first.killWorker());
  assert.deepEqual(await tested(options), [`Bearer ${CANARY}`]);
  await first.close({ keep: true });
  const again = await launch({ folder: first.folder, hosts: HOSTS });
  try {
    await reopened(again);
  } finally {
    await again.close();
  }
});

/** The same profile, after the browser was closed. */
async function reopened(gloss) {
  const options = await Options.of(gloss);
  await options.page.waitForSelector('#passphrase');
  const disabled = await options.page.$$eval('[name=keeping]', (all) => all.map((radio) => radio.disabled));
  assert.deepEqual(disabled, [true, true, true]);
  server.reset();
  await options.press('Test connection');
  await options.says('Keys are locked');

  // A question gets the same message, with a link to this page.
  const article = await gloss.open(site.url('article.html'));
  let chat = await Chat.over(gloss, article);
  await chat.ask('What turns?');
  await chat.says('Keys are locked');
  await chat.says('Enter it once in Options, Models, then try again.');
  assert.ok(await chat.offers('Open settings'));
  assert.equal(server.requests.length + server.others.length, 0, 'nothing was sent');

  await options.page.bringToFront();
  for (const wrong of ['correct horse', 'battery stapl']) {
    await options.fill('textbox', 'Passphrase', wrong);
    await options.press('Unlock');
    assert.match((await options.refusal('textbox', 'Passphrase')).words, /not the passphrase/);
  }
  await options.fill('textbox', 'Passphrase', 'battery staple');
  await options.press('Unlock');
  await options.page.waitForFunction(() => !document.querySelector('#passphrase'));
  assert.deepEqual(await tested(options), [`Bearer ${CANARY}`]);
  server.reset();
  server.script(sure('The lamp turns.'));
  chat = await Chat.over(gloss, article);
  await chat.press('Try again');
  await chat.settled('The lamp turns.');
  assert.equal(server.requests[0].headers.authorization, `Bearer ${CANARY}`);

  await options.page.bringToFront();
  await options.press('Lock now');
  await options.page.waitForSelector('#passphrase');
  await options.press('Forget the keys');
  await options.says('All keys are deleted');
  await options.press('Forget');
  await keptSo(options, 'nothing is kept', (local, session) => Object.keys({ ...local.keys, ...session }).length === 0);
  await options.page.waitForFunction(() => document.querySelectorAll('[name=keeping]')[1].checked);
}
