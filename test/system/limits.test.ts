import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PortalClient } from '@symbolon/sdk/portal';
import {
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { OPERATOR, onPlatform } from '@symbolon/testkit/platform/platform';

/* Limits on both sides of their number, where no test of a feature stands on both. */

onPlatform('the limits of the wire', (platform) => {
  for (const [row, field_id, taken, refused] of [
    ['limit:phone-digits', 'phone', ['1234', '+123 456 789 012 345'], ['123', '1234567890123456']],
    [
      'limit:card-digits',
      'creditcard',
      ['0'.repeat(12), '0'.repeat(19), '4111 1111 1111 1111'],
      ['0'.repeat(11), '0'.repeat(20), '4111 1111 1111 1112'],
    ],
    ['limit:decimal-digits', 'decimal', ['12345678.12', '-1'], ['123456789', '1.123']],
  ] as const) {
    test(`a value of type ${field_id} keeps to its number of digits`, async () => {
      const { token } = await registerCompany(platform());
      const written = (text: string) => (field_id === 'creditcard' ? JSON.stringify({ number: text }) : text);
      const statusOf = async (text: string, index: number) =>
        (
          await platform().call('POST', '/api/contact-data', {
            token,
            body: { field_id, slug: `value_${index}`, value: written(text) },
          })
        ).status;
      assert.deepEqual(await Promise.all([...taken, ...refused].map(statusOf)), [
        ...taken.map(() => 201),
        ...refused.map(() => 400),
      ]);
      proves(row);
    });
  }

  test('a password has at least 10 characters, which the device sees to', async () => {
    const register = (password: string) =>
      PortalClient.register({
        ...{ baseUrl: platform().url, name: 'Acme', email: 'password@example.com', password },
      });
    await assert.rejects(register('zmxk3kfa9'), { errorKey: 'sdk.password_weak' });
    assert.ok(await register('zmxk3kfa92'));
    proves('limit:password-length');
  });

  test('a service asks for at most 200 values, under slugs of at most 40 characters', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const path = `/api/services/${service.id}/request-fields`;
    const publish = async (slugs: readonly string[]) => {
      const { config_token } = await platform().must('GET', path, company);
      const request_fields = slugs.map((slug) => ({ slug, label: 'x', type: 'text' }));
      const body = { config_token, request_fields };
      return (await platform().call('PUT', path, { token: company.token, body })).status;
    };
    const many = Array.from({ length: 201 }, (_, index) => `row_${index}`);
    assert.deepEqual([await publish(many), await publish(many.slice(1))], [400, 200]);
    assert.deepEqual([await publish(['s'.repeat(41)]), await publish(['s'.repeat(40)])], [400, 200]);
    proves('limit:requestFieldsMost', 'limit:slug');
  });

  test('the ciphertext of a value has at most 65536 characters', async () => {
    const { token } = await registerPerson(platform());
    const store = async (size: number) => {
      const value = {
        ...JSON.parse(await sealed('x')),
        d: Buffer.alloc((size / 4) * 3).toString('base64'),
      };
      const body = { type: 'text', label: 'x', slug: `size_${size}`, value };
      return (await platform().call('POST', '/api/person/fields', { token, body })).status;
    };
    assert.deepEqual([await store(65_540), await store(65_536)], [413, 201]);
    proves('limit:wrapperTextMost');
  });

  test('a form of the token route has at most 16 KiB', async () => {
    const send = async (size: number) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await platform().call('POST', '/oauth2/token', { body: 'a='.padEnd(size, 'x'), headers }))
        .status;
    };
    assert.deepEqual([await send(16 * 1024 + 1), await send(16 * 1024)], [413, 400]);
    proves('limit:token-form');
  });

  test('a service shows at most 200 share fields', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const path = `/api/services/${service.id}/share-fields`;
    const publish = async (count: number) => {
      const { config_token } = await platform().must('GET', path, { token: company.token });
      const share_fields = Array.from({ length: count }, (_, index) => ({
        slug: `row_${index}`,
        label: 'x',
        type: 'text',
        value: 'x',
      }));
      const body = { config_token, share_fields };
      return (await platform().call('PUT', path, { token: company.token, body })).status;
    };
    assert.deepEqual([await publish(201), await publish(200)], [400, 200]);
    proves('limit:share-fields-per-service');
  });

  test('an edit brings at most 2000 copies', async () => {
    const person = await registerPerson(platform());
    const id = await createField(platform(), person, { type: 'text', slug: 'nick', value: 'x' });
    const value = await sealed('y');
    const edit = async (count: number) => {
      const copies = Array.from({ length: count }, () => ({
        connection_id: 'a',
        request_field_id: 'b',
        value: 'x',
      }));
      const call = { token: person.token, body: { value, copies } };
      return (await platform().call('PUT', `/api/person/fields/${id}`, call)).body;
    };
    const over = await edit(2_001);
    assert.deepEqual([over.error_key, over.issues[0].path], ['request.invalid', '/copies']);
    assert.notEqual((await edit(2_000)).error_key, 'request.invalid');
    proves('limit:copies-per-edit');
  });

  test('the validation of a field type has at most 200 characters', async () => {
    const add = async (size: number) => {
      const body = { type: `long_${size}`, parent: 'text', label: 'x', validation: 'a'.repeat(size) };
      return (await platform().call('POST', '/api/admin/field-types', { token: OPERATOR, body })).status;
    };
    assert.deepEqual([await add(201), await add(200)], [400, 201]);
    proves('limit:type-validation');
  });

  test('a person is mailed at most 20 codes an hour', async () => {
    const person = await registerPerson(platform());
    const statuses: number[] = [];
    for (const slug of ['one', 'two', 'three', 'four', 'five']) {
      const value = `${slug}-${person.id}@example.com`;
      const id = await createField(platform(), person, { type: 'email', slug, value });
      const call = { token: person.token, body: { value } };
      for (let mails = 0; mails < 5; mails++) {
        const answer = await platform().call('POST', `/api/person/fields/${id}/verification`, call);
        statuses.push(answer.status);
      }
    }
    assert.deepEqual(statuses, [...Array(20).fill(202), ...Array(5).fill(429)]);
    proves('limit:code-mails-account');
  });

  test('a company sends at most 100 invitations an hour', async () => {
    const company = await registerCompany(platform());
    const invite = async (index: number) => {
      const body = { email: `${index}-${company.id}@example.com`, role: 'viewer' };
      return (await platform().call('POST', '/api/delegates', { token: company.token, body })).status;
    };
    const statuses: number[] = [];
    for (let index = 0; index < 101; index++) statuses.push(await invite(index));
    assert.deepEqual(statuses, [...Array(100).fill(201), 429]);
    proves('limit:invitation-mails-company');
  });

  test('a sign-in app has at most 20 redirect URIs', async () => {
    const { token } = await registerCompany(platform());
    const create = async (count: number) => {
      const redirect_uris = Array.from({ length: count }, (_, index) => `https://${index}.example/`);
      const body = { name: 'App', claims_delivery: 'plaintext', redirect_uris };
      return (await platform().call('POST', '/api/account/oauth-apps', { token, body })).status;
    };
    assert.deepEqual([await create(21), await create(20)], [400, 201]);
    proves('limit:redirectUrisMost');
  });

  test('one call re-encrypts at most 10000 rows', async () => {
    const rotate = async (batch: number) => {
      const call = { token: OPERATOR, body: { batch } };
      return (await platform().call('POST', '/api/admin/keys/rotate', call)).status;
    };
    assert.deepEqual([await rotate(10_001), await rotate(10_000)], [400, 200]);
    proves('limit:keyRotationBatchMost');
  });
});
