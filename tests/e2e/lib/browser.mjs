// A real Chromium with the built extension, and functions that kill its worker.
//
// Example: `const gloss = await launch(); … await gloss.killWorker()`. Nothing here
// attaches to the service worker: a debugger keeps it alive, and one that attaches while a worker
// starts can hang it for the half minute after which Chrome ends it. Puppeteer attaches to every
// new worker, so this file prevents that.

import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { Connection } from 'puppeteer-core/internal/cdp/Connection.js';
import { inTime, PATIENCE } from './patience.mjs';

export { PATIENCE };

/** The unpacked extension that `cargo xtask build` writes. */
export const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));

const DEBIAN = '/usr/lib/chromium/chromium';

/** A JSON file of the extension, such as `manifest.json`. */
export async function packaged(path) {
  return JSON.parse(await readFile(join(DIST, path), 'utf8'));
}

/**
 * Starts a browser with a new profile. `language` is the interface's (`en`, `zh-CN`); `headless:
 * false` shows it, on `screen` (a `Screen`) if given. `hosts` are match patterns that are granted
 * from the start, in a copy of the extension, because no test can press the button of Chrome's own
 * dialog. `folder` is the profile of a browser closed by `close({ keep: true })`, which is started
 * again; `extension` is the folder of another unpacked extension. `names` are host names that lead
 * to 127.0.0.1, as in `*.test`: for the product they are public. `args` are more arguments of Chromium.
 */
