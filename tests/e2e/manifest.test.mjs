// The requested permissions are a promise: this test fails if one changes.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DIST, packaged } from './lib/browser.mjs';

const manifest = await packaged('manifest.json');
const text = (path) => readFile(join(DIST, path), 'utf8');

test('the permissions are these eight and no host until it is asked for', () => {
  const expected = ['activeTab', 'alarms', 'contextMenus', 'declarativeNetRequestWithHostAccess', 'offscreen', 'scripting', 'sidePanel', 'storage'];
  assert.deepEqual([...manifest.permissions].sort(), expected);
  for (const key of ['host_permissions', 'content_scripts', 'externally_connectable', 'web_accessible_resources', 'sandbox']) {
    assert.equal(manifest[key], undefined, key);
  }
});

test('nothing is evaluated from text and no code is loaded from afar', () => {
  // Pages narrow this further. `picture.html` alone shows pictures of the web.
  assert.deepEqual(manifest.content_security_policy, {
    extension_pages: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
      + "style-src 'self'; img-src 'self' blob: http: https:; connect-src 'self' http: https: data: blob:; "
      + "frame-src 'self'; object-src 'none'; form-action 'none'; base-uri 'none'",
  });
});

test('each page narrows the policy of the manifest', async () => {
  const trusted = "require-trusted-types-for 'script'";
  const policies = {
    'offscreen.html': "img-src 'none'; connect-src 'self' data: blob:",
    'options.html': `${trusted}; img-src 'self' blob:`,
    'panel.html': `${trusted}; img-src 'self' blob:`,
    'popup.html': `${trusted}; img-src 'self' blob:`,
    'picture.html': `default-src 'none'; script-src 'self'; style-src 'self'; img-src http: https:; ${trusted}`,
  };
  for (const [page, policy] of Object.entries(policies)) {
    assert.ok((await text(page)).includes(`content="${policy}"`), page);
  }
});

test('no script of the package names a server for code', async () => {
  for (const script of ['ocr/tesseract.min.js', 'ocr/worker.min.js']) {
    assert.doesNotMatch(await text(script), /jsdelivr|unpkg|cdnjs/, script);
  }
});

test('it is a version 3 manifest for Chrome 138 and later, without incognito or a key', () => {
  assert.equal(manifest.manifest_version, 3);
  assert.equal(manifest.minimum_chrome_version, '138');
  assert.equal(manifest.incognito, 'not_allowed');
  assert.equal(manifest.key, undefined);
  assert.equal(manifest.default_locale, 'en');
});

test('all else is as it was decided', () => {
  const { permissions, content_security_policy: _, ...rest } = manifest;
  assert.deepEqual(rest, {
    manifest_version: 3,
    name: '__MSG_app_name__',
    description: '__MSG_app_description__',
    version: rest.version,
    default_locale: 'en',
    minimum_chrome_version: '138',
    incognito: 'not_allowed',
    background: { service_worker: 'worker_boot.js', type: 'module' },
    action: { default_title: '__MSG_app_name__', default_popup: 'popup.html' },
    optional_permissions: ['tabs'],
    optional_host_permissions: ['https://*/*', 'http://*/*', '<all_urls>'],
    options_ui: { page: 'options.html', open_in_tab: true },
    side_panel: { default_path: 'panel.html' },
    icons: { 16: 'icons/16.png', 32: 'icons/32.png', 48: 'icons/48.png', 128: 'icons/128.png' },
    commands: {
      _execute_action: { description: '__MSG_command_open__' },
      summarize: { suggested_key: { default: 'Alt+S' }, description: '__MSG_summarize_page__' },
      panel: { suggested_key: { default: 'Alt+G' }, description: '__MSG_command_panel__' },
    },
  });
});

test('its name and description come from the catalogues', async () => {
  const english = await packaged('_locales/en/messages.json');
  for (const text of [manifest.name, manifest.description].filter(Boolean)) {
    const key = /^__MSG_(\w+)__$/.exec(text)?.[1];
    assert.ok(english[key]?.message, text);
  }
});
