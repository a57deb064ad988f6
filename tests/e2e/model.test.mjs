// A connected model, from the first byte to the last: its requests, what is shown of its replies,
// and the effect of a stop, a kill or a second surface.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, stopRuns, sure, told } from './lib/chat.mjs';
import { call, ChatServer, late, pause, refuses, says, tooLong } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server, gloss;
const tabs = [];

before(async () => {
  [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch({ hosts: ['http://127.0.0.1/*'] })]);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
});
beforeEach(() => server.reset());
afterEach(async () => {
  await stopRuns(gloss);
  for (const tab of tabs.splice(0)) await tab.close();
});

/** A tab of its own, and so a conversation of its own. */
async function tab(path = 'article.html') {
  const page = await gloss.open(site.url(path));
  tabs.push(page);
  return page;
}

const chat = async (path) => Chat.over(gloss, await tab(path));

test('an answer streams, and ends', async () => {
  const wait = pause();
  server.script(sure('The lamp ', '**turns', wait, '** all night.'));
  const one = await chat();
  await one.ask('What turns?');
  // An open mark is shown once it is closed.
  await one.says('The lamp');
  assert.equal(await one.page.$eval('[role=log] article:not([data-you])', (turn) => turn.ariaBusy), 'true');
  wait.release();
  await one.settled('The lamp turns all night.');
  assert.deepEqual(await one.answers(), ['The lamp turns all night.']);
  assert.equal(await one.page.$eval('[role=log] article strong', (strong) => strong.textContent), 'turns');
  const [{ json, headers }] = server.requests;
  assert.equal(headers.authorization, 'Bearer key-1');
  assert.equal(json.model, 'scripted-1');
  assert.equal(json.stream, true);
  assert.equal(server.requests.length, 1);
});

test('native calls in one reply are carried out together, and their results go back as data', async () => {
  server.script(
    says('<gloss>{"thought":"The page says it.","complexity":"simple"}</gloss>',
      call('find_in_page', { query: 'Fresnel', reasoning: 'He cut the lens.' }, { id: 'a', pieces: ['{"query":"Fres', 'nel","reasoning":"He cut ', 'the lens."}'] }),
      call('find_in_page', { query: 'silver', reasoning: 'It tarnishes.' }, { id: 'b' })),
    says('<gloss>{"observation":"Both are there.","goal_met":true,"confidence":0.9}</gloss>', 'Fresnel cut the heart out.'),
  );
  const one = await chat();
  await one.ask('What did Fresnel do?');
  await one.settled('Fresnel cut the heart out.');
  assert.equal(server.requests.length, 2);
  const { messages } = server.requests[1].json;
  const asked = messages.find((message) => message.tool_calls);
  assert.deepEqual(asked.tool_calls.map(({ id, function: { name } }) => [id, name]), [['a', 'find_in_page'], ['b', 'find_in_page']]);
  const results = messages.filter(({ role }) => role === 'tool');
  assert.deepEqual(results.map((result) => result.tool_call_id), ['a', 'b']);
  for (const { content } of results) assert.match(content, /^<tool_result [^]*<\/tool_result>$/);
  assert.match(results[0].content, /Augustin Fresnel/);
  assert.match(results[1].content, /silver tarnishes/);
});

test('a follow-up question carries what was said before', async () => {
  server.script(sure('Fresnel, in 1819.'), sure('An engineer of roads.'));
  const one = await chat();
  await one.ask('Who cut the lens?');
  await one.settled('Fresnel, in 1819.');
  await one.ask('And what was he?');
  await one.settled('An engineer of roads.');
  assert.match(told(server.requests[1]), /^Who cut the lens\?\nassistant: Fresnel, in 1819\.\nuser: And what was he\?$/m);
  assert.deepEqual(await one.said(), ['Who cut the lens?', 'And what was he?']);
});

test('without the agent a question is one request, with the page and without tools', async () => {
  server.script(says('A lens in steps.'));
  const one = await chat();
  await one.press('Tools');
  await one.panel.control('switch', 'Agent').click();
  await one.page.keyboard.press('Escape');
  await one.ask('What is it?');
  await one.settled('A lens in steps.');
  assert.equal(server.requests.length, 1);
  const [request] = server.requests;
  assert.equal(request.json.tools, undefined);
  assert.match(told(request), /A bare flame wastes nearly everything it makes/);
});

