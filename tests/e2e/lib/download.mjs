// A file that the browser really downloads.
//
// Example: `const { name, text } = await downloaded(gloss, () => panel.press('JSON'))`.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTime } from './patience.mjs';

/** The file that `act` makes the browser save: its proposed name, and its content. */
export async function downloaded(gloss, act) {
  const folder = await mkdtemp(join(tmpdir(), 'gloss-download-'));
  const cdp = await gloss.browser.target().createCDPSession();
  try {
    await cdp.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true });
    const ended = inTime('the download ends', (resolve) => {
      let name;
      cdp.on('Browser.downloadWillBegin', (begun) => (name = begun.suggestedFilename));
      cdp.on('Browser.downloadProgress', ({ guid, state }) => {
        if (state !== 'inProgress') resolve({ guid, name, state });
      });
    });
    const [{ guid, name, state }] = await Promise.all([ended, act()]);
    if (state === 'canceled') throw new Error(`the download of ${name} was cancelled`);
    return { name, text: await readFile(join(folder, guid), 'utf8') };
  } finally {
    await cdp.send('Browser.setDownloadBehavior', { behavior: 'default' });
    await cdp.detach();
    await rm(folder, { recursive: true, force: true });
  }
}
