// The page as a user sees it: its text, and whether a passage is in view.

/** The text of the page's article, with folded white space. */
export function articleText(page) {
  return page.$eval('article', (article) => article.textContent.replace(/\s+/g, ' '));
}

/** Resolves when the passage that begins with `text` is within the window of `page`. */
export function inView(page, text, timeout) {
  return page.waitForFunction(passageInView, { timeout, polling: 'raf' }, text);
}

function passageInView(text) {
  const fold = (words) => words.replace(/\s+/g, ' ');
  const blocks = [...document.querySelectorAll('article :is(h1, h2, p, li, td, figcaption)')];
  const block = blocks.find((one) => fold(one.textContent).includes(fold(text)));
  const box = block?.getBoundingClientRect();
  return Boolean(box && box.bottom > 0 && box.top < innerHeight);
}
