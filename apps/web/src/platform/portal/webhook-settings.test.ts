import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Webhook } from '@symbolon/protocol';
import { FIRST_SETTINGS, requestOf, shownSettings } from './webhook-settings.ts';

const webhook = {
  url: 'https://hooks.example/in',
  events: ['field_updated', 'field_deleted'],
  format: 'json',
  auth_type: 'bearer',
  encrypt_payload: false,
  enabled: true,
  auth_token: '••••oken',
} as Webhook;

describe('the settings of a webhook in a form', () => {
  test('a new one is sent whole, with the secrets of its mode alone', () => {
    const changed = { url: ' https://hooks.example/new ', auth_type: 'basic' } as const;
    const typed = { auth_token: 'left', auth_username: 'shop', auth_password: 'word', hmac_secret: '' };
    assert.deepEqual(requestOf(changed, typed, undefined), {
      ...FIRST_SETTINGS,
      url: 'https://hooks.example/new',
      auth_type: 'basic',
      auth_username: 'shop',
      auth_password: 'word',
    });
    assert.deepEqual(requestOf({ auth_type: 'none' }, typed, undefined), {
      ...FIRST_SETTINGS,
      auth_type: 'none',
    });
  });

  test('of one that exists, only what differs from it is sent', () => {
    assert.deepEqual(requestOf({}, { auth_token: '' }, webhook), {});
    const same = { url: webhook.url, events: ['field_deleted', 'field_updated'], format: 'json' } as const;
    assert.deepEqual(requestOf(same, {}, webhook), {});
    assert.deepEqual(requestOf({ events: [] }, { auth_token: 'new' }, webhook), {
      events: [],
      auth_token: 'new',
    });
  });

  test('what another login changed meanwhile is shown where nothing was touched', () => {
    const later: Webhook = { ...webhook, format: 'xml' };
    assert.equal(shownSettings({ url: 'https://hooks.example/mine' }, later).format, 'xml');
    assert.deepEqual(requestOf({ url: 'https://hooks.example/mine' }, {}, later), {
      url: 'https://hooks.example/mine',
    });
  });
});
