// A conversation with a model of one's own, as a person has it.
//
// Driving example: `const chat = await Chat.over(gloss, page); server.script(sure('The lamp
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

  /** The chat page that stands in `surface`, once it can be written in. */
  static async in(surface, language) {
    const chat = new Chat(await Panel.of(surface, language));
    await surface.waitForSelector('textarea', { timeout: PATIENCE });
    return chat;
  }

  /** Writes a message in the place of what stands there, and sends it. */
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

  /** Whether there is such a button now. */
  async offers(name) {
    return (await this.page.$(`::-p-aria([name="${name}"][role="button"])`)) !== null;
  }

  /** Resolves once the whole page says `words`. */
  async says(words) {
    await this.#until((words) => document.body.innerText.replace(/\s+/g, ' ').includes(words), words, 'says');
  }

  /** Resolves once nothing on the page says `words`. */
  async saysNoMore(words) {
    await this.#until((words) => !document.body.innerText.replace(/\s+/g, ' ').includes(words), words, 'says no more');
  }

  /** Resolves once the conversation says `words` and the turn is over and done. */
  async settled(words) {
    await this.#until((words) => {
      const log = document.querySelector('[role=log]');
      const status = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent).join(' ');
      return log.innerText.replace(/\s+/g, ' ').includes(words) && !log.querySelector('[aria-busy=true]') && status.includes('Done');
    }, words, 'is done, having said');
  }

  /** What the person said, turn by turn. */
  said() {
    return this.page.$$eval('[role=log] article[data-you] .you', (all) => all.map((one) => one.innerText.trim()));
  }

  /** What was answered, turn by turn: the words alone. */
  answers() {
    return this.page.$$eval('[role=log] article:not([data-you])', (all) => all.map((turn) => {
      const blocks = [...turn.children].filter((one) => one.matches('p:not(.meta, .seam), ul, ol, pre, blockquote, h2, h3, h4, table'));
      return blocks.map((one) => one.innerText).join(' ').replace(/\s+/g, ' ').trim();
    }));
  }

  /** All that the conversation shows. */
  log() {
    return this.page.$eval('[role=log]', (log) => log.innerText.replace(/\s+/g, ' ').trim());
  }

  /** What stands in the composer. */
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
 * Stops the runs that the open surfaces show. A run goes on without its surface, only so many do
 * at once, and one that a failed test leaves asks its model again in the tests after it.
 */
export async function stopRuns(gloss) {
  const isChat = (target) => /\/(popup|panel)\.html/.test(target.url()) && target.url().includes(gloss.id);
  for (const target of gloss.browser.targets().filter(isChat)) {
    const page = await target.asPage();
    const stopped = page.evaluate(pressStop).then((pressed) => pressed
      && page.waitForFunction(() => !document.querySelector('button.stop'), { timeout: 5_000, polling: 50 }));
    // What was wrong before is what the test tells; a surface may close meanwhile.
    await stopped.catch(() => {});
  }
}

// Runs in the page and closes over nothing.
function pressStop() {
  const button = document.querySelector('button.stop');
  button?.click();
  return button !== null;
}

/** The text of all the messages of a request, with who said them. */
export function told(request) {
  return request.json.messages.map(({ role, content }) => `${role}: ${content ?? ''}`).join('\n');
}
