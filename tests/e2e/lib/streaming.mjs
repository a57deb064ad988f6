// An answer as it streams into a surface: the time at which its words are on the screen, and the
// duration of each frame.
//
// Example: `await watchStream(panel.page); …ask…; const { shown, frames } = await
// streamed(panel.page)`. The server stamps a word when it writes it, the page when the frame
// that shows it is drawn; both clocks are this machine's.

/** Words that are distinguishable anywhere: `w0001`, `w0002`, … */
export function numbered(count) {
  return Array.from({ length: count }, (_, at) => `w${String(at).padStart(5, '0')}`);
}

/** Starts to watch; call it before asking. */
export function watchStream(page) {
  return page.evaluate(beginWatch);
}

/**
 * The measurements so far: `shown`, the time at which each numbered word was first drawn, in ms
 * since 1970; `frames`, the time from each frame to the next; `longest`, each task over 50 ms.
 */
export function streamed(page) {
  return page.evaluate(() => {
    const { shown, frames, longest } = globalThis.streamWatch;
    return { shown: Object.fromEntries(shown), frames, longest };
  });
}

// Runs in the page and uses no variable from outside.
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
    // Measured in a task after the frame with the change, or after the next one: by then the change
    // is laid out and painted.
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
