import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { createAccountClient, registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { businessCards } from './company-fields.ts';

const PATH = '/api/contact-data';

onPlatform('profile values', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });
  const call = (method: string, path: string, body?: unknown, token = company.token) =>
    platform().call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const must = (method: string, path: string, body?: unknown) =>
    platform().must(method, path, { token: company.token, ...(body === undefined ? {} : { body }) });
  /** Stores values, whatever the company may have. */
  const fill = async ({ id: company_id }: TestCompany, values: readonly string[]) => {
    const { database, ids } = platform().context;
    const rows = values.map((value) => {
      const id = ids.uuid();
      const field = { field_id: 'text', type: 'text', slug: id, label: 'x' };
      return { company_id, id, ...field, value, created_at: 0, updated_at: 0 };
    });
    await database.write((writer) => writer.insertInto('contact_data').values(rows).execute());
  };
  const refused = async (
    expected: readonly [number, string],
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const answer = await call(method, path, body);
    assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text);
    return answer;
  };

  test('are created, read, listed, changed and deleted', async () => {
    const created = await must('POST', PATH, { field_id: 'email', value: 'hello@acme.example' });
    const { id, ...rest } = created;
    const at = '2026-01-31T09:30:00.000Z';
    assert.deepEqual(rest, {
      field_id: 'email',
      type: 'email',
      slug: 'email',
      label: 'E-mail',
      value: 'hello@acme.example',
      created_at: at,
      updated_at: at,
    });
    const address = { street: 'Main Street', building_number: '1', city: 'Berlin', country: 'DE' };
    const second = await must('POST', PATH, {
      field_id: 'address',
      slug: 'headquarters',
      label: 'Headquarters',
      value: JSON.stringify(address),
    });
    assert.deepEqual(await must('GET', `${PATH}/${id}`), created);
    proves('route:GET /api/contact-data', 'route:POST /api/contact-data');
    assert.deepEqual(await must('GET', PATH), { contact_data: [created, second] });

    platform().clock.advance(1000);
    const changed = await must('PUT', `${PATH}/${id}`, { value: 'new@acme.example', label: 'Write to us' });
    assert.deepEqual(changed, {
      ...created,
      value: 'new@acme.example',
      label: 'Write to us',
      updated_at: '2026-01-31T09:30:01.000Z',
    });
    assert.equal((await must('PUT', `${PATH}/${id}`, { slug: 'contact' })).slug, 'contact');
    assert.equal((await call('DELETE', `${PATH}/${id}`)).status, 204);
    await refused([404, 'contact_data.not_found'], 'GET', `${PATH}/${id}`);
    await refused([404, 'contact_data.not_found'], 'PUT', `${PATH}/${id}`, {});
    await refused([404, 'contact_data.not_found'], 'DELETE', `${PATH}/${id}`);
    proves('route:GET /api/contact-data/{id}', 'route:PUT /api/contact-data/{id}');
    proves('route:DELETE /api/contact-data/{id}');
    assert.deepEqual(await must('GET', PATH), { contact_data: [second] });
  });

  test('are what their type says', async () => {
    const invalid = async (field_id: string, value: string, path = '/value') => {
      const answer = await refused([400, 'contact_data.value_invalid'], 'POST', PATH, { field_id, value });
      assert.equal(answer.body.issues[0].path, path);
      if (value.length > 3) assert.ok(!answer.text.includes(value), 'an issue does not repeat the value');
    };
    await invalid('email', 'nobody');
    await invalid('country', 'XX');
    await invalid('url', 'ht!tp');
    await invalid('address', '{"city":"Berlin","country":"Germany"}', '/value/country');
    await invalid('address', '{"constructor":"x"}', '/value/constructor');
    const { id } = await must('POST', PATH, { field_id: 'phone', value: '+49 30 123456' });
    await refused([400, 'contact_data.value_invalid'], 'PUT', `${PATH}/${id}`, { value: 'ring me' });
    await refused([400, 'contact_data.type_immutable'], 'PUT', `${PATH}/${id}`, { type: 'text' });
    await refused([400, 'request.invalid'], 'POST', PATH, { field_id: 'email', value: '' });
    await refused([400, 'request.invalid'], 'PUT', `${PATH}/${id}`, { field_id: 'email' });
  });

  test('fill fields that companies may fill, and no files', async () => {
    const create = (field_id: string) => ({ field_id, value: 'x' });
    await refused([404, 'contact_fields.not_found'], 'POST', PATH, create('nothing'));
    await refused([404, 'contact_fields.not_found'], 'POST', PATH, create('select'));
    await refused([404, 'contact_fields.not_found'], 'POST', PATH, create('constructor'));
    await refused([400, 'contact_data.usertype_forbidden'], 'POST', PATH, create('gender'));
    await refused([400, 'contact_data.usertype_forbidden'], 'POST', PATH, create('passport'));
    await refused([400, 'contact_data.files_unsupported'], 'POST', PATH, create('photo'));
    await refused([400, 'contact_data.files_unsupported'], 'POST', PATH, create('pdf_document'));
  });

  test('two profile values cannot have the same slug, even when created concurrently', async () => {
    const create = (slug: string) => call('POST', PATH, { field_id: 'text', slug, value: 'x' });
    const answers = await Promise.all([create('motto'), create('motto'), create('motto')]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
    assert.equal(answers.find(({ status }) => status === 409)?.body.error_key, 'contact_data.slug_taken');
    const other = await must('POST', PATH, { field_id: 'text', slug: 'claim', value: 'x' });
    await refused([409, 'contact_data.slug_taken'], 'PUT', `${PATH}/${other.id}`, { slug: 'motto' });
    assert.equal((await must('PUT', `${PATH}/${other.id}`, { slug: 'claim', value: 'y' })).value, 'y');
  });

  test('profile values of another company are not found', async () => {
    const { id } = await must('POST', PATH, { field_id: 'text', slug: 'secret_motto', value: 'x' });
    const stranger = await registerCompany(platform());
    for (const [method, body] of [['GET'], ['PUT', { value: 'y' }], ['DELETE']] as const) {
      const answer = await call(method, `${PATH}/${id}`, body, stranger.token);
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'contact_data.not_found']);
    }
    const list = await call('GET', PATH, undefined, stranger.token);
    assert.deepEqual(list.body, { contact_data: [] });
    const same = { field_id: 'text', slug: 'secret_motto', value: 'z' };
    assert.equal((await call('POST', PATH, same, stranger.token)).status, 201);

    const { reader } = platform().context.database;
    const cards = await businessCards(reader, [stranger.id, 'nobody']);
    assert.deepEqual(cards.get(stranger.id), [
      { slug: 'secret_motto', label: 'Text', type: 'text', value: 'z' },
    ]);
    assert.deepEqual(cards.get('nobody'), []);
  });

  test('open to account clients with the group, and to no others', async () => {
    const inside = await createAccountClient(platform(), company, ['company_profile_fields']);
    assert.equal((await call('GET', PATH, undefined, inside.token)).status, 200);
    const body = { field_id: 'text', slug: 'by_machine', value: 'x' };
    assert.equal((await call('POST', PATH, body, inside.token)).status, 201);
    const outside = await createAccountClient(platform(), company, ['service_management', 'oauth_apps']);
    const answer = await call('GET', PATH, undefined, outside.token);
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
  });

  test('a company cannot have more profile values than the limit', async () => {
    const full = await registerCompany(platform());
    await fill(full, Array(limits.contactDataMost).fill('x'));
    const answer = await call('POST', PATH, { field_id: 'text', value: 'x' }, full.token);
    proves('limit:contactDataMost');
    assert.deepEqual([answer.status, answer.body.error_key], [409, 'contact_data.limit_reached']);
  });

  test('the profile values of a company take up as many bytes as the limit', async () => {
    const full = await registerCompany(platform());
    await fill(full, ['x'.repeat(limits.profileBytesMost - 2)]);
    const { body, status } = await call('POST', PATH, { field_id: 'text', value: 'ü' }, full.token);
    assert.equal(status, 201);
    const change = (value: string) => call('PUT', `${PATH}/${body.id}`, { value }, full.token);
    const over = await change('üx');
    proves('limit:profileBytesMost');
    assert.deepEqual([over.status, over.body.error_key], [409, 'account.storage_full']);
    await fill(full, ['xx']);
    assert.equal((await change('y')).status, 200);
  });
});
