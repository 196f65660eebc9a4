import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConflictError } from '../http/errors.ts';
import { FakePlatform, refusal } from '../testing/fake-platform.ts';
import { AccountClient } from './account-client.ts';

async function fakeAccount(routes: Parameters<typeof FakePlatform.start>[0]) {
  const platform = await FakePlatform.start({
    'POST /oauth2/token': () => ({
      body: { token_type: 'Bearer', expires_in: 3600, access_token: 't1', api_url: platform.url },
    }),
    ...routes,
  });
  const client = new AccountClient({ url: platform.url, clientId: 'acct_1', clientSecret: 's' });
  return { platform, profile: client.profile, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

test('the profile client uploads a photo as base64 and downloads it as bytes', async () => {
  const image = Uint8Array.from([0xff, 0xd8, 0xff, 0x00]);
  await using account = await fakeAccount({
    'POST /api/photos': ({ json }) => ({ status: 201, body: { id: 'p1', sent: json() } }),
    'GET /api/photos/p%2F1/thumb': () => ({ headers: { 'content-type': 'image/webp' }, raw: image }),
  });
  const photo = await account.profile.uploadPhoto(image, { label: 'Shop' });
  assert.deepEqual(photo, { id: 'p1', sent: { file: '/9j/AA==', label: 'Shop' } });
  const { mediaType, bytes } = await account.profile.photoFile('p/1', 'thumb');
  assert.equal(mediaType, 'image/webp');
  assert.deepEqual([...bytes], [...image]);
});

test('the profile client returns values and photos as arrays, and filters the catalogue by user type', async () => {
  await using account = await fakeAccount({
    'GET /api/contact-fields': ({ query }) => ({ body: { contact_fields: [query.get('usertype')] } }),
    'GET /api/contact-data': () => ({ body: { contact_data: ['value'] } }),
    'GET /api/photos': () => ({ body: { photos: ['photo'] } }),
    'PUT /api/photos/profile': ({ json }) => ({ body: { photo: json() } }),
    'PUT /api/services/s/photos': ({ json }) => ({ body: { photos: [json()] } }),
  });
  const { profile } = account;
  assert.deepEqual(await profile.fields(), [null]);
  assert.deepEqual(await profile.fields('company'), ['company']);
  assert.deepEqual(await profile.values(), ['value']);
  assert.deepEqual(await profile.photos(), ['photo']);
  assert.deepEqual(await profile.setProfilePhoto(null), { photo_id: null });
  assert.deepEqual(await profile.showPhotos('s', ['b', 'a']), [{ photo_ids: ['b', 'a'] }]);
});

test('the error about a custom field in use says what uses it', async () => {
  await using account = await fakeAccount({
    'DELETE /api/contact-fields/f': () =>
      refusal(409, 'contact_fields.in_use', { details: { in_use: [{ id: 'v' }] } }),
  });
  await assert.rejects(account.profile.deleteField('f'), (error) => {
    assert.ok(error instanceof ConflictError);
    assert.deepEqual(error.details.in_use, [{ id: 'v' }]);
    return error.errorKey === 'contact_fields.in_use';
  });
});