test('a message that is sent while an answer streams waits, is shown so, and is answered next', async () => {
  const wait = pause();
  server.script(sure('Springs come ', wait, 'first.'), sure('Neaps come after.'));
  const one = await chat();
  await one.ask('When do springs come?');
  await one.says('Springs come');
  await one.ask('And neaps?');
  await one.panel.control('button', 'Take back “And neaps?”').wait();
  assert.equal(await one.draft(), '');
  assert.equal(server.requests.length, 1);
  wait.release();
  await one.settled('Neaps come after.');
  assert.deepEqual(await one.answers(), ['Springs come first.', 'Neaps come after.']);
  assert.equal(await one.offers('Take back “And neaps?”'), false);
  assert.equal(server.requests.length, 2);
  assert.match(told(server.requests[1]), /assistant: Springs come first\.\nuser: And neaps\?$/);
});

test('a message that is sent while the agent works is read at its next step', async () => {
  const wait = pause();
  const look = (query, ...control) => says(...control, call('find_in_page', { query, reasoning: 'The page says it.' }, { id: query }));
  server.script(
    says('<gloss>{"thought":"Look.","complexity":"moderate"}</gloss>', wait, call('find_in_page', { query: 'silver', reasoning: 'The page says it.' }, { id: 'a' })),
    look('Fresnel', '<gloss>{"observation":"One more look.","goal_met":false,"thought":"Look again."}</gloss>'),
    says('<gloss>{"observation":"Enough.","goal_met":true,"confidence":0.9}</gloss>', 'Both, in short.'),
  );
  const one = await chat();
  await one.ask('Why not silver?');
  await wait.reached;
  await one.ask('Keep it short.');
  await one.panel.control('button', 'Take back “Keep it short.”').wait();
  wait.release();
  await one.settled('Both, in short.');
  assert.equal(server.requests.length, 3);
  assert.match(told(server.requests[2]), /user: Keep it short\./);
  assert.deepEqual(await one.said(), ['Why not silver?', 'Keep it short.']);
});

test('a message that is taken back is not asked', async () => {
  const wait = pause();
  server.script(sure('Springs come ', wait, 'first.'));
  const one = await chat();
  await one.ask('When do springs come?');
  await one.says('Springs come');
  await one.ask('And neaps?');
  await one.press('Take back “And neaps?”');
  await one.page.waitForFunction(() => !document.querySelector('.queue'));
  wait.release();
  await one.settled('Springs come first.');
  assert.equal(server.requests.length, 1);
  assert.deepEqual(await one.said(), ['When do springs come?']);
});

