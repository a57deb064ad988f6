// Malicious text from a model and from a page: none of it runs, and it causes no network request. A
// server counts the requests.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DIST, launch, PATIENCE } from './lib/browser.mjs';
import { ChatServer, says } from './lib/chat_server.mjs';
import { Panel } from './lib/panel.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server, lure, hits;

before(async () => {
  site = await serve();
  server = await ChatServer.start();
  hits = [];
  lure = createServer((request, response) => {
    hits.push(request.url);
    response.end();
  });
  lure.listen(0, '127.0.0.1');
  await once(lure, 'listening');
});
after(async () => {
  await server?.close();
  await site?.close();
  lure?.close();
});

/**
 * Malicious text of every kind; each leaves a trace if it works: a request, or `globalThis.harmed`.
 */
function harm(bait) {
  const script = `globalThis.harmed='script';fetch('${bait}/fetch')`;
  return [
    `<script>${script}</script>`,
    `<img src="${bait}/img" onerror="${script}">`,
    `<svg onload="${script}"><use href="${bait}/use#x"/></svg>`,
    `<iframe src="${bait}/frame" srcdoc="<script>parent.harmed='frame'</script>"></iframe>`,
    `<a href="javascript:${script}">press me</a>`,
    `[press me](javascript:globalThis.harmed='link')`,
    `[press me](JaVa\u0000Script:globalThis.harmed='link')`,
    `[press me](&#106;avascript:globalThis.harmed='link')`,
    `[press me](data:text/html,<script>opener.harmed='data'</script>)`,
    `[press me](vbscript:x) [press me](file:///etc/passwd) [press me](chrome://settings)`,
    `![a picture](${bait}/markdown-image)`,
    `[![in a link](${bait}/linked-image)](${bait}/link)`,
    `![by reference][pic]\n\n[pic]: ${bait}/reference-image`,
    `<style>@import "${bait}/style"; body { background: url(${bait}/background) }</style>`,
    `<link rel="stylesheet" href="${bait}/sheet"><base href="${bait}/">`,
    `<meta http-equiv="refresh" content="0;url=${bait}/refresh">`,
    `<form action="${bait}/form"><button autofocus onfocus="${script}">Send</button></form>`,
    `<video src="${bait}/video" autoplay></video><object data="${bait}/object"></object>`,
    `<math><mtext><table><mglyph><style><img src="${bait}/mutation" onerror="${script}">`,
    '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007',
    'safe\u202Efdp.exe\u202C \u2066hidden\u2069 \u200Fmark',
    `${'> '.repeat(400)}deep`,
    `${'- '.repeat(400)}deep`,
    `${'*'.repeat(2000)}${'['.repeat(2000)}${'`'.repeat(333)}`,
    `[[p999]] [[<img src=${bait}/citation>]] [[__proto__]]`,
    'The last harmless words.',
  ];
}

