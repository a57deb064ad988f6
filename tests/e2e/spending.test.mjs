// The cost of runs: shown beside the answer, warned about, limited, extended when the user says so,
// and added up in Options.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { call, ChatServer, pause, refuses, says, using } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

/** $10 for a million tokens, read or written. */
const FACTS = { price: { input: 10_000, cached: 1_000, output: 10_000 } };

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(async () => {
  await server?.close();
  await site?.close();
});

/** A browser whose model has a price, with a chat over the article. */
async function withChat(settings, use) {
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  server.reset();
  try {
    await connect(gloss, { baseUrl: server.baseUrl, facts: FACTS, ...settings });
    const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
    await use({ gloss, chat });
  } finally {
    await gloss.close();
  }
}

const costs = (input, output, reply) => using({ prompt_tokens: input, completion_tokens: output }, reply);

/** A reply that searches once more, for 4.3 cents. */
const looks = () => costs(3_300, 1_000, says('<gloss>{"thought":"It may stand there."}</gloss>', call('find_in_page', { query: 'lamp' })));

test('an answer says what it cost, and Options sums it up by day and model', async () => {
  await withChat({}, async ({ gloss, chat }) => {
    server.always(costs(1_000, 200, sure('The lamp turns.')));
    await chat.ask('What turns?');
    await chat.settled('The lamp turns.');
    await chat.says('scripted-1 · 1,200 tokens · $0.012');
    const options = await Options.of(gloss);
    const said = '$0.012 and 1,200 tokens in the last 14 days.';
    await options.page.waitForFunction((said) => document.querySelector('#usage')?.textContent.includes(said), { timeout: PATIENCE }, said);
    const title = await options.page.$eval('#usage .chart title', (node) => node.textContent);
    assert.match(title, /^Cost by day, .*Highest on .*, \$0\.012\./);
    const cells = await options.page.$$eval('#usage tbody td', (all) => all.map((cell) => cell.textContent));
    assert.equal(cells.length, 2);
    assert.equal(cells[1], '$0.012');
    await options.page.close();
  });
});

test('a budget warns, ends the run with what there is, and is extended without repeating anything', async () => {
  await withChat({ max_steps: 10 }, async ({ chat }) => {
    // The second reply brings the cost to 8.6 cents of 10: a warning, and only the closing answer
    // is left.
    server.script(looks(), looks(), costs(1_000, 200, says('From what there is: it turns.')));
    await chat.ask('What turns?');
    await chat.says('From what there is: it turns.');
    await chat.says('Answered from what was gathered: cost limit of $0.10 reached.');
    assert.equal(server.requests.length, 3);
    server.script(costs(1_000, 200, sure('The lamp turns.')));
    await chat.press('Extend to $0.20');
    await chat.settled('The lamp turns.');
    // The two searches were not repeated: the one request is the step after them.
    assert.equal(server.requests.length, 4);
    const last = JSON.parse(server.requests[3].body ?? 'null') ?? server.requests[3];
    assert.equal((last.messages ?? last.body?.messages).filter((message) => message.role === 'tool').length, 2);
  });
});

test('while a run goes on, the warning stands above the composer', async () => {
  await withChat({ max_steps: 10, max_cost_cents: 20 }, async ({ chat }) => {
    const held = pause();
    const last = costs(100, 20, sure('The lamp ', held, 'turns.'));
    server.script(looks(), looks(), looks(), looks(), last);
    await chat.ask('What turns?');
    await chat.says('86 % of the cost budget used. At $0.20 Gloss answers from what it has.');
    held.release();
    await chat.says('The lamp turns.');
    await chat.saysNoMore('of the cost budget used');
  });
});

test('where a model cannot answer, the next of the order does, and the turn says so', async () => {
  await withChat({ then: [''] }, async ({ chat }) => {
    server.always(refuses(401, { message: 'Incorrect API key provided' }));
    await chat.ask('How does the lighthouse throw its light?');
    await chat.says('went on with On device');
    await chat.panel.control('button', 'Regenerate').wait();
    assert.match(await chat.log(), /did not accept this key \(401\); went on with On device/);
    assert.equal(server.requests.length, 1);
  });
});

/** Types a limit on the options page and waits until it is stored. */
async function limits(options, id, text) {
  await options.page.$eval(`#${id}`, (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }, text);
  await options.page.waitForFunction((id) => document.querySelector(`#${id}-d`)?.textContent.includes('Saved'), { timeout: PATIENCE }, id);
}

const used = (options, said) =>
  options.page.waitForFunction((said) => document.querySelector('#usage')?.textContent.includes(said), { timeout: PATIENCE }, said);

test("the month's limit ends a run, is said beside the sum, and what is begun over it is answered on the device", async () => {
  await withChat({ max_steps: 10, max_cost_cents: 100, max_tokens: 1_000_000, max_month_dollars: 1 }, async ({ gloss, chat }) => {
    server.script(costs(19_800, 200, sure('It stands there.')));
    await chat.ask('Where does it stand?');
    await chat.settled('It stands there.');
    // 20 cents so far; two searches of 39.5 cents leave one cent.
    const dear = () => costs(38_500, 1_000, says('<gloss>{"thought":"It may stand there."}</gloss>', call('find_in_page', { query: 'lamp' })));
    server.script(dear(), dear(), costs(1_500, 500, says('From what there is: it turns.')));
    await chat.ask('What turns?');
    await chat.says('From what there is: it turns.');
    await chat.says("Answered from what was gathered: this month's limit of $1.00 reached. Change the limit");
    server.always(costs(1_000, 200, sure('Nothing more.')));
    const asked = server.requests.length;
    await chat.ask('How does the lighthouse throw its light?');
    await chat.says("This month's limit of $1.00 is reached; went on with On device");
    await chat.panel.control('button', 'Regenerate').wait();
    assert.equal(server.requests.length, asked);
    const options = await Options.of(gloss);
    await used(options, '$1.01 of $1.00, including deleted conversations. At $1.00, runs end with the best answer so far.');
    const meter = await options.page.$eval('meter.budget', ({ value, max, high }) => ({ value, max, high }));
    assert.deepEqual(meter, { value: 1e6, max: 1e6, high: 8e5 });
    assert.match(await options.page.$eval('#usage', (it) => it.textContent), /\$1\.01 and [\d,]+ tokens since the browser was started\./);
    assert.match(await options.page.$eval('#usage', (it) => it.textContent), /scripted-1: estimates were \d+ % too low \(calls: 4\)\./);
    await limits(options, 'month', '');
    await used(options, '$1.01, including deleted conversations. No limit is set.');
    await limits(options, 'month', '5');
    await used(options, '$1.01 of $5.00, including deleted conversations. At $5.00, runs end with the best answer so far.');
    await options.page.close();
    // The raised limit applies to the next run.
    const again = await Chat.over(gloss, await gloss.open(site.url('article.html')));
    await again.ask('And now?');
    await again.settled('Nothing more.');
    assert.equal(server.requests.length, asked + 1);
  });
});
