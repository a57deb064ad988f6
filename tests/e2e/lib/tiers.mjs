// The stored records of runs, in both tiers: session storage and the disk. These functions run in a
// page of the extension and use no variable from outside.

/** The journals' batches on disk, by `<run>/<number>`. */
export async function filedBatches() {
  const there = (await indexedDB.databases()).some(({ name }) => name === 'gloss');
  if (!there) return {};
  const answered = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await answered(indexedDB.open('gloss'));
  try {
    if (!database.objectStoreNames.contains('batches')) return {};
    const batches = database.transaction('batches').objectStore('batches');
    const [keys, texts] = await Promise.all([answered(batches.getAllKeys()), answered(batches.getAll())]);
    return Object.fromEntries(keys.map((key, at) => [key, texts[at]]));
  } finally {
    database.close();
  }
}

/** The batches of the session. */
export async function sessionBatches() {
  const stored = Object.entries(await chrome.storage.session.get(null));
  const batches = stored.filter(([key]) => key.startsWith('r/'));
  return Object.fromEntries(batches.map(([key, text]) => [key.slice(2), text]));
}

/** Both tiers together, read from outside `page`. */
export async function storedBatches(page) {
  const [filed, hot] = [await page.evaluate(filedBatches), await page.evaluate(sessionBatches)];
  return { ...filed, ...hot };
}

/** The records of a batch's text, without the checksum. */
export function recordsOf(batch) {
  return JSON.parse(batch.replace(/^#.*\n/, ''));
}
