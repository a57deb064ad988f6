// Every reachable state of the surfaces, by name, for audits and screenshots.
//
// Example: `for (const [name, reach] of Object.entries(STATES)) … await reach(stage)`.
// A state is one line: the steps that lead to it, ending with the page that shows it. `stage.over`
// opens a tab, `stage.popup` and `stage.side` open a surface over it.

import { PATIENCE } from './browser.mjs';
import { Chat, stopRuns, sure } from './chat.mjs';
import { call, cut, late, pause, refuses, says as replies, tooLong } from './chat_server.mjs';
import { Options } from './options.mjs';
import { Panel } from './panel.mjs';
import { png } from './png.mjs';
import { answer, IMAGE_CARD, IMAGE_TURN, MEMORY_CARD, MEMORY_TURN, OFFERS, paragraph, pictured, turn } from './stage.mjs';

/** A browser and a site for reaching states; each state has tabs of its own. */
export class Stage {
  #surfaces = [];

  /** `server` is a `ChatServer`, for states with a connected model. */
  constructor(gloss, site, server) {
    Object.assign(this, { gloss, site, server });
  }

  /** A tab at a page of the site, or at an address of its own. */
  async over(path = 'article.html') {
    const page = await this.gloss.open(/^\w+:/.test(path) ? path : this.site.url(path));
    this.#surfaces.push(page);
    return page;
  }

  /** The popup over a page, once it names the page. */
  async popup(path) {
    const page = await this.over(path);
    const panel = await Panel.of(await this.gloss.openPopup(page), this.gloss.language);
    await panel.control('button', 'Summarize page').setTimeout(PATIENCE).wait();
    return panel;
  }

  /** The side panel over a page, opened by the command on Alt and `letter`. */
  async side(path, letter) {
    const page = await this.over(path);
    return Panel.of(await this.gloss.openSidePanel(page, letter), this.gloss.language);
  }

  /** The popup over a page that is busy until the state is left, so that its run waits. */
  async busy() {
    const panel = await this.popup();
    const page = this.#surfaces.at(-1);
    page.evaluate(holdPage).catch(() => {});
    await this.site.holding();
    return panel;
  }

  /** The popup over a page, with a model that answers by this script. */
  async chat(...script) {
    this.server.script(...script);
    return Chat.over(this.gloss, await this.over());
  }

