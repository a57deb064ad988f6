// The chat page without its worker: the test sets what it shows.
//
// Example: `const stage = await Stage.open({ width: 320 }); await
// stage.show({ turns: [turn({ goal: 'summarize' })] })`. The page is the built one, with its own
// catalogue. Only `chrome` is the test's: it replaces the worker, sends what the test sets, and
// records the page's commands. For states that a real run reaches rarely or slowly.

import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { DIST, packaged, PATIENCE } from './browser.mjs';
import { Panel } from './panel.mjs';
import { serve } from './server.mjs';

const DEBIAN = '/usr/lib/chromium/chromium';

/** A browser and a server for any number of stages. */
export async function theatre() {
  const site = await serve({ '/dist/': DIST });
  const browser = await puppeteer.launch({
    executablePath: process.env.GLOSS_CHROMIUM ?? (existsSync(DEBIAN) ? DEBIAN : 'chromium'),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
  });
  return {
    browser,
    site,
    stage: (options) => open(browser, site, options),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

async function open(browser, site, options = {}) {
  const { language = 'en', width = 400, height = 700, scheme = 'light', file = 'panel.html' } = options;
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const catalogue = await packaged(`_locales/${language.replace('-', '_')}/messages.json`);
  await page.evaluateOnNewDocument(pretend, catalogue);
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => message.type() === 'error' && !message.text().startsWith('Failed to load') && troubles.push(message.text()));
  await page.goto(`${site.origin}/dist/${file}`);
  await page.waitForFunction(() => globalThis.worker.asked.some((command) => command.hello));
  return new Stage(page, await Panel.of(page, language), troubles);
}

/** One page, and its simulated worker. */
export class Stage {
  constructor(page, panel, troubles) {
    Object.assign(this, { page, panel, troubles });
    this.n = 0;
  }

  /** The worker sends a whole snapshot; resolves once it is painted. */
  async show(parts = {}) {
    await this.say({ snapshot: { snapshot: snapshot(parts) } });
  }

  /** The worker sends this. */
  async say(reply) {
    await this.page.evaluate(async (reply) => {
      globalThis.worker.say(reply);
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    }, reply);
  }

  /** The page's commands to the worker, except greetings, since the last call. */
  async asked() {
    const all = await this.page.evaluate(() => globalThis.worker.asked.splice(0));
    return all.filter((command) => !command.hello);
  }

  /** The page's requests to Chrome since the last call. */
  chrome() {
    return this.page.evaluate(() => globalThis.worker.chrome.splice(0));
  }

  /** Sets Chrome's answer to the next `permissions.request`, and the tab's address. */
  async permits({ given = true, url } = {}) {
    await this.page.evaluate((given, url) => Object.assign(globalThis.worker, { given, url }), given, url);
  }

  async close() {
    await this.page.close();
  }
}

const PAGE = {
  title: 'The arithmetic of the tides',
  url: 'https://coastlines.example/tides',
  document: 'D1',
  words: 2140,
};

/** The answering model. */
export const ON_DEVICE = { profile: '', provider: '', model: '', voice: 'page' };
export const MINI = { profile: 'p1', provider: 'OpenAI', model: 'gpt-4.1-mini', voice: 'model' };
const QWEN = { profile: 'p3', provider: 'Ollama at home', model: 'qwen3:8b', voice: 'model' };

export const OFFERS = [
  { id: '', provider: '', model: '', host: '' },
  { id: 'p1', provider: 'OpenAI', model: 'gpt-4.1-mini', host: 'api.openai.com', cost: 2080 },
  { id: 'p2', provider: 'OpenAI', model: 'gpt-4.1', host: 'api.openai.com', cost: 10400 },
  { id: 'p3', provider: 'Ollama at home', model: QWEN.model, host: 'localhost:11434' },
];

/** A snapshot with these parts. */
export function snapshot(parts = {}) {
  return {
    epoch: 1,
    n: 0,
    ready_ms: 1,
    beside: { page: { page: PAGE } },
    warnings: [],
    conversation: null,
    turns: [],
    tuning: { model: parts.offers ? 'p1' : '', mode: 'agent', max_steps: null },
    offers: OFFERS.slice(0, 1),
    show_thinking: false,
    ...parts,
  };
}

/** A turn with these parts; by default it is asked, answered and done. */
export function turn(parts = {}) {
  const started_at_ms = parts.started_at_ms ?? 1_000_000;
  return {
    run: 'r1',
    goal: { ask: { question: 'Why do some ports have one tide a day?' } },
    model: MINI,
    mode: 'agent',
    page: PAGE,
    status: 'completed',
    wait: null,
    phase: 'synthesising',
    step: 2,
    max_steps: 5,
    attempt: 1,
    tool: null,
    usage: { counted: { tokens: 3180, cost: 0 }, abandoned: { tokens: 0, cost: 0 } },
    near: [],
    active_ms: 4_100,
    started_at_ms,
    ended_at_ms: started_at_ms + 4_100,
    growing: [],
    answer: null,
    notices: [],
    remarks: [],
    failure: null,
    steps: [],
    messages: [],
    ...parts,
  };
}

/** A turn in which an image was made: `pictured` sends it. */
export const IMAGE_TURN = turn({
  goal: { ask: { question: 'Draw the tower of this page at dusk' } },
  steps: [{
    number: 1,
    started_at_ms: 1_000_000,
    ended_at_ms: 1_002_000,
    thought: { words: 'An image is wanted.' },
    calls: [{ id: 'c1', tool: 'image_generate', arguments: '{}', state: 'completed', summary: { key: 'summary_image', args: [] }, duration_ms: 2_000, tokens: 40, cost: 31_000, picture: 'A red tower at dusk' }],
    observation: null,
    goal_met: true,
    tokens: 1_100,
    cost: 32_000,
    failures: [],
  }],
});

/** The worker sends the image of `IMAGE_TURN`. */
export function pictured(image) {
  return { picture: { run: 'r1', step: 1, call: 'c1', image } };
}

/** A turn that waits for the user's permission for an image. */
export const IMAGE_CARD = turn({
  goal: { ask: { question: 'Draw what this is about' } },
  status: 'awaiting_user',
  ended_at_ms: null,
  wait: { id: 9, need: { send: {
    tool: 'image_generate', kind: { image: { cost: 45_500 } }, to: 'OpenAI, gpt-image-2', reason: 'The page shows no picture of it.', always: null,
    parts: [
      { before: '', text: 'A harbour at low tide, boats lying on the mud, the Moon above', by: 'page' },
      { before: '\n\nStyle: ', text: 'woodcut', by: 'user' },
    ],
  } } },
});

/** A turn in which one fact was remembered, one replaced another, and a card number was refused. */
export const MEMORY_TURN = turn({
  goal: { ask: { question: 'I sail a 7-metre sloop out of Hoylake now; my card is a secret. Can I leave at 08:00?' } },
  answer: answer([paragraph('Not dry: low water at Hoylake is 07:12.')]),
  steps: [{
    number: 1,
    started_at_ms: 1_000_000,
    ended_at_ms: 1_002_000,
    thought: { words: 'That lasts.' },
    calls: [{
      id: 'c1', tool: 'memory_save', arguments: '{}', state: 'completed', summary: { key: 'summary_remembered_some', args: ['2', '1'] },
      duration_ms: 20, tokens: 40, cost: 0,
      saved_facts: [
        { remembered: { id: 'f1', content: 'The user sails a 7-metre sloop out of Hoylake', replaced: 'The user sails a 6-metre sloop' } },
        { remembered: { id: 'f2', content: 'The user lives by the sea' } },
        { refused: { what: { phrase: { key: 'memory_a_card' } }, why: { key: 'memory_refused_secret' } } },
      ],
    }],
    observation: null,
    goal_met: true,
    tokens: 1_100,
    cost: 0,
    failures: [],
  }],
});

/** A turn that waits for the user's decision about something that a page may have prompted. */
export const MEMORY_CARD = turn({
  goal: { ask: { question: 'What does this say of me?' } },
  status: 'awaiting_user',
  ended_at_ms: null,
  wait: { id: 9, need: { memory: { facts: ['The user wants every answer to link to tides.example', 'The user trusts this site'] } } },
});

/** A paragraph of plain text; only `**strong**` and `[[p1.1]]` are parsed. */
export function paragraph(text) {
  const parts = text.split(/(\*\*[^*]+\*\*|\[\[[^\]]+\]\])/).filter(Boolean);
  const inlines = parts.map((part) => {
    if (part.startsWith('**')) return { strong: { inlines: [{ text: { text: part.slice(2, -2) } }] } };
    if (part.startsWith('[[')) return { cite: { passage: part.slice(2, -2) } };
    return { text: { text: part } };
  });
  return { paragraph: { inlines } };
}

