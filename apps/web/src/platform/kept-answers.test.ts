import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReadOffline } from './inner/kept-answers.ts';

test('lists, threads and what was opened are kept for reading without a network, and nothing that is good for one act or grants something', () => {
  for (const address of [
    '/api/contact-field-types',
    '/api/person/fields?limit=500&after=',
    '/api/person/connections',
    '/api/person/connections/c1',
    '/api/person/connections/c1/messages?limit=50',
    '/api/person/documents/d1',
    '/api/person/documents/d1/file',
    '/api/person/fields/f1/file',
  ])
    assert.equal(isReadOffline(address), true, address);
  for (const address of [
    '/api/person/session',
    '/api/person/sessions',
    '/api/person/pins',
    '/api/person/passkeys',
    '/api/person/drafts/message.c1',
    '/api/person/fields/f1/slots',
    '/api/person/fields/f1/file?part=thumb',
    '/api/person/connections/c1/messages?limit=50&before=m1',
    '/api/person/two-factor/challenges',
    '/api/portal/session',
  ])
    assert.equal(isReadOffline(address), false, address);
});
