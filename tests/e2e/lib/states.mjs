// Every state of the surfaces that can be reached, by name: what is audited, and pictured.
//
// Driving example: `for (const [name, reach] of Object.entries(STATES)) … await reach(stage)`.
// A state is one line: how a person gets there, ending in the page that shows it. `stage.over`
// gives a tab, `stage.popup` and `stage.side` a surface over it.

import { PATIENCE } from './browser.mjs';
import { Panel } from './panel.mjs';

/** A browser and a site to reach states in; each state has tabs of its own. */
export class Stage {
  #surfaces = [];

  constructor(gloss, site) {
    this.gloss = gloss;
    this.site = site;
  }

  /** A tab at a page of the site, or at an address of its own. */
  async over(path = 'article.html') {
    const page = await this.gloss.open(/^\w+:/.test(path) ? path : this.site.url(path));
    this.#surfaces.push(page);
    return page;
  }

  /** The popup over a page, once it says what the page is. */
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

  /** The popup over a page that is busy until the state is left, so that its run waits for it. */
  async busy() {
    const panel = await this.popup();
    const page = this.#surfaces.at(-1);
    page.evaluate(holdPage).catch(() => {});
    await this.site.holding();
    return panel;
  }

  /** Ends the state: its tabs go, and with them its surfaces. */
  async leave() {
    this.site.release();
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
  running: (stage) => stage.busy().then(running),
  stopped: (stage) => stage.busy().then(running).then(stopped),
  'failed run': (stage) => stage.side('chrome://version/', 's').then((panel) => says(panel, 'Gloss cannot read this page')),
  'blocked page': (stage) => stage.side('chrome://version/').then((panel) => says(panel, 'Gloss cannot read this page')),
  'page without text': (stage) => stage.side('empty.html').then((panel) => says(panel, 'No text found')),
  'permission needed': (stage) => withoutRights(stage).then((panel) => says(panel, 'Permission needed')),
};

/** The same for a browser that speaks Chinese. */
export const CHINESE_STATES = {
  '空白': (stage) => stage.popup('article-zh.html'),
  '摘要': (stage) => stage.popup('article-zh.html').then(summarized),
};

/** Resolves to `panel` once it says `words`. */
export async function says(panel, words) {
  await panel.page.waitForFunction(
    (words) => document.body.innerText.includes(words), { timeout: PATIENCE, polling: 'mutation' }, words);
  return panel;
}

async function summarized(panel) {
  await panel.summarize();
  await panel.finished();
  return panel;
}

async function asked(panel, question) {
  await panel.page.type('textarea', question);
  await panel.page.keyboard.press('Enter');
  return says(panel, 'Done');
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

/** The side panel stays while the person goes on to a tab where Gloss was never opened. */
async function withoutRights(stage) {
  const panel = await stage.side();
  await says(panel, 'Summarize page');
  await stage.over('article-zh.html');
  return panel;
}

// Runs in the page and closes over nothing.
function holdPage() {
  const request = new XMLHttpRequest();
  request.open('GET', '/held', false);
  request.send();
}
