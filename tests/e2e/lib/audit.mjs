// Checks of a surface for screen readers and keyboards.
//
// Example: `assert.deepEqual(await violations(page), [])`, `assert.deepEqual(await
// unreachable(page), [])`. axe-core is evaluated from here: the surfaces' own policy would
// let no script in.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import axe from 'axe-core';

/** The folder for screenshots, to compare with the mock-ups; none by default. */
const PICTURES = process.env.GLOSS_PICTURES;

/** The violations that axe-core finds in `page` now, a line each. */
export async function violations(page) {
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(axe.source);
  return page.evaluate(runAxe);
}

/** Shows `page` in `scheme` (`light`, `dark`) at `width` CSS pixels, with nothing in motion. */
export async function dress(page, scheme, width) {
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.setViewport({ width, height: 640 });
  await page.evaluate(nextFrame);
}

/** The number of pixels by which `page` is wider than its screen; 0 if it fits. */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/**
 * Checks `page` in light and dark: axe-core finds nothing, and nothing is wider than the screen.
 * Takes a screenshot of `selector` in each.
 */
export async function looked(page, selector, name, width) {
  for (const scheme of ['light', 'dark']) {
    await dress(page, scheme, width);
    assert.deepEqual(await violations(page), [], `${name} ${scheme}`);
    assert.ok((await overflow(page)) <= 0, `${name} ${scheme}`);
    if (!PICTURES) continue;
    await mkdir(PICTURES, { recursive: true });
    await (await page.$(selector)).screenshot({ path: `${PICTURES}/${name}-${scheme}.png` });
  }
}

/**
 * The controls of `page` that Tab does not reach, or on which the focus is not visible; a line
 * each. Members of a composite (a tree, a menu, radio buttons) are skipped: arrow keys move there.
 */
export async function unreachable(page) {
  await page.bringToFront();
  const count = await page.evaluate(beginWalk);
  // Twice round, because a walk may begin in the middle; the page's own end is a stop too.
  for (let press = 0; press < 2 * count + 4; press += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(noteFocus)) break;
  }
  return page.evaluate(endWalk);
}

// The following functions run in the page and use no variable from outside.

async function runAxe() {
  const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary.replace(/\s+/g, ' ')}`));
}

function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

function beginWalk() {
  const composite = '[role=tree], [role=listbox], [role=menu], [role=radiogroup], [role=tablist], [role=toolbar]';
  const controls = 'a[href], button, input, select, textarea, summary, [role=button], [role=switch], [tabindex="0"]';
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !node.closest('[inert], [aria-hidden=true]');
  // While a modal dialog is open, only its controls count.
  const root = [...document.querySelectorAll('dialog')].findLast((one) => one.matches(':modal')) ?? document;
  const wanted = [...root.querySelectorAll(controls)].filter((node) => shown(node)
    && !node.matches(':disabled, [type=radio]:not(:checked)')
    && !(node.tabIndex < 0 && node.parentElement.closest(composite)));
  document.activeElement?.blur();
  // The style of a control and its frame while nothing has the focus.
  const look = (node) => {
    const lines = [];
    for (let one = node, up = 0; one instanceof Element && up < 4; one = one.parentElement, up += 1) {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(one);
      lines.push(outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor);
    }
    return lines.join('|');
  };
  globalThis.walk = { wanted, look, rest: new Map(wanted.map((node) => [node, look(node)])), seen: new Map() };
  return wanted.length;
}

function noteFocus() {
  const { wanted, look, rest, seen } = globalThis.walk;
  const node = document.activeElement;
  if (node && !seen.has(node)) seen.set(node, look(node) !== rest.get(node));
  return wanted.every((one) => seen.has(one));
}

function endWalk() {
  const { wanted, seen } = globalThis.walk;
  const name = (node) => `${node.localName} ${JSON.stringify(node.ariaLabel ?? node.textContent.trim().slice(0, 40))}`;
  const missed = wanted.filter((node) => node.isConnected && !seen.has(node)).map((node) => `not by Tab: ${name(node)}`);
  const unseen = wanted.filter((node) => seen.get(node) === false).map((node) => `no sign of the focus: ${name(node)}`);
  return [...missed, ...unseen];
}
