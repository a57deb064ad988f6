// A scripted stand-in for the browser's built-in model, in a copy of the extension.
//
// Example: `const extension = await withLanguageModel('worker'); const gloss = await
// launch({ extension }); const desk = await Desk.of(gloss); await desk.script(['The lamp ',
// HOLD, 'turns.'])`; each prompt takes the next reply, and `HOLD` waits for `desk.release()`.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { DIST, PATIENCE } from './browser.mjs';

const STAND_IN = fileURLToPath(new URL('./language_model.js', import.meta.url));
const WINDOWS = ['options.html', 'popup.html', 'panel.html', 'offscreen.html'];

/** The place where a reply waits. */
export const HOLD = { hold: true };

/**
 * A copy of the extension whose windows have `LanguageModel`; with `worker`, its worker has it,
 * too.
 */
export async function withLanguageModel({ worker }) {
  const extension = await mkdtemp(join(tmpdir(), 'gloss-model-'));
  await cp(DIST, extension, { recursive: true });
  const script = await readFile(STAND_IN, 'utf8');
  await writeFile(join(extension, 'language_model.js'), `const EARLIER = ${!worker};\n${script}`);
  const changed = async (name, change) => {
    const path = join(extension, name);
    await writeFile(path, change(await readFile(path, 'utf8')));
  };
  for (const name of WINDOWS) {
    await changed(name, (html) => html.replace('<script', '<script src="language_model.js"></script>\n<script'));
  }
  // Chromium's worker has the interface, without a model behind it.
  const first = worker ? 'import "./language_model.js";' : 'delete globalThis.LanguageModel;';
  await changed('worker_boot.js', (boot) => `${first}\n${boot}`);
  return { extension, remove: () => rm(extension, { recursive: true, force: true }) };
}

/** The script of the model, and the record of its requests. */
export class Desk {
  static async of(gloss) {
    const page = await gloss.openOwn('icons.svg');
    await page.evaluate(sit);
    return Object.assign(new Desk(), { page });
  }

  /**
   * Each following prompt takes the next of these: pieces of a text, `HOLD`, `{ error: { name,
   * message } }`.
   */
  script(...replies) {
    return this.page.evaluate((replies) => globalThis.desk.begin(replies), replies);
  }

  /** The result of `availability()` from now on. */
  state(state) {
    return this.page.evaluate((state) => void (globalThis.desk.state = state), state);
  }

  /** Refuses the next `create()`, or this number of them. */
  refuse(name, message, times = 1) {
    return this.page.evaluate((error, times) => void Object.assign(globalThis.desk, { refusal: error, times }), { name, message }, times);
  }

  /** Releases everything that is held, now or later. */
  release() {
    return this.page.evaluate(() => globalThis.desk.release());
  }

  /** All events of the model since the last `script`. */
  told(event) {
    return this.page.evaluate((event) => globalThis.desk.told.filter((one) => one.event === event), event);
  }

  /** Resolves when the model has reported this number of these events. */
  async until(event, count) {
    await this.page.waitForFunction(
      (event, count) => globalThis.desk.told.filter((one) => one.event === event).length >= count,
      { timeout: PATIENCE, polling: 20 }, event, count);
  }

  /** Resolves when every created session is destroyed, to the number of sessions. */
  async settled() {
    await this.page.waitForFunction(() => {
      const of = (event) => globalThis.desk.told.filter((one) => one.event === event).map((one) => one.session);
      return of('created').every((session) => of('destroyed').includes(session));
    }, { timeout: PATIENCE, polling: 20 });
    return (await this.told('created')).length;
  }
}

/** Runs in the page and uses no variable from outside. */
function sit() {
  const channel = new BroadcastChannel('language-model');
  const desk = { told: [], replies: [], state: 'available', refusal: undefined, held: [] };
  desk.begin = (replies) => Object.assign(desk, { told: [], replies, held: [] });
  desk.release = () => desk.held.shift()?.();
  globalThis.desk = desk;
  const recite = async ({ from, session }, reply = [{ error: { name: 'UnknownError', message: 'nothing is scripted' } }]) => {
    const say = (more) => channel.postMessage({ to: from, session, ...more });
    for (const piece of reply) {
      if (piece.hold) await new Promise((resolve) => desk.held.push(resolve));
      else if (piece.error) return say(piece);
      else say({ words: piece });
    }
    say({ whole: true });
  };
  channel.addEventListener('message', ({ data }) => {
    desk.told.push(data);
    const answer = (value) => channel.postMessage({ to: data.from, answers: data.question, value });
    if (data.event === 'availability') answer(desk.state);
    if (data.event === 'create') {
      answer({ state: desk.state, error: desk.refusal });
      if (desk.refusal && --desk.times === 0) desk.refusal = undefined;
    }
    if (data.event === 'downloaded') {
      const done = () => {
        if (data.loaded === 1) desk.state = 'available';
        answer(true);
      };
      if (data.loaded === 0.4) desk.held.push(done);
      else done();
    }
    if (data.event === 'prompted') recite(data, desk.replies.shift());
  });
}
