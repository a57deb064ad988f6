// A connected model, without using Options.
//
// Example: `const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
// await connect(gloss, { baseUrl: server.baseUrl })`. It writes what the options page would have
// stored; Options has tests of its own.

/** The name of a profile, unless a test sets another. */
export const NAME = 'Scripted';

/** Stores a profile as the answering model, and more `keys` by name; the worker's next life uses them. */
export async function connect(gloss, { baseUrl, key = 'key-1', model = 'scripted-1', calling = 'native', name = NAME, api, facts, keys = {}, ...settings }) {
  const profile = { id: 'p1', name, base_url: baseUrl, model, calling, api, facts };
  const preferences = { profiles: [profile], answers: profile.id, ...settings };
  const document = { format: 'gloss-preferences', version: 1, preferences };
  // Any page of the extension can write; this one is no surface.
  const own = await gloss.openOwn('icons.svg');
  await own.evaluate((items) => chrome.storage.local.set(items), {
    's/preferences': JSON.stringify(document),
    // A key is stored with the origin that it is for.
    's/keys': JSON.stringify({ version: 1, header: 'device', keys: { [profile.id]: { origin: new URL(baseUrl).origin, text: key }, ...keys } }),
  });
  // A worker that is killed during its start sometimes never starts again.
  await own.evaluate(answered);
  await own.close();
  // Settings are read once in each life.
  await gloss.killWorker();
}

// Runs in a page of the extension and uses no variable from outside. Once the worker answers a
// greeting without a version, it is alive.
function answered() {
  return new Promise((heard) => {
    const port = chrome.runtime.connect({ name: 'surface' });
    port.onMessage.addListener(() => {
      port.disconnect();
      heard();
    });
    port.postMessage({ hello: { version: 0, tab: null, language: 'en' } });
  });
}
