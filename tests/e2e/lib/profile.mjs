// A model of one's own, connected without pressing through Options.
//
// Driving example: `const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
// await connect(gloss, { baseUrl: server.baseUrl })`. Writes what the options page would have
// stored; Options itself has tests of its own.

/** What a profile is called here, unless a test says otherwise. */
export const NAME = 'Scripted';

/** Keeps a profile and lets it answer from now on: the next life of the worker knows it. */
export async function connect(gloss, { baseUrl, key = 'key-1', model = 'scripted-1', calling = 'native', name = NAME, api, facts, ...settings }) {
  const profile = { id: 'p1', name, base_url: baseUrl, model, calling, api, facts };
  const preferences = { profiles: [profile], answers: profile.id, ...settings };
  const document = { format: 'gloss-preferences', version: 1, preferences };
  // Any file of the extension may write; this one is no surface.
  const own = await gloss.openOwn('icons.svg');
  await own.evaluate((items) => chrome.storage.local.set(items), {
    's/preferences': JSON.stringify(document),
    // A key is kept with the origin that it was given for.
    [`k/${profile.id}`]: `${new URL(baseUrl).origin} ${key}`,
  });
  // A worker that is killed in the middle of its birth is sometimes never born again.
  await own.evaluate(answered);
  await own.close();
  // Settings are read once in each life.
  await gloss.killWorker();
}

// Runs in a page of the extension and closes over nothing. Whatever the worker says to a greeting
// of no version, it is alive then.
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
