// Sites that Gloss never reads: one click in the panel adds the current site, Options lists them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { looked, unreachable } from './lib/audit.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, says } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { page, Sites } from './lib/sites.mjs';

const SECRET = 'The balance is 4711.';
let server, gloss, sites;

before(async () => {
  [server, sites, gloss] = await Promise.all([
    ChatServer.start(),
    Sites.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://*.test/*'], names: '*.test' }),
  ]);
  sites.paths['/account'] = page('Account', SECRET);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await sites?.close();
});
beforeEach(() => server.reset());

const over = async (host) => Chat.over(gloss, await gloss.open(sites.url(host, '/account')));

test('one click closes the site of the page, and no tool reads it', async () => {
  const chat = await over('www.bank.test');
  const button = await chat.panel.control('button', 'Never read bank.test').setTimeout(PATIENCE).waitHandle();
  await looked(chat.page, 'main', 'never-start', 400);
  assert.deepEqual(await unreachable(chat.page), []);
  await button.focus();
  await chat.page.keyboard.press('Enter');
  await chat.says('Gloss never reads bank.test, as you asked');
  assert.equal(await chat.page.evaluate(() => document.activeElement.ariaLabel), 'Message');
  assert.equal(await chat.offers('Never read bank.test'), false);
  const link = await chat.panel.control('link', 'Open Never here').waitHandle();
  assert.match(await link.evaluate((it) => it.href), /options\.html#never$/);
  await looked(chat.page, 'main', 'never-closed', 400);
  assert.deepEqual(await unreachable(chat.page), []);

  // The user asks about it all the same, and the model tries both ways.
  const url = sites.url('bank.test', '/account');
  const visits = sites.count('/account');
  server.script(
    says('<gloss>{"thought":"It may be there.","complexity":"simple"}</gloss>',
      call('web_fetch', { urls: [url] }, { id: 'a' }),
      call('extract_screenshot_text', {}, { id: 'b' })),
    sure('It is closed to me.'),
  );
  await chat.ask(`What does ${url} say?`);
  await chat.settled('It is closed to me.');
  const results = server.requests.at(-1).json.messages.filter(({ role }) => role === 'tool');
  assert.equal(results.length, 2);
  for (const { content } of results) assert.match(content, /bank\.test is on the user's list of sites that are never read/);
  assert.equal(sites.count('/account'), visits);
  for (const request of server.requests) assert.ok(!request.body.includes('4711'), request.body);
  await chat.page.close();
});

test('the menu’s and the keys’ ways do not read it either', async () => {
  const tab = await gloss.open(sites.url('bank.test', '/account'));
  const chat = await Chat.in(await gloss.openSidePanel(tab, 's'), gloss.language);
  await chat.says('Gloss never reads bank.test, as you asked');
  assert.deepEqual(await chat.said(), []);
  assert.equal(server.requests.length, 0);
  await chat.page.close();
});

test('Options lists the sites, adds one and removes one by the keyboard', async () => {
  const options = await Options.of(gloss);
  const rows = () => options.page.$$eval('[aria-labelledby=never] b', (all) => all.map((it) => it.textContent));
  assert.deepEqual(await rows(), ['bank.test']);
  const field = await options.control('textbox', 'Site to add').waitHandle();
  await field.type('my bank');
  await options.page.keyboard.press('Enter');
  const { words, value } = await options.refusal('textbox', 'Site to add');
  assert.match(words, /“my bank” is not a site\. Enter a name such as clinic\.example\./);
  assert.equal(value, 'my bank');
  await options.fill('textbox', 'Site to add', 'https://*.Clinic.test:8443/log-in');
  await field.focus();
  await options.page.keyboard.press('Enter');
  await options.page.waitForFunction(() => document.querySelectorAll('[aria-labelledby=never] b').length === 2, { timeout: PATIENCE });
  assert.deepEqual(await rows(), ['bank.test', 'clinic.test']);
  assert.equal((await options.field('textbox', 'Site to add')).value, '');
  await options.page.evaluate(() => document.querySelector('#never').scrollIntoView());
  await looked(options.page, '#privacy', 'never-options', 900);

  await (await options.control('button', 'Remove bank.test').waitHandle()).focus();
  await options.page.keyboard.press('Enter');
  await options.page.waitForFunction(() => document.querySelectorAll('[aria-labelledby=never] b').length === 1, { timeout: PATIENCE });
  const chat = await over('bank.test');
  await chat.panel.control('button', 'Never read bank.test').setTimeout(PATIENCE).wait();
  // The list survives the worker, and includes subdomains.
  await gloss.killWorker();
  const other = await over('my.clinic.test');
  await other.says('Gloss never reads clinic.test, as you asked');
});

test('the link of the panel leads to the list', async () => {
  const options = await gloss.openOwn('options.html#never');
  await options.waitForFunction(() => {
    const top = document.querySelector('#never')?.getBoundingClientRect().top;
    return top !== undefined && top > -2 && top < innerHeight;
  }, { timeout: PATIENCE });
});