export async function launch({ language = 'en', headless = true, screen, hosts = [], folder, extension = DIST, names, args = [] } = {}) {
  const again = folder !== undefined;
  folder ??= await newFolder();
  if (hosts.length > 0) {
    const copy = join(folder, 'extension');
    if (!again) await copyWith(hosts, extension, copy);
    extension = copy;
  }
  const browser = await puppeteer.launch({
    executablePath: process.env.GLOSS_CHROMIUM ?? (existsSync(DEBIAN) ? DEBIAN : 'chromium'),
    headless,
    timeout: PATIENCE,
    pipe: true,
    enableExtensions: [extension],
    userDataDir: join(folder, 'profile'),
    defaultViewport: headless ? { width: 1100, height: 800 } : null,
    env: {
      ...process.env,
      LANGUAGE: language.replace('-', '_'),
      ...(screen && { DISPLAY: screen.name }),
    },
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--lang=${language}`,
      `--accept-lang=${language}`,
      '--disable-dev-shm-usage',
      ...(names ? [`--host-resolver-rules=MAP ${names} 127.0.0.1`] : []),
      // Space for a popup and a side panel of their full height.
      '--window-size=1280,960',
      '--window-position=0,0',
      ...args,
    ],
  });
  const cdp = await browser.target().createCDPSession();
  const workers = await Workers.of(cdp);
  await workers.until('the extension’s first worker is born', (now) => now !== undefined);
  const { id } = workers;
  const gloss = new Gloss({ browser, cdp, workers, id, language, folder });
  await activated(gloss);
  return gloss;
}

// Puppeteer makes Chrome hold each new worker until it has attached and released it, by a filter
// that no option changes. Here it is not informed of workers.
const send = Connection.prototype._rawSend;
Connection.prototype._rawSend = function (callbacks, method, params, ...rest) {
  if (method !== 'Target.setAutoAttach') return send.call(this, callbacks, method, params, ...rest);
  const filter = [{ type: 'service_worker', exclude: true }, ...(params.filter ?? [{}])];
  return send.call(this, callbacks, method, { ...params, filter }, ...rest);
};

/** The extension's live workers, by Chrome's own ids; `id` is the extension's. */
class Workers {
  #alive = new Set();
  #waiting = new Set();

  static async of(cdp) {
    const workers = new Workers();
    cdp.on('Target.targetCreated', ({ targetInfo: { type, url, targetId } }) => {
      if (type !== 'service_worker' || !url.startsWith('chrome-extension://')) return;
      workers.#alive.add(targetId);
      workers.id = new URL(url).host;
      workers.#look();
    });
    cdp.on('Target.targetDestroyed', ({ targetId }) => {
      workers.#alive.delete(targetId);
      workers.#look();
    });
    // Existing workers are reported, too.
    await cdp.send('Target.setDiscoverTargets', { discover: true });
    return workers;
  }

  /** The newest worker; `undefined` if there is none. */
  get newest() {
    return [...this.#alive].at(-1);
  }

  /** Resolves once `isSo` is true of the newest worker, at once if it is already. */
  until(what, isSo) {
    return inTime(what, (resolve) => {
      const look = () => {
        if (!isSo(this.newest)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  #look() {
    for (const look of this.#waiting) look();
  }
}

/**
 * Resolves when the worker is installed: one that is killed before may never start again. It
 * requests a file of the extension, without a debugger.
 */
async function activated(gloss) {
  const own = await gloss.openOwn('icons.svg');
  await own.waitForFunction(isActivated, { polling: 20, timeout: PATIENCE });
  await own.close();
}

async function isActivated() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.active?.state === 'activated';
}

/** For a fresh profile in developer mode: otherwise an extension that reloads itself stays off. */
async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'gloss-'));
  await mkdir(join(folder, 'profile/Default'), { recursive: true });
  const preferences = { extensions: { ui: { developer_mode: true } } };
  await writeFile(join(folder, 'profile/Default/Preferences'), JSON.stringify(preferences));
  return folder;
}

async function copyWith(hosts, extension, copy) {
  await cp(extension, copy, { recursive: true });
  const path = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...manifest, host_permissions: hosts }));
}

/** A browser that has the extension. */
export class Gloss {
  constructor(parts) {
    Object.assign(this, parts);
  }

  /**
   * A new active tab at `url`. If Chrome replaces the frame of a starting tab, another tab is
   * opened.
   */
  async open(url, tries = 3) {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    try {
      await page.goto(url, { waitUntil: 'load' });
    } catch (error) {
      if (tries === 1 || !/frame was detached|detached Frame/i.test(error.message)) throw error;
      await page.close().catch(() => {});
      return this.open(url, tries - 1);
    }
    await page.bringToFront();
    return page;
  }

  /** A tab that shows a page of the extension, such as `panel.html`. */
  async openOwn(path) {
    return this.open(`chrome-extension://${this.id}/${path}`);
  }

  /** Clicks the toolbar's icon over `page`, which grants activeTab; resolves to the popup. */
  async openPopup(page) {
    const { action } = await packaged('manifest.json');
    await page.bringToFront();
    const extension = (await this.browser.extensions()).get(this.id);
    const isPopup = (target) => target.url().includes(`${this.id}/${action.default_popup}`);
    const old = this.browser.targets().filter(isPopup);
    const [target] = await Promise.all([
      this.browser.waitForTarget((t) => isPopup(t) && !old.includes(t), { timeout: PATIENCE }),
      extension.triggerAction(page),
    ]);
    const popup = await target.asPage();
    popup.setDefaultTimeout(PATIENCE);
    return popup;
  }

  /** Presses Alt and a letter over `page`, as a keyboard command; Chrome grants activeTab. */
  async pressAlt(page, letter) {
    await page.bringToFront();
    const cdp = await page.createCDPSession();
    const code = letter.toUpperCase().charCodeAt(0);
    const key = { modifiers: 1, key: letter, code: `Key${letter.toUpperCase()}`,
      windowsVirtualKeyCode: code, nativeVirtualKeyCode: code };
    for (const type of ['rawKeyDown', 'keyUp']) await cdp.send('Input.dispatchKeyEvent', { type, ...key });
    await cdp.detach();
  }

  /** Opens the real side panel by the command on Alt and `letter`; resolves to its page. */
  async openSidePanel(page, letter = 'g') {
    return this.sidePanel(() => this.pressAlt(page, letter));
  }

  /** The side panel that `act` opens, as a page. */
  async sidePanel(act) {
    const { side_panel: panel } = await packaged('manifest.json');
    const isPanel = (target) => target.url().includes(`${this.id}/${panel.default_path}`);
    const [target] = await Promise.all([
      this.browser.waitForTarget(isPanel, { timeout: PATIENCE }),
      act(),
    ]);
    const side = await target.asPage();
    side.setDefaultTimeout(PATIENCE);
    return side;
  }

  /**
   * Ends the worker at once, whatever it is doing; resolves to `true` when it is gone, or to
   * `false` if there was none.
   */
  async killWorker() {
    // Everything that Chrome reported about workers before its answer has arrived by then.
    await this.cdp.send('Target.getTargets');
    const worker = this.worker();
    if (!worker) return false;
    await this.cdp.send('Target.closeTarget', { targetId: worker }).catch((error) => {
      // It ended by itself in between.
      if (!/No target/.test(error.message)) throw error;
    });
    await this.workers.until('the killed worker ends', (now) => now !== worker);
    return true;
  }

  /** Resolves when Chrome has ended the worker by itself, at once if there is none. */
  workerDied() {
    return this.workers.until('Chrome ends the worker', (now) => now === undefined);
  }

  /** The current worker, by Chrome's id, to distinguish it from a later one. */
  worker() {
    return this.workers.newest;
  }

  /** Resolves when there is a worker other than `old`, at once if there is. */
  workerBorn(old) {
    return this.workers.until('a worker is born', (now) => now !== undefined && now !== old);
  }

  /** Ends the browser. `keep` leaves its profile for `launch({ folder })`. */
  async close({ keep = false } = {}) {
    await this.browser.close();
    if (!keep) await this.remove();
  }

  /** Removes the profile of a browser that was closed. */
  async remove() {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
