// Every state, in light and dark, wide and narrow: axe-core finds no violation, nothing is cut off
// sideways, and Tab reaches every control. A new state is a line in lib/states.mjs.
//
// CI checks each state light and wide, and dark and narrow; the long suites check all four.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dress, overflow, unreachable, violations } from './lib/audit.mjs';
import { launch } from './lib/browser.mjs';
import { ChatServer } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';
import { theatre } from './lib/stage.mjs';
import { CHINESE_STATES, FORBIDDEN_STATES, MODEL_STATES, Stage, STATES, TOLD_STATES } from './lib/states.mjs';

const LOOKS = process.env.GLOSS_LONG
  ? [['light', 400], ['dark', 400], ['light', 320], ['dark', 320]]
  : [['light', 400], ['dark', 320]];

const HOSTS = ['http://127.0.0.1/*'];
const GROUPS = [
  ['on device', { language: 'en' }, STATES],
  ['in Chinese', { language: 'zh-CN' }, CHINESE_STATES],
  ['a model', { hosts: HOSTS, connected: true }, MODEL_STATES],
  ['a model that was not allowed', { connected: true }, FORBIDDEN_STATES],
];

for (const [group, { connected, ...options }, states] of GROUPS) {
  describe(group, () => {
    let site, server, gloss, stage;
    before(async () => {
      [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch(options)]);
      if (connected) await connect(gloss, { baseUrl: server.baseUrl });
      stage = new Stage(gloss, site, server);
    });
    after(async () => {
      await gloss?.close();
      await server?.close();
      await site?.close();
    });

    for (const [name, reach] of Object.entries(states)) {
      test(name, async () => {
        try {
          await audit((await reach(stage)).page);
        } finally {
          await stage.leave();
        }
      });
    }
  });
}

describe('told by the worker', () => {
  let house;
  before(async () => (house = await theatre()));
  after(() => house?.close());

  for (const [name, reach] of Object.entries(TOLD_STATES)) {
    test(name, async () => {
      const stage = await house.stage();
      try {
        await audit((await reach(stage)).page);
      } finally {
        await stage.close();
      }
    });
  }
});

test('the audit finds what was planted for it', async () => {
  const site = await serve();
  const gloss = await launch();
  try {
    const { page } = await STATES['empty, popup'](new Stage(gloss, site));
    await page.evaluate(plantFaults);
    const found = (await violations(page)).join('\n');
    for (const rule of ['button-name', 'color-contrast']) assert.match(found, new RegExp(`^${rule}: `, 'm'));
    const walked = await unreachable(page);
    assert.deepEqual(walked, ['not by Tab: button "Out of reach"', 'no sign of the focus: button "Unseen"']);
    assert.ok((await overflow(page)) > 0);
  } finally {
    await gloss.close();
    await site.close();
  }
});

// Runs in the page and uses no variable from outside.
function plantFaults() {
  const plant = (words, style, tabIndex = 0) => {
    const button = Object.assign(document.createElement('button'), { textContent: words, tabIndex });
    Object.assign(button.style, style);
    document.body.append(button);
  };
  plant('', {});
  plant('Out of reach', {}, -1);
  plant('Unseen', { outline: 'none', width: '3000px', minWidth: '3000px' });
  plant('Pale', { color: '#ccc', backgroundColor: '#fff' });
}

async function audit(page) {
  for (const [scheme, width] of LOOKS) {
    await dress(page, scheme, width);
    assert.deepEqual(await violations(page), [], `${scheme}, ${width} px`);
    assert.equal(await overflow(page), 0, `cut off sideways at ${width} px`);
  }
  assert.deepEqual(await unreachable(page), [], 'by keyboard');
}
