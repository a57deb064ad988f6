// The requested permissions are a promise: this test fails if one changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packaged } from './lib/browser.mjs';

const manifest = await packaged('manifest.json');

test('the permissions are these eight and no host until it is asked for', () => {
  const expected = ['activeTab', 'alarms', 'contextMenus', 'declarativeNetRequestWithHostAccess', 'offscreen', 'scripting', 'sidePanel', 'storage'];
  assert.deepEqual([...manifest.permissions].sort(), expected);
  for (const key of ['host_permissions', 'content_scripts', 'externally_connectable']) {
    assert.equal(manifest[key], undefined, key);
  }
});

test('nothing is evaluated from text and nothing is loaded from afar', () => {
  const policies = Object.values(manifest.content_security_policy ?? {}).join('; ');
  assert.match(policies, /script-src 'self' 'wasm-unsafe-eval'/);
  assert.doesNotMatch(policies, /(?<!wasm-)unsafe-eval|unsafe-inline|https?:|\*/);
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
