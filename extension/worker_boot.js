// The service worker's bootstrap: registers every listener in the first turn, starts the core (Rust in WebAssembly)
// and forwards to it, in order; after a panic it starts the core anew and tells it of the ports that live.
const coreWasm = fetch(new URL("worker/worker_bg.wasm", import.meta.url)); // before all else: a wake waits for it
import * as glue from "./worker/worker.js";
import * as reader from "./reader/reader.js";
import * as documents from "./documents/documents.js";

const { runtime } = chrome, PANICS_A_MINUTE = 3;
const wasm = (name) => ({ module_or_path: new URL(`${name}/${name}_bg.wasm`, import.meta.url) });
// What the core holds in the browser (locks, requests): after a panic its destructors don't run, so it is let go from here.
const [held, modules, loading] = [new Set(), { reader, documents }, {}];
const holding = (done, letGo) => {
  const release = () => { if (held.delete(release)) letGo(); };
  held.add(release);
  return { done, release };
};
// What each life reads first is asked for while its module still loads: `stored` gives each answer once, then asks again.
const early = new Map(["s/preferences", "s/facts", "s/reflections"].map((key) => [key, chrome.storage.local.get(key)]));
for (const key of [null, "places"]) early.set(key, chrome.storage.session.get(key));
for (const asked of early.values()) asked.catch(() => {}); // whoever takes it reports it
globalThis.glossHost = {
  // `done` resolves to whether the lock was granted: a second line of defence, granted where there are no Web Locks.
  lock(name) {
    const [granted, released] = [Promise.withResolvers(), Promise.withResolvers()];
    const asked = navigator.locks?.request(name, { ifAvailable: true }, (lock) => {
      granted.resolve(lock !== null);
      return lock && released.promise;
    }) ?? Promise.reject();
    asked.catch(() => granted.resolve(true));
    return holding(granted.promise, released.resolve);
  },
  stored: (area, key, asked = early.get(key)) => (early.delete(key) ? asked : chrome.storage[area].get(key)),
  // `done` resolves to the response; letting go aborts the request and what is left of its body.
  send: (url, init, abort = new AbortController()) => holding(fetch(url, { ...init, signal: abort.signal }), () => abort.abort()),
  hold: (letGo) => holding(undefined, letGo).release, // gives what lets go: a session of the browser's model
  // The alarm wakes a worker that was killed; the interval keeps one alive that awaits a slow first byte: a fetch does not.
  watch(on) {
    clearInterval(courtesy);
    if (!on) return chrome.alarms.clear("watchdog");
    courtesy = setInterval(() => runtime.getPlatformInfo(), 20_000);
    chrome.alarms.create("watchdog", { periodInMinutes: 0.5 });
  },
  // What knows pages, and what documents, are modules of their own: loaded when first needed, thrown away when they fail.
  async module(name, call, ...args) {
    await (loading[name] ??= modules[name].default(wasm(name)).catch((error) => { delete loading[name]; throw error; }));
    try { return modules[name][call](...args); } catch (error) { modules[name].__wbg_reset_state(); throw error; }
  },
  panicked: (words, run) => recover(words, run),
};
// ---- One core at a time: `ready` resolves to it.
const ports = new Map(); // id -> { port, core it is connected to, its last hello }
let core, ready, refusal, courtesy, lastPort = 0, panics = []; // when, of the last minute

const launch = (prepared, born, words, run) => {
  const attempt = prepared.then(async () => {
    core = await glue.Core.load(born, words, run);
    for (const id of ports.keys()) connect(id);
    return core;
  });
  ready = attempt;
  attempt.catch((error) => { if (ready === attempt) giveUp(String(error)); });
};
const recover = (words, run) => {
  core = undefined;
  panics = [...panics.filter((at) => performance.now() - at < 60_000), performance.now()];
  if (panics.length > PANICS_A_MINUTE || !glue.__wbg_reset_state) return giveUp(words);
  const cleared = new Promise((resolve) => setTimeout(resolve)).then(() => { // the dead instance is still on this stack
    for (const release of held) release();
    glue.__wbg_reset_state();
  });
  launch(cleared, performance.now(), words, run);
};
// The panel says it in words; the worker sleeps, and its next life tries again.
const giveUp = (words) => {
  console.error("the core does not start:", words);
  refusal = { refused: { failure: { code: "worker_failed", title: { key: "worker_failed_title" },
    remedy: { key: "worker_failed_remedy", args: [words] }, recoverable: false } } };
  glossHost.watch(false);
  for (const { port } of ports.values()) port.postMessage(refusal);
  (ready = Promise.reject(words)).catch(() => {});
};

// Calls in order; what waited for a core that died meanwhile goes to the next one.
const forward = (call, awaited = ready) => {
  awaited.then((alive) => (alive === core ? call(alive) : forward(call)), () => awaited !== ready && forward(call));
};

const connect = (id) => {
  const surface = ports.get(id);
  if (!surface || surface.core === core) return;
  surface.core = core;
  core.connect(id, surface.port);
  if (surface.hello) core.message(id, surface.hello); // after a panic it doesn't know that it should ask for all there is again
};
launch(glue.default({ module_or_path: coreWasm }), 0);

// A trap without a panic (memory used up) passes no hook. One with a panic comes here, too, a moment after it.
const trapped = (error) => {
  const known = performance.now() - (panics.at(-1) ?? -Infinity) < 1000;
  if (core && !known && error instanceof WebAssembly.RuntimeError) recover(String(error));
};
addEventListener("error", (event) => trapped(event.error));
addEventListener("unhandledrejection", (event) => trapped(event.reason));
// ---- Surfaces: only this extension's own pages.
runtime.onConnect.addListener((port) => {
  const own = port.sender?.id === runtime.id && port.sender.origin === location.origin;
  if (!own || !["surface", "options", "offscreen"].includes(port.name)) return port.disconnect();
  const [id, surface] = [++lastPort, { port }];
  ports.set(id, surface);
  port.onMessage.addListener((message) => {
    if (refusal) return port.postMessage(refusal);
    forward((core) => {
      if (!ports.has(id)) return;
      if (message?.hello) surface.hello = message;
      core.message(id, message);
    });
  });
  port.onDisconnect.addListener(() => {
    ports.delete(id);
    forward((core) => { if (surface.core === core) core.disconnect(id); });
  });
  forward(() => connect(id));
});
// ---- Menus and keys. The panel must be asked for within the gesture: before any await.
const openPanel = (tab) => tab && chrome.sidePanel.open({ windowId: tab.windowId }).catch(console.warn);
const begin = (goal, tab) => {
  if (!(tab?.id >= 0)) return;
  openPanel(tab);
  forward((core) => core.begin(crypto.randomUUID(), goal, tab.id, chrome.i18n.getUILanguage()));
};
chrome.contextMenus.onClicked.addListener((info, tab) =>
  begin(info.menuItemId === "explain" ? { explain: { selection: info.selectionText ?? "" } } : "summarize", tab));
chrome.commands.onCommand.addListener((command, tab) => (command === "summarize" ? begin(command, tab) : openPanel(tab)));
for (const event of [chrome.alarms.onAlarm, chrome.permissions.onAdded, runtime.onStartup, runtime.onInstalled]) event.addListener(() => forward((core) => core.wake()));
