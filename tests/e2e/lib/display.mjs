// A virtual screen, with mouse and keyboard input that Chrome accepts as a user's.
//
// Example: `const screen = await Screen.open(); const gloss = await launch({ screen });
// await screen.rightClick(page, { x: 90, y: 300 }); await screen.press('Up', 'Up', 'Return')`.
// Chrome's own menus are drawn outside every page, where no debugger reaches; only the X server can
// press there. Each screen has a free number that the server found.

import { execFile as execFileOf, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { until } from './patience.mjs';

const execFile = promisify(execFileOf);

/** An X server without a monitor (Xvfb), and xdotool on it. */
export class Screen {
  #server;

  constructor(server, number) {
    this.#server = server;
    /** The screen's name for `DISPLAY`. */
    this.name = `:${number}`;
  }

  /** A new screen, or `null` if Xvfb or xdotool is missing. */
  static async open() {
    if (!(await isThere('Xvfb')) || !(await isThere('xdotool'))) return null;
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x960x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const ended = once(server, 'exit').then(([code]) => {
      throw new Error(`Xvfb ended with ${code}`);
    });
    const [number] = await Promise.race([once(server.stdio[3], 'data'), ended]);
    ended.catch(() => {});
    return new Screen(server, Number(number.toString()));
  }

  /** Right-clicks `point` of `page`, in CSS pixels; resolves when the menu is open. */
  async rightClick(page, point) {
    const before = await this.#windows();
    await this.#xdotool('mousemove', ...(await onScreen(page, point)), 'click', 3);
    // X does not report its windows here.
    await until('the menu of a right-click is there', async () => (await this.#windows()) > before);
  }

  /** Double-clicks `point` of `page`, which selects the word there. */
  async doubleClick(page, point) {
    const at = await onScreen(page, point);
    await this.#xdotool('mousemove', ...at, 'click', '--repeat', 2, '--delay', 60, 1);
  }

  /** Presses keys one after the other, by their X names; resolves to the time, in ms since 1970. */
  async press(...keys) {
    const at = Date.now();
    await this.#xdotool('key', '--delay', 40, ...keys);
    return at;
  }

  async close() {
    if (this.#server.exitCode !== null) return;
    const gone = once(this.#server, 'exit');
    this.#server.kill();
    await gone;
  }

  /** The number of visible windows; an open menu is one. */
  async #windows() {
    const found = await this.#xdotool('search', '--onlyvisible', '--name', '').catch(() => '');
    return found.split('\n').filter(Boolean).length;
  }

  async #xdotool(...words) {
    const env = { ...process.env, DISPLAY: this.name };
    return (await execFile('xdotool', words.map(String), { env })).stdout;
  }
}

/** Without a window manager, the page fills its window except the bars above it. */
async function onScreen(page, { x, y }) {
  const corner = await page.evaluate(() => [screenX, screenY + outerHeight - innerHeight]);
  return [Math.round(corner[0] + x), Math.round(corner[1] + y)];
}

const isThere = (program) => execFile('which', [program]).then(() => true, () => false);
