// The options page as a user sees it: by the names of its controls.
//
// Example: `const options = await Options.of(gloss); await options.choose('Direct');
// await options.saved()`.

import { PATIENCE } from './browser.mjs';

/** An options page in a tab. */
export class Options {
  constructor(page) {
    this.page = page;
  }

  /** Opens the page and waits for the worker's first message. */
  static async of(gloss) {
    const page = await gloss.openOwn('options.html');
    page.setDefaultTimeout(PATIENCE);
    await page.waitForSelector('#about');
    return new Options(page);
  }

  /** The control with this role and name. */
  control(role, name) {
    return this.page.locator(`::-p-aria([name="${name}"][role="${role}"])`).setTimeout(PATIENCE);
  }

  async press(name) {
    await this.control('button', name).click();
  }

  /** Replaces a field's text, and leaves the field. */
  async fill(role, name, text) {
    const field = await this.control(role, name).waitHandle();
    await field.click({ count: 3 });
    await this.page.keyboard.press('Backspace');
    if (text) await field.type(text);
    await this.page.keyboard.press('Tab');
  }

  /** A field's value, and its refusal if any. */
  async field(role, name) {
    const field = await this.control(role, name).waitHandle();
    return field.evaluate((input) => ({
      value: input.value,
      checked: input.checked,
      invalid: input.ariaInvalid === 'true',
      words: (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent.trim() ?? '')
        .join(' ')
        .trim(),
    }));
  }

  /**
   * A field's value and refusal, once it is refused: another field's message may still be shown.
   */
  async refusal(role, name) {
    const field = await this.control(role, name).waitHandle();
    await this.page.waitForFunction((input) => input.ariaInvalid === 'true', { timeout: PATIENCE }, field);
    return this.field(role, name);
  }

  /** Resolves when a live region contains these words. */
  async says(words) {
    await this.page.waitForFunction(
      (words) => [...document.querySelectorAll('[role=status], [role=alert]')].some((it) => it.textContent.includes(words)),
      { timeout: PATIENCE, polling: 'mutation' },
      words,
    );
  }

  /** Fills the form of a server, and saves it. */
  async connect({ provider = 'Other (OpenAI-compatible)', name, url, key, model }) {
    const select = await this.control('combobox', 'Provider').waitHandle();
    const value = await select.evaluate(
      (it, text) => [...it.options].find((option) => option.text === text).value,
      provider,
    );
    await select.select(value);
    if (name !== undefined) await this.fill('textbox', 'Name', name);
    if (url !== undefined) await this.fill('textbox', 'Base URL', url);
    if (key !== undefined) await this.fill('textbox', 'API key', key);
    if (model !== undefined) await this.fill('textbox', 'Model', model);
  }

  /** All content of `chrome.storage` and of the page, as text. */
  async everything() {
    return this.page.evaluate(async () => {
      const [local, session] = [await chrome.storage.local.get(null), await chrome.storage.session.get(null)];
      const fields = [...document.querySelectorAll('input')].map((input) => input.value);
      return { local, session, page: document.body.innerText, fields };
    });
  }
}