/** The harmful parts of a surface. Runs in the page and uses no variable from outside. */
function traces() {
  const log = document.querySelector('[role=log]');
  const forbidden = 'script, iframe, object, embed, form, video, audio, style, link, base, meta, math, img, [srcdoc]';
  const handlers = [...log.querySelectorAll('*')].filter((node) => [...node.attributes].some(({ name }) => name.startsWith('on')));
  const links = [...log.querySelectorAll('[href], [src]')].map((node) => node.getAttribute('href') ?? node.getAttribute('src'));
  return {
    harmed: globalThis.harmed ?? null,
    elements: [...log.querySelectorAll(forbidden)].map((node) => node.outerHTML.slice(0, 80)),
    handlers: handlers.map((node) => node.outerHTML.slice(0, 80)),
    links: links.filter((link) => !/^(https?:|#|icons\.svg#|options\.html#models$)/.test(link)),
    controls: /[\u001b\u0007\u202a-\u202e\u2066-\u2069]/.test(log.textContent),
  };
}

const HARMLESS = { harmed: null, elements: [], handlers: [], links: [], controls: false };

async function standsUnharmed(page) {
  assert.deepEqual(await page.evaluate(traces), HARMLESS);
  assert.deepEqual(hits, [], 'requests to the lure');
}

test('what a model says does nothing and asks nothing of the network', async () => {
  const bait = `http://127.0.0.1:${lure.address().port}`;
  const gloss = await launch({ hosts: ['http://127.0.0.1/*'] });
  try {
    await connect(gloss, { baseUrl: server.baseUrl });
    // Each alone, in pieces that end anywhere, and all in one answer.
    const whole = harm(bait).join('\n\n');
    server.always(says(...(whole.match(/[\s\S]{1,7}/gu) ?? [])));
    const page = await gloss.open(site.url('article.html'));
    const panel = await Panel.of(await gloss.openPopup(page));
    await panel.control('button', 'Summarize page').wait();
    await panel.page.type('textarea', 'Tell me about the lamp');
    await panel.page.keyboard.press('Enter');
    await panel.page.waitForFunction(
      () => document.querySelector('[role=log]').textContent.includes('The last harmless words.')
        && !document.querySelector('[role=log] [aria-busy=true]'), { timeout: PATIENCE });
    await standsUnharmed(panel.page);
    for (const link of await panel.page.$$('[role=log] .prose a[href]')) {
      assert.match(await link.evaluate((node) => node.rel), /noopener/);
    }
  } finally {
    await gloss.close();
  }
});

test('a page that means harm is summarised, and does nothing to the panel', async () => {
  const gloss = await launch();
  try {
    const bait = `http://127.0.0.1:${lure.address().port}`;
    const page = await gloss.open(site.url('empty.html'));
    await page.evaluate(writePage, harm(bait));
    const panel = await Panel.of(await gloss.openPopup(page));
    await panel.summarize();
    await panel.page.waitForFunction(() => document.body.innerText.includes('Done'), { timeout: PATIENCE });
    await standsUnharmed(panel.page);
  } finally {
    await gloss.close();
  }
});

test('a selection is read as it is shown, whatever the names of form fields and in a frame too', async () => {
  const gloss = await launch();
  const capture = await readFile(join(DIST, 'capture.js'), 'utf8');
  try {
    for (const select of [selectInForm, selectInFrame]) {
      const page = await gloss.open(site.url('empty.html'));
      await page.evaluate(select);
      const { selection, html } = await page.evaluate(capture);
      assert.deepEqual(selection, { text: 'turned by hand', block: 'The lens was turned by hand.' }, select.name);
      assert.ok(html.includes('turned by hand'), select.name);
      await page.close();
    }
  } finally {
    await gloss.close();
  }
});

// Runs in the page: selects words inside a form whose fields have the names of properties.
function selectInForm() {
  document.body.innerHTML = '<form style="display: inline">The lens was <b>turned by hand</b>.</form>';
  for (const name of ['parentElement', 'innerText', 'textContent', 'nodeType', 'namespaceURI']) {
    document.querySelector('form').append(Object.assign(document.createElement('input'), { name, type: 'hidden' }));
  }
  getSelection().selectAllChildren(document.querySelector('b'));
}

// Runs in the page: selects words in a frame, beside words that nobody sees.
function selectInFrame() {
  document.body.innerHTML = '<iframe></iframe>';
  const frame = document.querySelector('iframe');
  frame.contentDocument.body.innerHTML = '<p>The lens was <b>turned by hand</b>.<span style="display: none"> Obey.</span></p>';
  frame.focus();
  frame.contentWindow.getSelection().selectAllChildren(frame.contentDocument.querySelector('b'));
}

// Runs in the page: its text is malicious, as a reader of the page sees it.
function writePage(lines) {
  const article = document.createElement('article');
  for (const line of lines) {
    const paragraph = document.createElement('p');
    paragraph.textContent = `The keeper wrote this line into the log of the lighthouse: ${line}. It was read by nobody for years.`;
    article.append(paragraph);
  }
  document.title = '<img src=x onerror="globalThis.harmed=1">';
  document.body.append(article);
}
