// The times that a model receives equal those of Node's Intl for the same instant.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { DIST, launch } from './lib/browser.mjs';
import { Chat } from './lib/chat.mjs';
import { call, ChatServer, says } from './lib/chat_server.mjs';
import { connect } from './lib/profile.mjs';
import { serve } from './lib/server.mjs';

let site, server, gloss;
before(async () => {
  [site, server, gloss] = await Promise.all([serve(), ChatServer.start(), launch({ hosts: ['http://127.0.0.1/*'] })]);
  await connect(gloss, { baseUrl: server.baseUrl });
});
after(async () => {
  await gloss?.close();
  await server?.close();
  await site?.close();
});

/** The results of these calls, as the model receives them. */
async function given(...calls) {
  server.reset();
  const made = calls.map((asked, at) => call('get_current_time', { ...asked, reasoning: 'It was asked for.' }, { id: `call-${at}` }));
  server.script(
    says('<gloss>{"thought":"The clock says it.","complexity":"simple"}</gloss>', ...made),
    says('<gloss>{"observation":"It is known.","goal_met":true,"confidence":0.9}</gloss>', 'It is late.'),
  );
  const chat = await Chat.over(gloss, await gloss.open(site.url('article.html')));
  if (await chat.offers('New chat')) await chat.press('New chat');
  await chat.ask('What time is it?');
  await chat.settled('It is late.');
  const { messages } = server.requests[1].json;
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  assert.equal(results.length, calls.length);
  return results;
}

/** The times in a result; each is an object, whatever surrounds it. */
const times = (result) => [...result.matchAll(/\{[^{}]*"iso"[^{}]*\}/g)].map(([json]) => JSON.parse(json));

/** An instant as a zone's clocks show it, with its offset. */
function shown(zone, at) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const [day, month, year, time] = format.format(at).split(/[/,] ?/);
  const named = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(at);
  const offset = named.split('GMT')[1] || '+00:00';
  return `${year}-${month}-${day}T${time}${offset}`;
}

const plain = (words) => words.replace(/\s+/g, ' ').replace(/ at |, /g, ' ');

test('now is the same in several zones, as ISO 8601 and in words', async () => {
  const zones = ['Asia/Kathmandu', 'America/St_Johns', 'UTC', 'Europe/Paris', 'Pacific/Chatham'];
  const before = Date.now();
  const [result, own] = await given({ zones }, {});
  const told = times(result);
  assert.deepEqual(told.map(({ zone }) => zone), zones);
  const at = new Date(told[0].iso);
  assert.ok(at >= before - 1000 && at <= Date.now(), told[0].iso);
  for (const { zone, iso, offset, text } of told) {
    assert.equal(iso, shown(zone, at));
    assert.ok(iso.endsWith(offset));
    const words = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'full', timeStyle: 'long' }).format(at);
    assert.equal(plain(text), plain(words));
  }
  const [{ zone, iso: ownIso }] = times(own);
  const ownAt = new Date(ownIso);
  assert.ok(ownAt >= before - 1000 && ownAt <= Date.now(), ownIso);
  assert.ok(zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone), zone);
});

test('business days skip what the table of the package has', async () => {
  const [germany, nowhere] = await given(
    { zones: ['Europe/Berlin'], amount: 400, unit: 'businessDays', country: 'Germany' },
    { country: 'Germani' },
  );
  assert.match(germany, /Germany \(DE\)/);
  assert.match(germany, /2024 to 2035/);
  // In two of three years, neither Christmas Day nor the day after is on a weekend.
  assert.match(germany, /"20\d\d-12-2[56]"/);
  assert.match(nowhere, /unknown country `Germani`; the most similar: Germany \(DE\)/);
});

test('a day that is free for half of it, or for some alone, is a business day', () => {
  const [head, ...lines] = readFileSync(`${DIST}holidays.txt`, 'utf8').trimEnd().split('\n');
  const first = Number(head.split(' ')[0]);
  const isFree = (code, date) => {
    const [, , , years] = lines.find((line) => line.startsWith(`${code}\t`)).split('\t');
    const year = Number(date.slice(0, 4));
    const day = (Date.parse(date) - Date.UTC(year, 0, 1)) / 86_400_000;
    return years.split(',')[year - first].match(/../g).includes(day.toString(36).padStart(2, '0'));
  };
  // National Day and New Year's Day are free for everyone.
  assert.ok(isFree('CN', '2026-10-01') && isFree('IS', '2026-01-01') && isFree('KE', '2026-12-25'));
  // Women's Day and Youth Day are half days for some; Children's Day is for those below 14.
  for (const date of ['2026-03-08', '2026-05-04', '2026-06-01', '2026-08-01']) assert.ok(!isFree('CN', date), date);
  assert.ok(!isFree('IS', '2026-12-24'));
  assert.ok(!isFree('KE', '2026-05-27'));
});
