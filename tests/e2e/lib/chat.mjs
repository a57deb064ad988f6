// A conversation with a connected model, as a user has it.
//
// Example: `const chat = await Chat.over(gloss, page); server.script(sure('The lamp
// turns.')); await chat.ask('What turns?'); await chat.settled('The lamp turns.')`.

import { PATIENCE } from './browser.mjs';
import { says } from './chat_server.mjs';
import { Panel } from './panel.mjs';

/** The control block of a reply that answers without a tool, and may. */
export const KNOWN = '<gloss>{"thought":"It is known.","confidence":0.95}</gloss>';

/** A reply that answers at once. */
export function sure(...parts) {
  return says(KNOWN, ...parts);
}

/** The chat page in a popup or a side panel. */
export class Chat {
  constructor(panel) {
    this.panel = panel;
    this.page = panel.page;
  }

  /** The popup over a tab. */
  static async over(gloss, page) {
    return Chat.in(await gloss.openPopup(page), gloss.language);
  }

  /** The chat page in `surface`, once a message can be written. */
  static async in(surface, language) {
    const chat = new Chat(await Panel.of(surface, language));
    await surface.waitForSelector('textarea', { timeout: PATIENCE });
    return chat;
  }

  /** Replaces the composer's text by a message, and sends it. */
  async ask(words) {
    await this.page.focus('textarea');
    await this.page.$eval('textarea', (field) => field.select());
    await this.page.keyboard.type(words);
    await this.page.keyboard.press('Enter');
  }

  /** Presses a button by its name. */
  press(name) {
    return this.panel.press(name);
  }

  /** True if there is such a button now. */
  async offers(name) {
    return (await this.page.$(`::-p-aria([name="${name}"][role="button"])`)) !== null;
  }

  /** Resolves once the page contains `words`. */
  async says(words) {
    await this.#until((words) => document.body.innerText.replace(/\s+/g, ' ').includes(words), words, 'says');
  }

  /** Resolves once the page does not contain `words`. */
  async saysNoMore(words) {
    await this.#until((words) => !document.body.innerText.replace(/\s+/g, ' ').includes(words), words, 'says no more');
  }

  /** Resolves once the conversation contains `words` and the turn is done. */
  async settled(words) {
    await this.#until((words) => {
      const log = document.querySelector('[role=log]');
      const status = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent).join(' ');
      return log.innerText.replace(/\s+/g, ' ').includes(words) && !log.querySelector('[aria-busy=true]') && status.includes('Done');
    }, words, 'is done, having said');
  }

  /** The user's messages, turn by turn. */
  said() {
    return this.page.$$eval('[role=log] article[data-you] .you', (all) => all.map((one) => one.innerText.trim()));
  }

  /** The answers, turn by turn: the text alone. */
  answers() {
    return this.page.$$eval('[role=log] article:not([data-you])', (all) => all.map((turn) => {
      const blocks = [...turn.children].filter((one) => one.matches('p:not(.meta, .seam), ul, ol, pre, blockquote, h2, h3, h4, table'));
      return blocks.map((one) => one.innerText).join(' ').replace(/\s+/g, ' ').trim();
    }));
  }

  /** The whole text of the conversation. */
  log() {
    return this.page.$eval('[role=log]', (log) => log.innerText.replace(/\s+/g, ' ').trim());
  }

  /** The composer's text. */
  draft() {
    return this.page.$eval('textarea', (field) => field.value);
  }

  async #until(holds, words, what) {
    try {
      await this.page.waitForFunction(holds, { timeout: PATIENCE, polling: 50 }, words);
    } catch (error) {
      const now = await this.page.evaluate(() => document.body.innerText.replace(/\s+/g, ' ')).catch(() => 'nothing');
      throw new Error(`waited until the page ${what} ${JSON.stringify(words)}; it says ${JSON.stringify(now)}`, { cause: error });
    }
  }
}

/**
 * Stops the runs of the open surfaces. A run continues without its surface, the number of parallel
 * runs is limited, and a run that a failed test leaves would send requests during later tests.
 */
export async function stopRuns(gloss) {
  const isChat = (target) => /\/(popup|panel)\.html/.test(target.url()) && target.url().includes(gloss.id);
  for (const target of gloss.browser.targets().filter(isChat)) {
    const page = await target.asPage();
    const stopped = page.evaluate(pressStop).then((pressed) => pressed
      && page.waitForFunction(() => !document.querySelector('button.stop'), { timeout: 5_000, polling: 50 }));
    // The test reports the earlier failure; a surface may close meanwhile.
    await stopped.catch(() => {});
  }
}

// Runs in the page and uses no variable from outside.
function pressStop() {
  const button = document.querySelector('button.stop');
  button?.click();
  return button !== null;
}

/** The text of all messages of a request, with their roles. */
export function told(request) {
  return request.json.messages.map(({ role, content }) => `${role}: ${content ?? ''}`).join('\n');
}
