import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue } from '@symbolon/protocol';
import { en } from './en.ts';
import { textOfError } from './error-text.ts';
import { enInside } from './inside/en.ts';
import { enPortal } from './portal/en.ts';

const texts: Readonly<Record<string, string>> = en;
const textOf = (errorKey: string, reason?: string) => textOfError({ errorKey, reason }, (key) => texts[key]);

test('an error has the text of its reason, else its own, and none where the catalogue knows it not', () => {
  assert.equal(textOf('sdk.password_weak', 'too_short'), en['error.sdk.password_weak.too_short']);
  assert.equal(textOf('auth.throttled', 'unheard_of'), en['error.auth.throttled']);
  assert.equal(textOf('request.invalid'), undefined);
});

/** What clients of every language know: the platform may refuse a person or a company with each of these. */
const KNOWN = [
  'account_clients.name_invalid',
  'account_clients.not_found',
  'account_clients.purpose_invalid',
  'account_clients.purpose_managed',
  'account_clients.purpose_reserved',
  'account_clients.purpose_taken',
  'auth.client_endpoint_forbidden',
  'company_connections.active_contract',
  'company_connections.persons_only',
  'company_data.ack_boundary_invalid',
  'company_data.connection_not_found',
  'company_data.file_expired',
  'contact_data.encryption_required',
  'db.writes_paused',
  'documents.contract_immutable',
  'documents.contract_requires_person',
  'oauth_apps.claim_config_plugin_invalid',
  'platform.out_of_order',
  'plugins.body_invalid',
  'plugins.builtin_token_locked',
  'plugins.builtin_unknown',
  'plugins.duplicate',
  'plugins.in_use',
  'plugins.not_found',
  'plugins.url_invalid',
  'profile.company_code_requires_service',
  'region.rebase_required',
  'services.admin_email_invalid',
  'services.audience_b2b_only',
  'services.client_exists',
  'services.config_conflict',
  'services.request_field_plugin_invalid',
  'services.share_code_invalid',
  'services.share_code_taken',
  'services.webhook_url_invalid',
  'twofa.context_too_long',
  'twofa.idempotency_key_required',
  'twofa.result_consumed',
  'twofa.share_code_required',
  'twofa.unavailable',
  'unauthorized_client',
];

test('what clients know as a refusal has a text for people or, where only companies meet it, for the portal', () => {
  const all: Readonly<Record<string, string>> = { ...en, ...enInside, ...enPortal };
  for (const key of KNOWN) {
    assert.ok(key in errorCatalogue, key);
    const text = textOfError({ errorKey: key }, (name) => all[name]);
    assert.ok(text !== undefined && text.length > 10, `${key} has no text`);
    assert.doesNotMatch(text, /[a-z]_[a-z]|\{/, `${key} speaks like a program`);
  }
});

/** What every call, or every mail and file, can be refused with. */
const ANYWHERE = [
  'db.unavailable',
  'db.writes_paused',
  'internal',
  'mail.refused',
  'mail.unavailable',
  'photos.unavailable',
  'platform.busy',
  'platform.out_of_order',
  'platform.stopping',
  'rate_limit.exceeded',
  'rate_limit.unavailable',
  'request.too_large',
  'service.busy',
];

test('what any call may be refused with has a text for people', () => {
  for (const key of ANYWHERE) {
    assert.ok(key in errorCatalogue, key);
    assert.ok(textOf(key), `${key} has no text`);
  }
});
