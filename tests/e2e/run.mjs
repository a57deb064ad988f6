// The browser half of `cargo xtask run`: node run.mjs FOLDER_FOR_SCREENSHOTS

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from './lib/browser.mjs';
import { Panel } from './lib/panel.mjs';
import { serve } from './lib/server.mjs';

const folder = process.argv[2] ?? 'target/run';
const hasDisplay =
  ['darwin', 'win32'].includes(process.platform) ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

const site = await serve();
const gloss = await launch({ headless: !hasDisplay });
try {
  const page = await gloss.open(site.url('article.html'));
  await (hasDisplay ? show() : demonstrate(page));
} finally {
  await gloss.close();
  await site.close();
}

/** Leaves the browser to the person; ends when it is closed. */
async function show() {
  console.log('\nThe browser is open. Press the Gloss icon (behind the puzzle piece), then "Summarize page".');
  console.log('Close the browser to end.');
  await new Promise((resolve) => gloss.browser.once('disconnected', resolve));
}

/** Presses the button, prints the result, and saves screenshots. */
async function demonstrate(page) {
  console.log('\nNo display: pressing "Summarize page" in the popup of a headless browser.\n');
  const popup = await gloss.openPopup(page);
  const panel = await Panel.of(popup);
  await panel.summarize();
  const answer = await panel.finished();
  console.log(`${await page.title()}\n\n${answer.gist}\n`);
  for (const { text, label, href } of answer.points) console.log(`- ${text}\n  ${label}: ${href}\n`);
  console.log(await panel.status());

  await mkdir(folder, { recursive: true });
  await picture(popup, 'popup');
  await popup.close();
  const side = await gloss.openSidePanel(page);
  await (await Panel.of(side)).finished();
  await picture(side, 'panel');
}

async function picture(page, name) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    const path = join(folder, `${name}-${scheme}.png`);
    await page.screenshot({ path });
    console.log(path);
  }
}
