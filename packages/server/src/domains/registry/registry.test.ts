import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import { createService, dataToken, registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/** Wire 2.4: what only a person has. */
const OF_PEOPLE = [
  'gender',
  'nationality',
  'personal_number',
  'place_of_birth',
  'date_of_birth',
  'proof_of_identity',
  'passport',
  'photo_id',
  'drivers_license',
  'residence_permit',
];

onPlatform('registry and catalogue', (platform) => {
  let company: TestCompany;
  let token: string;
  before(async () => {
    company = await registerCompany(platform());
    token = await dataToken(platform(), await createService(platform(), company));
  });
  const get = (path: string, headers = {}, as = token) =>
    platform().call('GET', path, { token: as, headers });

  test('the registry is a bare array of raw rows, for data clients and the portal', async () => {
    for (const as of [token, company.token]) {
      const { status, body } = await get('/api/contact-field-types', {}, as);
      assert.equal(status, 200);
      proves('route:GET /api/contact-field-types');
      assert.deepEqual(body, JSON.parse(JSON.stringify(systemRegistry.rows)));
    }
    assert.equal((await platform().call('GET', '/api/contact-field-types')).status, 401);
  });

  test('the registry is JSON whatever is asked for', async () => {
    const { headers, body } = await get('/api/contact-field-types', { accept: 'application/xml' });
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(Array.isArray(body));
  });

  test('who has the registry is not sent it again', async () => {
    const etag = (await get('/api/contact-field-types')).headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get('/api/contact-field-types', { 'if-none-match': known });
      assert.equal(answer.status, 304, known);
      assert.equal(answer.text, '');
      assert.equal(answer.headers.get('etag'), etag);
    }
    assert.equal((await get('/api/contact-field-types', { 'if-none-match': '"other"' })).status, 200);
  });

  const fields = async (query = '') => (await get(`/api/contact-fields${query}`)).body.contact_fields;
  const types = (rows: readonly { type: string }[]) => rows.map((row) => row.type);

  test('the catalogue has a row for each type that can be requested', async () => {
    const rows = await fields();
    const requestable = systemRegistry.order().filter((type) => systemRegistry.isRequestable(type));
    assert.deepEqual(types(rows), requestable);
    assert.ok(!types(rows).includes('select'), 'a choice without options is for flows alone');
    assert.deepEqual(
      rows.find((row: { type: string }) => row.type === 'email'),
      {
        id: 'email',
        slug: 'email',
        label: 'fieldtype_email',
        type: 'email',
        usertype: 'any',
        is_system: true,
      },
    );
    const ofPeople = rows.filter((row: { usertype: string }) => row.usertype === 'person');
    assert.deepEqual(types(ofPeople).toSorted(), OF_PEOPLE.toSorted());
  });

  test('a filtered view has what that kind of profile may fill', async () => {
    const all = types(await fields());
    assert.deepEqual(types(await fields('?usertype=person')), all);
    const shared = all.filter((type) => !OF_PEOPLE.includes(type));
    assert.deepEqual(types(await fields('?usertype=company')), shared);
    assert.deepEqual(types(await fields('?usertype=any')), shared);
    const { status, body } = await get('/api/contact-fields?usertype=robot');
    assert.equal(status, 400);
    assert.equal(body.error_key, 'request.invalid');
  });

  test('the catalogue follows Accept', async () => {
    const { text } = await get('/api/contact-fields?usertype=person', { accept: 'application/xml' });
    assert.match(text, /^<\?xml[^>]+><response><contact_fields><item><id>/);
    assert.match(text, /<is_system>true<\/is_system><\/item>/);
  });
});
