// The accuracy of on-device text recognition in a screenshot, compared with the page's text.
//
// Example: a page of Debian's handbook is opened, a scripted model calls
// `extract_screenshot_text`, and the tool's result is compared with the text whose lines are
// completely in the window. The figure is the character error rate: insertions, deletions and
// substitutions per character of the page. White space is folded, and removed in Chinese.

import { Chat, sure } from './chat.mjs';
import { call, says } from './chat_server.mjs';

/** The books, the folders of their pages, and their promised figures. */
export const BOOKS = [
  { language: 'en', promised: 0.07, folder: 'usr/share/doc/debian-handbook/html/en-US' },
  { language: 'zh', promised: 0.13, folder: 'usr/share/doc/debian-handbook/html/zh-CN' },
];
/** A page that fills less than a window is skipped. */
const LEAST_CHARACTERS = 600;

/**
 * The mean character error rate of each of `books` (`{ language, promised, pages }`, the pages by
 * their address), over the first `most` pages that fill a window: `{ language, promised, rate, rates }`.
 */
export async function measureReading({ gloss, server, books, most }) {
  const measured = [];
  for (const { language, promised, pages } of books) {
    const rates = [];
    for (const address of pages) {
      if (rates.length === most) break;
      const page = await gloss.open(address);
      const shown = folded(await page.evaluate(visibleText), language);
      if (shown.length >= LEAST_CHARACTERS) {
        const read = folded(await readBy(gloss, server, page), language);
        rates.push({ name: address.split('/').at(-1), rate: distance(shown, read) / shown.length });
      }
      await page.close();
    }
    const rate = rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;
    measured.push({ language, promised, rate, rates });
  }
  return measured;
}

async function readBy(gloss, server, page) {
  server.reset();
  const look = call('extract_screenshot_text', { reasoning: 'The page is shown.' });
  server.script(says('<gloss>{"thought":"It is shown."}</gloss>', look), sure('It is read.'));
  const chat = await Chat.over(gloss, page);
  await chat.ask('What does it say?');
  await chat.settled('It is read.');
  const { json } = await server.request(2);
  const { content } = json.messages.find(({ role }) => role === 'tool');
  const given = JSON.parse(content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1));
  await chat.page.close().catch(() => {});
  return given.text;
}

/**
 * The text as it is compared: one kind of white space and of quotation mark; no white space in
 * Chinese.
 */
function folded(text, language) {
  const plain = text.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-');
  return [...plain.replace(/\s+/g, language === 'zh' ? '' : ' ').trim()];
}

/** The Levenshtein distance, over characters. */
function distance(one, other) {
  let row = Uint32Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i++) {
    const next = new Uint32Array(other.length + 1);
    next[0] = i;
    for (let j = 1; j <= other.length; j++) {
      const changed = row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      next[j] = Math.min(changed, row[j] + 1, next[j - 1] + 1);
    }
    row = next;
  }
  return row[other.length];
}

// This runs in the page and uses no variable from outside.

/** The text whose lines are in the window, in reading order. */
function visibleText() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = [];
  const range = document.createRange();
  let last;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { visibility, display } = getComputedStyle(node.parentElement);
    if (visibility !== 'visible' || display === 'none') continue;
    for (const match of node.data.matchAll(/\S/g)) {
      range.setStart(node, match.index);
      range.setEnd(node, match.index + 1);
      const { top, bottom, width, right } = range.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      if (width === 0 || middle < 0 || middle > innerHeight || right > innerWidth) continue;
      const follows = last?.node === node && last.at + 1 === match.index && Math.abs(last.top - top) < 4;
      const beside = last && last.node !== node && Math.abs(last.right - range.getBoundingClientRect().left) < 1.5 && Math.abs(last.top - top) < 6;
      lines.push(follows || beside ? match[0] : ` ${match[0]}`);
      last = { node, at: match.index, top, right };
    }
  }
  return lines.join('');
}