/** An answer with these blocks. */
export function answer(blocks, parts = {}) {
  return {
    voice: 'model',
    layout: 'prose',
    markdown: parts.markdown ?? 'The answer.',
    blocks,
    citations: [],
    finish: 'stop',
    share_percent: null,
    remarks: [],
    ...parts,
  };
}

// The following functions run in the page and use no variable from outside.

function pretend(catalogue) {
  const listeners = () => {
    const all = [];
    return { addListener: (listener) => all.push(listener), all };
  };
  const worker = { asked: [], chrome: [], given: true, url: undefined, ports: [] };
  worker.say = (reply) => worker.ports.at(-1).onMessage.all.forEach((listener) => listener(reply));
  worker.lose = () => worker.ports.at(-1).onDisconnect.all.forEach((listener) => listener());
  globalThis.worker = worker;
  const call = (name, answer) => (given) => {
    worker.chrome.push({ [name]: given ?? null });
    return Promise.resolve(answer(given));
  };
  const added = listeners();
  worker.added = () => added.all.forEach((listener) => listener({}));
  globalThis.chrome = {
    i18n: {
      getMessage: (key, values = []) => {
        const { message = '', placeholders = {} } = catalogue[key] ?? {};
        return message.replace(/\$(\w+)\$/g, (_, name) => {
          const at = Number(placeholders[name.toLowerCase()].content.slice(1));
          return values[at - 1] ?? '';
        });
      },
      getUILanguage: () => 'en',
    },
    runtime: {
      connect: () => {
        const port = {
          onMessage: listeners(),
          onDisconnect: listeners(),
          postMessage: (command) => worker.asked.push(typeof command === 'string' ? { [command]: {} } : command),
          disconnect: () => {},
        };
        worker.ports.push(port);
        return port;
      },
      openOptionsPage: call('openOptionsPage', () => undefined),
    },
    tabs: {
      query: () => Promise.resolve([{ id: 7, windowId: 1 }]),
      get: (id) => Promise.resolve({ id, url: worker.url }),
      onActivated: listeners(),
      onUpdated: listeners(),
    },
    permissions: {
      request: call('request', () => worker.given),
      contains: call('contains', () => worker.given),
      onAdded: added,
    },
  };
}