  /** Ends the state: closes its tabs, and with them its surfaces. */
  async leave() {
    this.site.release();
    if (this.server) await stopRuns(this.gloss);
    this.server?.reset();
    for (const target of this.gloss.browser.targets()) {
      const own = target.url().startsWith(`chrome-extension://${this.gloss.id}/`);
      if (own && target.type() !== 'service_worker') await target.asPage().then((page) => page.close(), () => {});
    }
    for (const page of this.#surfaces.splice(0)) await page.close().catch(() => {});
  }
}

/** English states; each resolves to the `Panel` that shows it. */
export const STATES = {
  'empty, popup': (stage) => stage.popup(),
  'empty, side panel': (stage) => stage.side().then((panel) => says(panel, 'Summarize page')),
  'summary, popup': (stage) => stage.popup().then(summarized),
  'summary, side panel': (stage) => stage.side(undefined, 's').then(async (panel) => (await panel.finished(), panel)),
  'answer to a question': (stage) => stage.popup().then((panel) => asked(panel, 'Who was Fresnel?')),
  'nothing found': (stage) => stage.popup().then((panel) => asked(panel, 'Zebra quotas?')),
  'closest passages': (stage) => stage.popup().then((panel) => asked(panel, 'Which glass was half a metre thick in Boston?')),
  'more passages': (stage) => stage.popup().then((panel) => asked(panel, 'What do the steps of the lens do?')).then(async (panel) => (await panel.page.click('[role=log] details > summary'), panel)),
  explanation: (stage) => stage.popup().then((panel) => asked(panel, 'What is a fixed light?')),
  'what answers': (stage) => stage.popup().then((panel) => asked(panel, 'Who are you?')),
  'question without a page': (stage) => stage.side('chrome://version/').then((panel) => asked(panel, 'Why so?')),
  running: (stage) => stage.busy().then(running),
  stopped: (stage) => stage.busy().then(running).then(stopped),
  'failed run': (stage) => stage.side('chrome://version/', 's').then((panel) => says(panel, 'Gloss cannot read this page')),
  'blocked page': (stage) => stage.side('chrome://version/').then((panel) => says(panel, 'Gloss cannot read this page')),
  'page without text': (stage) => stage.side('empty.html').then((panel) => says(panel, 'No text found')),
  'permission needed': (stage) => withoutRights(stage).then((panel) => says(panel, 'Permission needed')),
};

const FOUND = [
  replies('<gloss>{"thought":"The page says who it was.","complexity":"simple"}</gloss>',
    call('find_in_page', { query: 'Fresnel', reasoning: 'He cut the lens.' })),
  replies('<gloss>{"observation":"It names him.","goal_met":true,"confidence":0.9}</gloss>',
    'Augustin **Fresnel** [[p7]], an engineer [[p999]].\n\n```\nn = sin i / sin r\n```\n\n| Year | What |\n|---|---|\n| 1819 | the lens |'),
];

/** States with a connected model. */
export const MODEL_STATES = {
  'model asked': (stage) => stage.chat(late(pause(), sure('Nothing.'))).then((chat) => begun(chat, 'Thinking')),
  'answer streaming': (stage) => streaming(stage),
  'messages queued': (stage) => streaming(stage).then(queued),
  'answer with citations': (stage) => found(stage),
  'citation open': (stage) => found(stage).then((chat) => opened(chat, 'Source 1, passage found')),
  'unverified citation open': (stage) => found(stage).then((chat) => opened(chat, 'Source 2, unverified')),
  'trajectory open': (stage) => found(stage).then((chat) => opened(chat, 'Steps')),
  'trajectory of a run at work': (stage) => streaming(stage).then((chat) => opened(chat, 'Steps')),
  'model menu open': (stage) => stage.chat().then(async (chat) => (await chat.panel.control('combobox', 'Model').click(), chat)),
  'tools open': (stage) => stage.chat().then((chat) => opened(chat, 'Tools')),
  'editing': (stage) => found(stage).then((chat) => opened(chat, 'Edit')),
  'history open': (stage) => found(stage).then((chat) => opened(chat, 'History')),
  'answer cut by its length': (stage) => stage.chat(tooLong(sure('The lamp turns and'))).then((chat) => begun(chat, 'The answer was cut off here.')),
  'stopped half-way': (stage) => streaming(stage).then((chat) => opened(chat, 'Stop')).then((chat) => shows(chat, 'Stopped by you at')),
  paused: (stage) => streaming(stage).then((chat) => opened(chat, 'Pause')).then((chat) => shows(chat, 'Paused at')),
  'waiting for a time': (stage) => stage.chat(refuses(429, { retryAfter: 120 })).then((chat) => begun(chat, 'Waiting until')),
  'stepped back': (stage) => steppedBack(stage),
  'edit and fork': (stage) => steppedBack(stage).then(edited),
  'forked turn': (stage) => steppedBack(stage).then(forked),
  'erase one conversation': (stage) => found(stage).then((chat) => opened(chat, 'History')).then((chat) => opened(chat, 'Delete “Who cut the lens?”')),
  'model failed': (stage) => stage.chat(refuses(401)).then((chat) => begun(chat, 'did not accept this key')),
  'model failed half-way': (stage) => stage.chat(...Array(3).fill(cut(sure('The lamp tu')))).then((chat) => begun(chat, 'is incomplete')),
  'options page': async (stage) => shows(await Options.of(stage.gloss), 'Scripted'),
  'search that does not answer': async (stage) => searchFails(await Options.of(stage.gloss)),
  'options page, facts': async (stage) => facts(await Options.of(stage.gloss)),
};

/** The same without permission for any server. */
export const FORBIDDEN_STATES = {
  'server not allowed': (stage) => stage.chat().then((chat) => begun(chat, 'Permission needed')),
  'server refused': (stage) => stage.chat().then((chat) => begun(chat, 'Permission needed')).then((chat) => opened(chat, 'Not now')).then((chat) => shows(chat, 'was not allowed; went on')),
};

/** The same in a Chinese browser. */
export const CHINESE_STATES = {
  '空白': (stage) => stage.popup('article-zh.html'),
  '摘要': (stage) => stage.popup('article-zh.html').then(summarized),
  '回答': (stage) => stage.popup('article-zh.html').then((panel) => asked(panel, '手工纸为什么不发黄？')),
  '解释': (stage) => stage.popup('article-zh.html').then((panel) => asked(panel, '竹麻是什么？')),
  '没有答案': (stage) => stage.popup('article-zh.html').then((panel) => asked(panel, '村里有多少人口？')),
};

/** The default provider, where no server responds; and the open table of trusted sites. */
async function searchFails(options) {
  await options.page.$eval('#search details', (it) => (it.open = true));
  await options.fill('textbox', 'Search base URL', 'http://127.0.0.1:9');
  await options.page.$eval('#search button:not(.primary)', (it) => it.click());
  await shows(options, 'Wikipedia isn’t responding');
  await options.page.$eval('#search', (it) => it.scrollIntoView());
  return options;
}

const HALTED = { status: 'running', ended_at_ms: null };
const question = { ask: { question: 'Draw one spring-neap cycle, plain, for a slide.' } };
const past = (conversation, words, status, more = {}) =>
  ({ conversation, goal: { ask: { question: words } }, page: turn().page, status, turns: 2, at_ms: 1_000_000, ...more });

/**
 * States that real runs reach rarely; each shows it on a stage of `lib/stage.mjs` and resolves to
 * it.
 */
export const TOLD_STATES = {
  'outcome unknown': (stage) => told(stage, turn({
    ...HALTED, goal: question, status: 'awaiting_user', phase: 'executing', tool: 'image_generate', notices: [{ resumed: { at_ms: 1_000_000, times: 1, again: [] } }],
    wait: { id: 9, need: { outcome: { tool: 'image_generate', arguments: '{"description":"one spring-neap cycle"}', sent_at_ms: 952_000 } } },
  })),
  'gone on after an update': (stage) => told(stage, turn({
    answer: answer([paragraph('Because M2 has a node there.')]),
    notices: [{ renewed: { at_ms: 1_000_000, unknown: [] } }, { renewed: { at_ms: 1_000_000, unknown: ['image_generate'] } }],
  })),
  'interrupted by a restart': (stage) => told(stage, turn({
    ...HALTED, status: 'paused', growing: [paragraph('Because M2 has')], notices: [{ paused: { at_ms: 1_000_000, by: 'restart', until_ms: null, again: [] } }],
  })),
  'an image, made': async (stage) => {
    await told(stage, IMAGE_TURN);
    await stage.say(pictured({ media_type: 'image/png', base64: png() }));
    return stage;
  },
  'an image, before it is made': (stage) => told(stage, IMAGE_CARD),
  'facts remembered and refused': async (stage) => (await stage.show({ offers: OFFERS, turns: [MEMORY_TURN], known: ['f1'] }), stage),
  'facts, before they are kept': (stage) => told(stage, MEMORY_CARD),
  'unfinished conversations': async (stage) => (await stage.show({ unfinished: 2 }), stage),
  'unfinished in History': async (stage) => {
    await stage.show();
    await stage.panel.press('History');
    await stage.say({ history: { conversations: [
      past('c1', 'How high is it?', 'awaiting_user'),
      past('c2', 'What are neaps, and why do some ports have one tide a day?', 'paused', { paused: 'r2' }),
      past('c3', 'Who was Kelvin?', 'completed'),
    ] } });
    return stage;
  },
};

async function told(stage, one) {
  await stage.show({ offers: OFFERS, turns: [one] });
  return stage;
}

const steppedBack = (stage) => found(stage)
  .then((chat) => opened(chat, 'Steps')).then((chat) => opened(chat, 'Earlier step')).then((chat) => shows(chat, 'Viewing step'));

/** One fact is shown, another is being edited. */
async function facts(options) {
  const write = async (words) => {
    await options.press('Add a fact');
    await options.fill('textbox', 'Fact', words);
  };
  await write('I prefer metric units');
  await options.press('Save fact');
  await shows(options, 'Edit');
  await options.control('button', 'Pin “I prefer metric units”').wait();
  await write('I sail');
  return options;
}

async function edited(chat) {
  await chat.page.click('details.steer summary');
  return opened(chat, 'Edit the thought');
}

async function forked(chat) {
  await chat.page.type('form[aria-label="Fork"] textarea', 'And who paid for it?');
  await chat.page.keyboard.press('Enter');
  return shows(chat, 'Forked from step');
}

/** Resolves to `panel` once it contains `words`. */
export async function says(panel, words) {
  const page = panel.page;
  const said = page.waitForFunction(
    (words) => document.body.innerText.includes(words), { timeout: PATIENCE, polling: 'mutation' }, words);
  await said.catch(async (cause) => {
    const now = await page.evaluate(() => document.body.innerText.replace(/\s+/g, ' '));
    throw new Error(`waited for ${JSON.stringify(words)}; the page says ${JSON.stringify(now)}`, { cause });
  });
  return panel;
}

async function begun(chat, words) {
  await chat.ask('Who cut the lens?');
  return shows(chat, words);
}

async function shows(chat, words) {
  await says(chat, words);
  return chat;
}

const found = (stage) => stage.chat(...FOUND).then(async (chat) => {
  await chat.ask('Who cut the lens?');
  await chat.settled('an engineer');
  return chat;
});

function streaming(stage) {
  const words = ['Springs come when the Sun and the Moon ', '**pull** together [[p3]].\n\n- one\n- two'];
  return stage.chat(sure(...words, pause())).then((chat) => begun(chat, 'two'));
}

async function queued(chat) {
  for (const words of ['And neaps?', 'And in the Baltic?', 'And the fourth?']) {
    await chat.ask(words);
    await chat.panel.control('button', `Take back “${words.split(' ').slice(0, 3).join(' ')}”`).wait();
  }
  await chat.ask('And one too many?');
  return shows(chat, '3 messages are already waiting');
}

async function opened(chat, name) {
  await chat.press(name);
  return chat;
}

async function summarized(panel) {
  await panel.summarize();
  await panel.finished();
  return panel;
}

async function asked(panel, question) {
  await (await panel.page.waitForSelector('textarea')).type(question);
  await panel.page.keyboard.press('Enter');
  return says(panel, panel.name('Done'));
}

async function running(panel) {
  await panel.summarize();
  await panel.page.waitForSelector('[role=log] [aria-busy=true]');
  return panel;
}

async function stopped(panel) {
  await panel.press('Stop');
  return says(panel, 'Stopped by you at');
}

/** The side panel stays while the user switches to a tab in which Gloss was never opened. */
async function withoutRights(stage) {
  const panel = await stage.side();
  await says(panel, 'Summarize page');
  await stage.over('article-zh.html');
  return panel;
}

// Runs in the page and uses no variable from outside.
function holdPage() {
  const request = new XMLHttpRequest();
  request.open('GET', '/held', false);
  request.send();
}
