import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import type { TestCompany, TestService } from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { insertPeople } from '@symbolon/testkit/platform/rows';

onPlatform('keys', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  let person: Awaited<ReturnType<typeof insertPeople>>[number];
  before(async () => {
    ({ company, service, token } = await openShop(platform()));
    [person] = (await insertPeople(platform(), 1)) as [typeof person];
  });
  const get = (path: string, as = token) => platform().call('GET', `/api/keys/${path}`, { token: as });

  test('a person’s key is found by the share code', async () => {
    proves('route:GET /api/keys/{shareCode}');
    assert.deepEqual((await get(person.share_code)).body, {
      share_code: person.share_code,
      public_key: person.public_key,
      public_key_sha256: person.public_key_sha256,
    });
  });

  test('a company’s account key is found by its code', async () => {
    const account = await platform().must('GET', '/api/account', { token: company.token });
    assert.deepEqual((await get(company.code, company.token)).body, {
      share_code: company.code,
      public_key: account.account_public_key,
      public_key_sha256: account.account_public_key_sha256,
    });
  });

  test('a service’s key is found by both codes, with its fingerprint', async () => {
    const path = `/api/services/${service.id}`;
    proves('route:GET /api/keys/{companyCode}/{serviceCode}');
    const { public_key_sha256 } = await platform().must('GET', path, { token: company.token });
    assert.deepEqual((await get(`${company.code}/${service.code}`)).body, {
      share_code: service.code,
      public_key: service.publicKey,
      public_key_sha256,
      company_code: company.code,
      service_code: service.code,
    });
  });

  test('codes are taken in lower case and given in upper case', async () => {
    for (const [path, code] of [
      [person.share_code, person.share_code],
      [company.code, company.code],
      [`${company.code}/${service.code}`, service.code],
    ] as const) {
      const { status, body } = await get(path.toLowerCase());
      assert.deepEqual([status, body.share_code], [200, code]);
      assert.deepEqual(body, (await get(path)).body);
    }
  });

  test('an unknown code is answered with keys.not_found', async () => {
    proves('error:keys.not_found');
    for (const path of ['NOTHING', `${company.code}/NOTHING`, `NOTHING/${service.code}`, service.code]) {
      const { status, body } = await get(path);
      assert.equal(status, 404, path);
      assert.equal(body.error_key, 'keys.not_found');
    }
  });

  const batch = (userIds: unknown, headers = {}) =>
    platform().call('POST', '/api/keys/batch', { token, body: { user_ids: userIds }, headers });

  test('a batch gives the keys of people and companies once each, without unknown ids', async () => {
    const account = await platform().must('GET', '/api/account', { token: company.token });
    const unknown = '00000000-0000-7000-8000-000000000000';
    const strange = ['', '{', '"', 'a,b', '__proto__', "'; drop table persons; --"];
    const { body } = await batch([company.id, unknown, person.id, ...strange, person.id]);
    proves('route:POST /api/keys/batch');
    assert.deepEqual(body, {
      keys: { [company.id]: account.account_public_key, [person.id]: person.public_key },
    });
    assert.deepEqual((await batch([])).body, { keys: {} });
  });

  test('a batch as XML has ids as element names', async () => {
    const { text } = await batch([person.id], { accept: 'application/xml' });
    const name = /^[a-z]/.test(person.id) ? person.id : `_${person.id}`;
    assert.equal(
      text,
      `<?xml version="1.0" encoding="UTF-8"?><response><keys><${name}>${person.public_key}</${name}></keys></response>`,
    );
  });

  test('a batch takes at most 200 ids', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
    assert.equal((await batch(ids(limits.keysBatchMost))).status, 200);
    proves('limit:keysBatchMost');
    for (const bad of [ids(limits.keysBatchMost + 1), undefined, 'x', [1]]) {
      const { status, body } = await batch(bad);
      assert.equal(status, 400);
      assert.equal(body.error_key, 'request.invalid');
    }
  });

  test('reading a key without a token is refused', async () => {
    assert.equal((await platform().call('GET', `/api/keys/${person.share_code}`)).status, 401);
  });
});
