// The on-device model in conversation: it quotes the closest passages and claims nothing; labels
// quotes that explain; says what it is; and offers to connect a model.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { articleText, inView } from './lib/article.mjs';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat } from './lib/chat.mjs';
import { serve } from './lib/server.mjs';

const OFFER = 'Connect a model';
const CLOSEST = 'Closest passages in this page';

let site, gloss, page;
before(async () => {
  site = await serve();
  gloss = await launch();
  page = await gloss.open(site.url('article.html'));
});
after(async () => {
  await gloss?.close();
  await site?.close();
});

/** Asks in a new conversation; resolves to the content of the answer's turn once it is done. */
async function asked(question, words, over = page) {
  const chat = await Chat.over(gloss, over);
  if (await chat.offers('New chat')) await chat.press('New chat');
  await chat.ask(question);
  await chat.settled(words);
  const shown = await chat.page.$eval('[role=log] article:not([data-you])', readTurn);
  return { ...shown, chat };
}

test('a question is answered by the closest passages, each with its heading, its link and the words marked', async () => {
  const { quotes, links, labels, marks, heading, shown, text, chat } = await asked('When was the first of his lenses lit?', 'July 1823');
  assert.equal(heading, CLOSEST);
  assert.equal(quotes.length, 8);
  assert.equal(links.length, 8);
  assert.equal(shown, 3);
  const article = await articleText(page);
  for (const quote of quotes) assert.ok(article.includes(quote), `not in the article: ${quote}`);
  const at = quotes.findIndex((quote) => quote.includes('July 1823'));
  assert.ok(at >= 0 && at < 3, JSON.stringify(quotes));
  assert.equal(labels[at], 'A lens with nothing in the middle');
  assert.ok(marks.includes('lit') && marks.includes('first'), JSON.stringify(marks));
  await chat.page.click('[role=log] details:has(ol) > summary');
  assert.equal(await chat.page.$$eval('[role=log] .points > li', (all) => all.filter((li) => li.checkVisibility()).length), 8);
  const reader = await gloss.open(links[at]);
  await inView(reader, quotes[at].slice(0, 40), PATIENCE);
  await reader.close();
  assert.match(text, /More \(5\)/);
  assert.match(text, /The on-device model can only quote this page\. ?Connect a model/);
});

test('a name that the page does not contain is named, and how to check it; a model is offered', async () => {
  const { heading, quotes, text, chat } = await asked('How many keepers drowned in Boston?', 'isn’t on this page');
  assert.equal(heading, CLOSEST);
  assert.equal(quotes.length, 8);
  assert.match(text, /“Boston” isn’t on this page/);
  await chat.page.click('[role=log] details:not(:has(ol)) > summary');
  await chat.says('To check, press Ctrl F in the page.');
  const known = gloss.browser.targets();
  await chat.page.click('[role=log] a[href^="options.html"]').catch((error) => assert.match(error.message, /closed/i));
  const isOptions = (target) => target.url().endsWith('options.html#models') && !known.includes(target);
  const options = await (await gloss.browser.waitForTarget(isOptions, { timeout: PATIENCE })).asPage();
  await options.waitForSelector('#models', { timeout: PATIENCE });
  await options.close();
});

test('passages are shown even if the page has no word of the question, and words of its menu are not said to be absent', async () => {
  const { heading, quotes, text } = await asked('Do zebras read the Weather?', CLOSEST);
  assert.equal(heading, CLOSEST);
  assert.equal(quotes.length, 8);
  assert.doesNotMatch(text, /isn’t on this page/);
});

test('a term is explained by its definition, and labels say which is which', async () => {
  const { quotes, labels, text } = await asked('What is an occulting light?', 'Defined here');
  assert.deepEqual(labels, ['Defined here']);
  assert.deepEqual(quotes, ['An occulting light is bright for longer than it is dark.']);
  assert.ok(text.includes(OFFER), text);
});

test('a term that the page uses but does not define is looked up like any question', async () => {
  const { heading, quotes } = await asked('What does “total internal reflection” mean?', CLOSEST);
  assert.equal(heading, CLOSEST);
  assert.match(quotes[0], /Physicists call this total internal reflection/);
});

test('what is asked of itself it says, and what it cannot do', async () => {
  const itself = await asked('Who are you?', 'sends nothing');
  assert.deepEqual(itself.quotes, []);
  assert.ok(itself.text.includes(OFFER), itself.text);
  assert.doesNotMatch(itself.text, /of the page read/, 'it read nothing for that');
  const letter = await asked('Translate this page into French', 'The on-device model can only quote this page');
  assert.ok(letter.text.includes(OFFER), letter.text);
});

test('tl;dr is a summary', async () => {
  const { quotes, links } = await asked('tl;dr', 'These are the page’s own sentences');
  assert.ok(links.length >= 3, JSON.stringify({ quotes, links }));
});

test('without a page it says so and offers a model', async () => {
  const side = await gloss.openSidePanel(await gloss.open('chrome://version/'));
  const chat = await Chat.in(side, gloss.language);
  await chat.ask('Why is the sky blue?');
  await chat.settled('There is no page here to quote from.');
  await chat.says(OFFER);
});

// Runs in the page and uses no variable from outside.
function readTurn(turn) {
  const words = (node) => node.textContent.replace(/\s+/g, ' ').trim();
  const quote = (block) => {
    const copy = block.cloneNode(true);
    for (const mark of copy.querySelectorAll('.mark')) mark.remove();
    return words(copy);
  };
  return {
    quotes: [...turn.querySelectorAll('blockquote, li .quote')].map(quote),
    links: [...turn.querySelectorAll('a.ref')].map((link) => link.href),
    labels: [...turn.querySelectorAll('.label')].map(words),
    marks: [...turn.querySelectorAll('mark')].map(words),
    heading: turn.querySelector('h2') && words(turn.querySelector('h2')),
    shown: [...turn.querySelectorAll('.points > li')].filter((li) => li.checkVisibility()).length,
    text: words(turn),
  };
}
