// The chat page as a user sees it: by the names of its controls.
//
// Example: `const panel = await Panel.of(popup); await panel.summarize();
// (await panel.finished()).points`. Names are English in the tests; on a Chinese
// surface they are looked up in the extension's own catalogue.

import { packaged, PATIENCE } from './browser.mjs';

/** A popup, or a tab that shows the same page. */
export class Panel {
  constructor(page, translate) {
    this.page = page;
    this.name = translate;
  }

  /** The panel in `page`; `language` is that of its browser. */
  static async of(page, language = 'en') {
    return new Panel(page, await translator(language));
  }

  /** The control with this role and English name. */
  control(role, name) {
    return this.page.locator(`::-p-aria([name="${this.name(name)}"][role="${role}"])`);
  }

  /** Presses a button by its English name. */
  async press(name) {
    await this.control('button', name).setTimeout(PATIENCE).click();
  }

  async summarize() {
    await this.press('Summarize page');
  }

  /** Waits until the last answer is complete; resolves to what it shows. */
  async finished() {
    const done = this.name('Done');
    await this.page.waitForFunction(isFinished, { timeout: PATIENCE, polling: 'mutation' }, done);
    return this.page.evaluate(readAnswer);
  }

  /** The current text of "Agent status". */
  status() {
    return this.page.$eval('[role=status]:not(.sr)', (status) => status.textContent.trim());
  }

  /** All of `storage.session`, read here and not in the worker. */
  session() {
    return this.page.evaluate(() => chrome.storage.session.get(null));
  }

  /**
   * Resolves when `count` batches of a run's journal are in storage; call it before pressing, so
   * that none is missed. `{ finished }` is true if the run had ended by then.
   */
  async batches(count) {
    const done = this.name('Done');
    const standing = await this.page.evaluateHandle(watchBatches, count, done);
    return { landed: () => standing.evaluate((watch) => watch.landed) };
  }
}

/** Translates an English message to `language`, with the extension's own catalogues. */
async function translator(language) {
  if (language === 'en') return (name) => name;
  const english = await packaged('_locales/en/messages.json');
  const other = await packaged(`_locales/${language.replace('-', '_')}/messages.json`);
  return (name) => {
    const key = Object.keys(english).find((key) => english[key].message === name);
    if (!key) throw new Error(`no message says ${JSON.stringify(name)}`);
    return other[key].message;
  };
}

// The following functions run in the page and use no variable from outside.

function isFinished(done) {
  const answers = [...document.querySelectorAll('[role=log] article:not(.said)')];
  const last = answers.at(-1);
  const status = [...document.querySelectorAll('[role=status]')].map((s) => s.textContent).join(' ');
  return last?.querySelector('.points li') && last.ariaBusy !== 'true' && status.includes(done);
}

function readAnswer() {
  const last = [...document.querySelectorAll('[role=log] article:not(.said)')].at(-1);
  const words = (node) => node?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  return {
    gist: words(last.querySelector('.gist')),
    points: [...last.querySelectorAll('.points > li')].map((point) => ({
      text: words(point.querySelector('p')),
      href: point.querySelector('a.ref')?.href ?? '',
      label: point.querySelector('a.ref')?.ariaLabel ?? '',
    })),
  };
}

function watchBatches(count, done) {
  const seen = new Set();
  const landed = new Promise((resolve) => {
    const listen = (changes) => {
      for (const [key, { newValue }] of Object.entries(changes)) {
        if (key.startsWith('r/') && newValue !== undefined) seen.add(key);
      }
      if (seen.size < count) return;
      chrome.storage.session.onChanged.removeListener(listen);
      const statuses = [...document.querySelectorAll('[role=status]')];
      resolve({ finished: statuses.some((status) => status.textContent.includes(done)) });
    };
    chrome.storage.session.onChanged.addListener(listen);
  });
  return { landed };
}