test('Stop ends the request at once, and Continue goes on', async (t) => {
  const wait = pause();
  server.script(sure('The lamp ', wait, 'never.'), sure('The lamp turns.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The lamp');
  const pressed = performance.now();
  await one.press('Stop');
  const request = await server.requests[0].ended;
  assert.ok(request.aborted, 'the server saw it close');
  t.diagnostic(`${Math.round(performance.now() - pressed)} ms after it was pressed`);
  await one.says('Stopped by you at');
  assert.match(await one.log(), /The lamp/, 'what had come stays');
  await one.press('Continue');
  await one.settled('The lamp turns.');
  assert.equal(server.requests.length, 2);
  assert.deepEqual(await one.said(), ['What turns?']);
});

test('Regenerate puts another answer in the place of the last', async () => {
  server.script(sure('The first answer.'), sure('The second answer.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.settled('The first answer.');
  await one.press('Regenerate');
  await one.settled('The second answer.');
  assert.deepEqual(await one.said(), ['What turns?']);
  assert.deepEqual(await one.answers(), ['The second answer.']);
  assert.doesNotMatch(server.requests[1].body, /The first answer/);
});

test('an edited message is asked in the place of what it was', async () => {
  server.script(sure('Nothing of that.'), sure('The lens does.'));
  const one = await chat();
  await one.ask('What trns?');
  await one.settled('Nothing of that.');
  await one.press('Edit');
  assert.equal(await one.draft(), 'What trns?');
  await one.ask('What turns?');
  await one.settled('The lens does.');
  assert.deepEqual(await one.said(), ['What turns?']);
  assert.deepEqual(await one.answers(), ['The lens does.']);
  assert.doesNotMatch(server.requests[1].body, /What trns|Nothing of that/);
});

test('an answer that ran into the longest reply offers to go on', async () => {
  server.script(tooLong(sure('The lamp turns and')), sure('turns.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The answer was cut off here.');
  await one.press('Continue');
  await one.settled('turns.');
  assert.match(told(server.requests[1]), /assistant: The lamp turns and\nuser: Your last answer was cut off\. Go on exactly where it ends/);
  await one.saysNoMore('The answer was cut off here.');
});

test('popup and side panel show the same, while it streams and afterwards', async () => {
  const wait = pause();
  server.script(sure('The lamp ', wait, 'turns.'));
  const page = await tab();
  const side = await Chat.in(await gloss.openSidePanel(page), 'en');
  await side.says('Summarize page');
  const popup = await Chat.over(gloss, page);
  await popup.ask('What turns?');
  for (const one of [popup, side]) await one.says('The lamp');
  assert.deepEqual(await popup.answers(), await side.answers());
  wait.release();
  for (const one of [popup, side]) await one.settled('The lamp turns.');
  assert.equal(await popup.log(), await side.log());
  assert.deepEqual(await popup.said(), ['What turns?']);
  assert.equal(server.requests.length, 1);
  await side.page.close();
});

test('a worker that dies while an answer streams: one clean answer, and the seam', async () => {
  const wait = pause();
  server.script(sure('The lamp ', wait, 'never.'), sure('The lamp turns.'));
  const one = await chat();
  await one.ask('What turns?');
  await one.says('The lamp');
  assert.ok(await gloss.killWorker());
  await one.settled('The lamp turns.');
  assert.deepEqual(await one.answers(), ['The lamp turns.']);
  await one.says('Restarted at');
  assert.equal(server.requests.length, 2);
  assert.ok(server.requests[0].aborted);
});

test('a worker that dies before a first byte: the call is made once more', async () => {
  const [first, second] = [pause(), pause()];
  server.script(late(first, sure('Too late.')), late(second, sure('The lamp turns.')));
  const one = await chat();
  await one.ask('What turns?');
  await first.reached;
  assert.ok(await gloss.killWorker());
  await second.reached;
  first.release();
  second.release();
  await one.settled('The lamp turns.');
  assert.deepEqual(await one.answers(), ['The lamp turns.']);
  assert.equal(server.requests.length, 2);
});

test('a new chat knows nothing of the old, and another tab changes nothing', async () => {
  server.script(sure('A kettle.'), sure('No more than that.'), sure('That is new.'));
  const page = await tab();
  let one = await Chat.over(gloss, page);
  await one.ask('What draws more?');
  await one.settled('A kettle.');
  const other = await chat('long.html?bytes=4000');
  await other.says('Summarize page');
  assert.equal((await other.log()).includes('A kettle.'), false);
  one = await Chat.over(gloss, page);
  await one.settled('A kettle.');
  await one.ask('How much?');
  await one.settled('No more than that.');
  assert.match(told(server.requests[1]), /assistant: A kettle\./);
  await one.press('New chat');
  await one.saysNoMore('A kettle.');
  await one.ask('And now?');
  await one.settled('That is new.');
  assert.doesNotMatch(server.requests[2].body, /A kettle|No more than that/);
});

test('conversations in two tabs stream side by side and do not mix', async () => {
  const waits = { lamp: pause(), bell: pause() };
  const answers = { lamp: sure('The lamp ', waits.lamp, 'turns.'), bell: sure('The bell ', waits.bell, 'rings.') };
  server.always((request) => answers[/^Tell of the (\w+)/m.exec(told(request))[1]]);
  const [first, second] = [await tab(), await tab('long.html?bytes=4000')];
  await (await Chat.over(gloss, first)).ask('Tell of the lamp');
  await waits.lamp.reached;
  const bell = await Chat.over(gloss, second);
  await bell.ask('Tell of the bell');
  await bell.says('The bell');
  await waits.bell.reached;
  waits.lamp.release();
  waits.bell.release();
  await bell.settled('The bell rings.');
  assert.deepEqual(await bell.answers(), ['The bell rings.']);
  const lamp = await Chat.over(gloss, first);
  await lamp.settled('The lamp turns.');
  assert.deepEqual(await lamp.answers(), ['The lamp turns.']);
  assert.equal(server.requests.length, 2);
});

test('a server without tools of its own is asked in words, and answers in words', async () => {
  const own = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(own, { baseUrl: server.baseUrl, calling: 'text' });
    const calls = JSON.stringify({ tool_calls: [{ id: 'a', name: 'find_in_page', arguments: { query: 'Fresnel' }, reasoning: 'He cut the lens.' }] });
    server.script(
      says('<gloss>{"thought":"The page says it."}</gloss>\n```js', `on\n${calls.slice(0, 30)}`, `${calls.slice(30)}\n`, '```'),
      says('<gloss>{"observation":"There it is.","goal_met":true,"confidence":0.9}</gloss>', 'In 1819 [[p7]].'),
    );
    const one = await Chat.over(own, await own.open(site.url('article.html')));
    await one.ask('When did Fresnel see it?');
    await one.settled('In 1819');
    assert.equal(server.requests.length, 2);
    for (const { json } of server.requests) assert.equal(json.tools, undefined);
    assert.match(told(server.requests[0]), /system: [^]*To call tools, write only one fenced JSON object after the block/);
    assert.match(told(server.requests[1]), /user: <tool_result [^]*Augustin Fresnel[^]*<\/tool_result>/);
    assert.doesNotMatch(await one.log(), /tool_calls|<gloss>/);
  } finally {
    await own.close();
  }
});

const CANARY = 'sk-canary-31415926535897932';

test('a key goes to its own server and nowhere else, whatever that server says', async () => {
  const other = await ChatServer.start();
  const own = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    const profile = (id, name, base_url, model) => ({ id, name, base_url, model, calling: 'native' });
    const profiles = [profile('p1', 'Scripted', server.baseUrl, 'scripted-1'), profile('p2', 'Another', other.baseUrl, 'scripted-2')];
    await connect(own, { baseUrl: server.baseUrl, key: CANARY, profiles });
    const moved = { status: 307, headers: { location: `${other.baseUrl}/chat/completions` }, body: '' };
    server.script(
      sure('No word of it.'),
      refuses(401, { message: `Incorrect API key provided: ${CANARY}.`, code: 'invalid_api_key' }),
      refuses(400, { message: `The header was Bearer ${CANARY}` }),
      moved,
    );
    other.always(sure('From another server.'));
    const page = await own.open(site.url('article.html'));
    const one = await Chat.over(own, page);
    await one.ask('What is my key?');
    await one.settled('No word of it.');
    for (const words of ['Scripted did not accept this key (401)', 'Scripted refused the request (400)', 'Scripted redirects to another address']) {
      await one.ask('And now?');
      await one.says(words);
    }
    assert.equal(other.requests.length, 0, 'where it sends on to, nobody follows');
    await one.panel.control('combobox', 'Model').click();
    await one.page.locator('[role=option] ::-p-text(scripted-2)').setTimeout(PATIENCE).click();
    await one.ask('And there?');
    await one.settled('From another server.');
    assert.deepEqual(server.requests.map(({ headers }) => headers.authorization), Array(4).fill(`Bearer ${CANARY}`));
    assert.equal(other.requests.length, 1);
    assert.equal(other.requests[0].headers.authorization, undefined);
    for (const { rawHeaders, body, path } of other.requests) assert.doesNotMatch(`${path} ${rawHeaders} ${body}`, /canary/);
    for (const { body } of server.requests) assert.doesNotMatch(body, /canary/);
    const stores = await one.page.evaluate(readStores);
    assert.match(stores.session + stores.disk, /No word of it/, 'the journal was read');
    for (const [store, words] of Object.entries(stores)) assert.doesNotMatch(words, /canary/, store);
    for (const surface of [one.page, page]) assert.doesNotMatch(await surface.content(), /canary/);
  } finally {
    await own.close();
    await other.close();
  }
});

// Runs in the page and uses no variable from outside: everything that is stored, except the key
// storage.
async function readStores() {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const local = Object.entries(await chrome.storage.local.get(null)).filter(([key]) => key !== 's/keys');
  const disk = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) disk.push(await done(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  const session = await chrome.storage.session.get(null);
  return { session: JSON.stringify(session), local: JSON.stringify(local), disk: JSON.stringify(disk) };
}
