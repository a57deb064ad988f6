// The worker dies by a real termination at many moments of a conversation with tools. The answer is
// that of an unkilled run, given once. The turn labels every request that the server received
// beyond those of the unkilled run.
//
// CI kills once at each moment, the long suites ten times.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { launch } from './lib/browser.mjs';
import { Chat, told } from './lib/chat.mjs';
import { call, ChatServer, late, pause, says } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

const TIMES = process.env.GLOSS_LONG ? 10 : 1;

const look = (query, id) => call('find_in_page', { query, reasoning: 'The page says it.' }, { id, pieces: [`{"query":"${query}",`, '"reasoning":"The page says it."}'] });

/** What the model says in its three turns, in pieces between which the worker can be killed. */
const TURNS = [
  ['<gloss>{"thought":"The page ', 'says it.","complexity":"complex"}</gloss>', look('Fresnel', 'a'), look('silver', 'b')],
  ['<gloss>{"observation":"One more ', 'look.","goal_met":false,"thought":"Look again."}</gloss>', look('kettle', 'c')],
  ['<gloss>{"observation":"Enough.",', '"goal_met":true,"confidence":0.9}</gloss>', 'Fresnel cut the heart out ', 'of the lens, ', 'and silver tarnishes.'],
];
const ANSWER = 'Fresnel cut the heart out of the lens, and silver tarnishes.';

let site, server, gloss, unkilled;
const counted = { kills: 0, asked: 0, labelled: 0 };

before(async () => {
  [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch({ hosts: ['http://127.0.0.1/*'] })]);
  await connect(gloss, { baseUrl: server.baseUrl });
  const { chat, leave } = await conversation();
  server.always(reply());
  await chat.ask('What did Fresnel do?');
  await chat.settled(ANSWER);
  unkilled = { requests: server.requests.length, shown: await shown(chat) };
  await leave();
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
  console.log(`${counted.kills} terminations, ${counted.asked} requests beyond the unkilled ones, ${counted.labelled} labelled`);
});
beforeEach(() => server.reset());

/** A tab of its own, and so a conversation of its own. */
async function conversation() {
  const page = await gloss.open(site.url('article.html'));
  const chat = await Chat.over(gloss, page);
  return { chat, leave: () => page.close() };
}

/**
 * The model; the results in a request decide which of its turns it is. At `place` (turn and piece)
 * it waits once, for `wait`; a piece of `head` is before the first byte.
 */
function reply(place, wait) {
  let waits = place !== undefined;
  return (request) => {
    const turn = new Set(request.json.messages.filter(({ role }) => role === 'tool').map((one) => one.tool_call_id)).size;
    const at = { 0: 0, 2: 1, 3: 2 }[turn];
    const here = waits && place.turn === at;
    if (here) waits = false;
    const pieces = here && place.piece !== 'head' ? TURNS[at].toSpliced(place.piece, 0, wait) : TURNS[at];
    const whole = says(...pieces);
    return here && place.piece === 'head' ? late(wait, whole) : whole;
  };
}

/** The content of a finished turn without times: the answer, and each step. */
async function shown(chat) {
  await chat.press('Steps');
  await chat.page.waitForSelector('.drawer .step');
  const steps = await chat.page.$$eval('.drawer .step', (all) => all.map((step) => {
    const words = [...step.querySelectorAll('.events li')].map((line) => {
      const bare = line.cloneNode(true);
      for (const spend of bare.querySelectorAll('.spend')) spend.remove();
      return bare.textContent.replace(/\s+/g, ' ').trim();
    });
    return words;
  }));
  await chat.press('Close steps');
  return { steps, answers: await chat.answers() };
}

/** Ends the worker at `moment`, and compares the result with the unkilled run. */
async function killed({ begin, reaches }) {
  const { chat, leave } = await conversation();
  const dies = await begin(chat);
  await chat.ask('What did Fresnel do?');
  await dies();
  counted.kills += 1;
  await chat.settled(ANSWER);
  assert.deepEqual(await shown(chat), unkilled.shown);
  const restarted = await chat.page.$$eval('[role=log] .seam', (notices) => notices.filter((seam) => seam.textContent.includes('asked again')).length);
  const beyond = server.requests.length - unkilled.requests;
  const counts = `${server.requests.length} requests, ${restarted} labelled as asked again`;
  // A request that is lost on its way is labelled, although the server never saw it.
  assert.ok(reaches ? beyond === restarted && beyond === 1 : beyond <= restarted, counts);
  assert.match(told(server.requests.at(-1)), /What did Fresnel do\?/);
  counted.asked += beyond;
  counted.labelled += restarted;
  await leave();
}

/** While the model waits at a place of its reply. */
const speaking = (turn, piece) => ({
  reaches: true,
  begin: async () => {
    const wait = pause();
    server.always(reply({ turn, piece }, wait));
    return async () => {
      await wait.reached;
      assert.ok(await gloss.killWorker(), 'there was a worker to kill');
      wait.release();
    };
  },
});

/** When the `count`th batch of records is stored. */
const writing = (count) => ({
  reaches: false,
  begin: async (chat) => {
    server.always(reply());
    const { landed } = await chat.panel.batches(count);
    return async () => {
      await landed();
      assert.ok(await gloss.killWorker(), 'there was a worker to kill');
    };
  },
});

const MOMENTS = {
  'before the first byte of the first reply': speaking(0, 'head'),
  'within the first thought': speaking(0, 1),
  'between two calls of the first reply': speaking(0, 3),
  'at the end of the first reply': speaking(0, 4),
  'before the first byte of the second reply': speaking(1, 'head'),
  'within the first observation': speaking(1, 1),
  'at the end of the second reply': speaking(1, 3),
  'before the first byte of the answer': speaking(2, 'head'),
  'before the first word of the answer': speaking(2, 2),
  'after the first words of the answer': speaking(2, 3),
  'at the end of the answer': speaking(2, 5),
  'when its first record lands': writing(1),
  'when its third batch lands': writing(3),
  'when its fifth batch lands': writing(5),
};

for (const [moment, place] of Object.entries(MOMENTS)) {
  test(`a worker that dies ${moment} costs nothing but what is labelled`, { timeout: 300_000 }, async () => {
    for (let time = 0; time < TIMES; time += 1) {
      server.reset();
      await killed(place);
    }
  });
}
