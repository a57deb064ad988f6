// A run whose text exceeds the context window: the requests that a model receives then, in the
// browser, where the page module finds key points.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat } from './lib/chat.mjs';
import { call, ChatServer, late, says } from './lib/chat_server.mjs';
import { inTime } from './lib/patience.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server;
before(async () => ([site, server] = await Promise.all([serve(), ChatServer.start()])));
after(async () => {
  await server?.close();
  await site?.close();
});

const acts = (block, ...calls) => says(`<gloss>${JSON.stringify(block)}</gloss>`, ...calls);
const results = (request) => request.json.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

async function asked(facts, lay, use) {
  server.reset();
  lay();
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(gloss, { baseUrl: server.baseUrl, facts, max_steps: 10 });
    const chat = await Chat.over(gloss, await gloss.open(site.url('long.html?bytes=16000')));
    await chat.ask('What makes springs and neaps?');
    await use(chat, gloss);
  } finally {
    await gloss.close();
  }
}

test('a large result is key points from the next step on, and is recalled in full', () =>
  asked({ window: 128_000 }, () => server.script(
    acts({ thought: 'All of it.' }, call('summarize_page_content', { detail: 'detailed' }, { id: 'a' })),
    acts({ observation: 'The Moon is in [[p2]].', thought: 'And the neaps.' }, call('find_in_page', { query: 'neaps' }, { id: 'b' })),
    acts({ observation: 'More is needed.', thought: 'What was that?' }, call('recall_details', { resultId: 'r1' }, { id: 'c' })),
    says('<gloss>{"goal_met":true,"confidence":1}</gloss>The Sun and the Moon.'),
  ), async (chat) => {
    await chat.settled('The Sun and the Moon.');
    const [, second, third, fourth] = server.requests;
    const [whole] = results(second);
    assert.match(whole, /"passages"/);
    const [short] = results(third);
    assert.match(short, /"resultId": ?"r1"/);
    assert.match(short, /"keyPoints": ?\[/);
    assert.ok(short.length < whole.length / 2, `${short.length} of ${whole.length}`);
    const cited = JSON.parse(whole.slice(whole.indexOf('{'), whole.lastIndexOf('}') + 1)).passages.find(({ id }) => id === 'p2');
    assert.ok(short.includes(JSON.stringify(cited.text).slice(1, -1)), 'what was cited stands word for word');
    const recalled = results(fourth).at(-1);
    assert.ok(recalled.includes(JSON.stringify(cited.text).slice(1, -1)));
    const offered = (request) => (request.json.tools ?? []).map((tool) => tool.function.name);
    assert.ok(!offered(second).includes('recall_details') && offered(third).includes('recall_details'));
  }));

test('a small window: old steps are rewritten, the worker dies meanwhile, and the run says so', () => {
  const step = (number) => acts({
    observation: `Step ${number}: ${'springs come when both pull together. '.repeat(27)}`,
    completed: [`Part ${number} is known.`], thought: 'On.',
  }, call('find_in_page', { query: 'springs' }, { id: `f${number}` }));
  let compactions = 0;
  let begun;
  const first = new Promise((resolve) => { begun = resolve; });
  const script = ({ json }) => {
    const said = JSON.stringify(json.messages);
    if (said.includes('Shorten the steps below')) {
      compactions += 1;
      if (compactions > 1) return says('Springs were looked up [r1].');
      begun();
      // The request is abandoned: the worker dies before its answer.
      return late({ reach() {}, pause: new Promise(() => {}) }, says(''));
    }
    const done = new Set([...said.matchAll(/Part \d is known/g)].map(([part]) => part)).size;
    return done < 8 ? step(done) : says('<gloss>{"goal_met":true,"confidence":1}</gloss>Both pull.');
  };
  return asked({ window: 3_500 }, () => server.always(script), async (chat, gloss) => {
    await inTime('the earlier steps are shortened', (resolve) => first.then(resolve));
    await gloss.killWorker();
    await chat.settled('Both pull.');
    assert.ok(compactions >= 2);
    await chat.says('Earlier steps shortened: about');
  });
});
