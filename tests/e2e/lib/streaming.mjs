// An answer as it streams into a surface: when its words stand on the screen, and how long
// each frame took.
//
// Driving example: `await watchStream(panel.page); …ask…; const { shown, frames } = await
// streamed(panel.page)`. The server stamps a word when it writes it, the page when the frame
// that shows it is drawn; both clocks are this machine's.

/** Words that are told apart wherever they stand: `w0001`, `w0002`, … */
export function numbered(count) {
  return Array.from({ length: count }, (_, at) => `w${String(at).padStart(5, '0')}`);
}

/** Begins to watch; call it before asking. */
export function watchStream(page) {
  return page.evaluate(beginWatch);
}

/**
 * What was seen so far: `shown`, when each numbered word was first drawn, in ms since 1970;
 * `frames`, the time from each frame to the next; `longest`, each task over 50 ms.
 */
export function streamed(page) {
  return page.evaluate(() => {
    const { shown, frames, longest } = globalThis.streamWatch;
    return { shown: Object.fromEntries(shown), frames, longest };
  });
}

// Runs in the page and closes over nothing.
function beginWatch() {
  const watch = (globalThis.streamWatch = { shown: new Map(), frames: [], longest: [] });
  const now = () => performance.timeOrigin + performance.now();
  let fresh = [];
  let scheduled = false;
  let inFrame = false;
  const afterwards = (then) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = then;
    channel.port2.postMessage(0);
  };
  const note = (node) => {
    for (const [word] of node.textContent.matchAll(/w\d{5}/g)) {
      if (watch.shown.has(word)) continue;
      watch.shown.set(word, Infinity);
      fresh.push(word);
    }
  };
  const drawn = () => {
    scheduled = false;
    const at = now();
    for (const word of fresh.splice(0)) watch.shown.set(word, at);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') note(target);
      else addedNodes.forEach(note);
    }
    if (fresh.length === 0 || scheduled) return;
    scheduled = true;
    // A task after the frame that it is changed in, or after the next one: by then it has been
    // laid out and painted.
    if (inFrame) afterwards(drawn);
    else requestAnimationFrame(() => afterwards(drawn));
  }).observe(document.querySelector('[role=log]'), { subtree: true, childList: true, characterData: true });
  let last;
  const frame = (at) => {
    inFrame = true;
    afterwards(() => { inFrame = false; });
    if (last !== undefined) watch.frames.push(at - last);
    last = at;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => watch.longest.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask' });
}
