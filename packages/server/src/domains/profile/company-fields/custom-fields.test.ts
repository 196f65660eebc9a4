import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ContactField, limits } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const PATH = '/api/contact-fields';

onPlatform('custom fields', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });
  const call = (method: string, path: string, body?: unknown, token = company.token) =>
    platform().call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const must = (method: string, path: string, body?: unknown) =>
    platform().must(method, path, { token: company.token, ...(body === undefined ? {} : { body }) });
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
  const own = async (query = '', token = company.token): Promise<ContactField[]> =>
    (await call('GET', PATH + query, undefined, token)).body.contact_fields.filter(
      (field: ContactField) => !field.is_system,
    );

  test('custom fields follow the platform’s fields for clients of the company and for no other caller', async () => {
    const created = await must('POST', PATH, { type: 'text', slug: 'loyalty', label: 'Loyalty number' });
    const { id, ...rest } = created;
    assert.deepEqual(rest, {
      slug: 'loyalty',
      label: 'Loyalty number',
      type: 'text',
      usertype: 'any',
      is_system: false,
    });
    assert.deepEqual(await must('GET', `${PATH}/${id}`), created);
    const service = await createService(platform(), company);
    const client = await createAccountClient(platform(), company, ['company_profile_fields']);
    const insiders = [company.token, client.token, await dataToken(platform(), service)];
    for (const token of insiders) {
      const { contact_fields } = (await call('GET', PATH, undefined, token)).body;
      proves(
        'route:GET /api/contact-fields',
        'route:GET /api/contact-fields/{id}',
        'route:POST /api/contact-fields',
      );
      assert.deepEqual(contact_fields.at(-1), created);
      assert.ok(contact_fields.slice(0, -1).every((field: ContactField) => field.is_system));
      assert.deepEqual((await call('GET', `${PATH}/${id}`, undefined, token)).body, created);
    }
    const stranger = await registerCompany(platform());
    const outsiders = [
      stranger.token,
      await dataToken(platform(), await createService(platform(), stranger)),
      (await registerPerson(platform())).token,
    ];
    for (const token of outsiders) {
      assert.deepEqual(await own('', token), []);
      const answer = await call('GET', `${PATH}/${id}`, undefined, token);
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'contact_fields.not_found']);
    }
    for (const [method, body] of [['PUT', { label: 'Mine' }], ['DELETE']] as const) {
      const answer = await call(method, `${PATH}/${id}`, body, stranger.token);
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'contact_fields.not_found']);
    }
  });

  test('are filtered by who may fill them', async () => {
    const fresh = await registerCompany(platform());
    for (const usertype of ['person', 'company', 'any']) {
      const body = { type: 'text', slug: `of_${usertype}`, label: usertype, usertype };
      assert.equal((await call('POST', PATH, body, fresh.token)).status, 201);
    }
    const slugs = async (query: string) => (await own(query, fresh.token)).map(({ slug }) => slug);
    assert.deepEqual(await slugs(''), ['of_person', 'of_company', 'of_any']);
    assert.deepEqual(await slugs('?usertype=person'), ['of_person', 'of_any']);
    assert.deepEqual(await slugs('?usertype=company'), ['of_company', 'of_any']);
    assert.deepEqual(await slugs('?usertype=any'), ['of_any']);
  });

  test('change in anything but their type', async () => {
    const { id } = await must('POST', PATH, { type: 'number', slug: 'floors', label: 'Floors' });
    const changed = await must('PUT', `${PATH}/${id}`, {
      slug: 'storeys',
      label: 'Storeys',
      usertype: 'company',
    });
    assert.deepEqual(changed, {
      id,
      slug: 'storeys',
      label: 'Storeys',
      type: 'number',
      usertype: 'company',
      is_system: false,
    });
    await refused([400, 'contact_fields.type_immutable'], 'PUT', `${PATH}/${id}`, { type: 'text' });
    assert.deepEqual(await must('PUT', `${PATH}/${id}`, {}), changed);
    assert.equal((await call('DELETE', `${PATH}/${id}`)).status, 204);
    proves(
      'error:contact_fields.not_found',
      'error:contact_fields.type_immutable',
      'route:PUT /api/contact-fields/{id}',
    );
    await refused([404, 'contact_fields.not_found'], 'DELETE', `${PATH}/${id}`);
  });

  test('fields of the platform stay as they are', async () => {
    assert.equal((await must('GET', `${PATH}/email`)).is_system, true);
    proves('error:contact_fields.system');
    await refused([403, 'contact_fields.system'], 'PUT', `${PATH}/email`, { label: 'Mail' });
    await refused([403, 'contact_fields.system'], 'DELETE', `${PATH}/email`);
    await refused([404, 'contact_fields.not_found'], 'GET', `${PATH}/__proto__`);
  });

  test('have types of the registry', async () => {
    const create = (type: string, usertype?: string) => ({ type, slug: 'odd', label: 'Odd', usertype });
    for (const type of ['nothing', 'select', 'multiselect', 'plugin', 'constructor']) {
      await refused([400, 'contact_fields.type_unusable'], 'POST', PATH, create(type));
    }
    proves('error:contact_data.usertype_forbidden', 'error:contact_fields.type_unusable');
    await refused([400, 'contact_data.usertype_forbidden'], 'POST', PATH, create('gender', 'company'));
    await refused([400, 'contact_data.usertype_forbidden'], 'POST', PATH, create('passport', 'any'));
    const { id, usertype } = await must('POST', PATH, create('date_of_birth'));
    assert.equal(usertype, 'person');
    const path = `${PATH}/${id}`;
    await refused([400, 'contact_data.usertype_forbidden'], 'PUT', path, { usertype: 'any' });
  });

  test('have slugs that nothing else in the catalogue has, even when two come at once', async () => {
    const create = (slug: string) => call('POST', PATH, { type: 'text', slug, label: 'x' });
    const answers = await Promise.all([create('twin'), create('twin')]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409]);
    const other = await must('POST', PATH, { type: 'text', slug: 'other', label: 'x' });
    proves('error:contact_fields.slug_taken');
    for (const slug of ['twin', 'email']) {
      await refused([409, 'contact_fields.slug_taken'], 'PUT', `${PATH}/${other.id}`, { slug });
      const body = { type: 'text', slug, label: 'x' };
      await refused([409, 'contact_fields.slug_taken'], 'POST', PATH, body);
    }
    await refused([400, 'request.invalid'], 'POST', PATH, { type: 'text', slug: 'No Slug', label: 'x' });
  });

  test('in use by the profile they stay, and stay open to companies', async () => {
    const field = await must('POST', PATH, { type: 'integer', slug: 'staff', label: 'Staff' });
    const value = await must('POST', '/api/contact-data', { field_id: field.id, value: '12' });
    assert.deepEqual(
      [value.field_id, value.type, value.slug, value.label],
      [field.id, 'integer', 'staff', 'Staff'],
    );
    proves('error:contact_fields.in_use');
    const answer = await refused([409, 'contact_fields.in_use'], 'DELETE', `${PATH}/${field.id}`);
    assert.deepEqual(answer.body.in_use, [{ id: value.id, slug: 'staff', label: 'Staff' }]);
    const path = `${PATH}/${field.id}`;
    await refused([409, 'contact_fields.in_use'], 'PUT', path, { usertype: 'person' });
    assert.equal((await must('PUT', path, { usertype: 'company' })).usertype, 'company');
    await must('DELETE', `/api/contact-data/${value.id}`);
    proves('route:DELETE /api/contact-fields/{id}');
    assert.equal((await call('DELETE', path)).status, 204);
  });

  test('the profile refuses values of fields for people only', async () => {
    const body = { type: 'text', slug: 'nickname', label: 'Nickname', usertype: 'person' };
    const { id } = await must('POST', PATH, body);
    const value = { field_id: id, value: 'x' };
    await refused([400, 'contact_data.usertype_forbidden'], 'POST', '/api/contact-data', value);
  });

  test('a company cannot have more custom fields than the limit', async () => {
    const full = await registerCompany(platform());
    const { database, ids } = platform().context;
    await database.write((writer) =>
      writer
        .insertInto('contact_fields')
        .values(
          Array.from({ length: limits.contactFieldsMost }, (_, index) => ({
            company_id: full.id,
            id: ids.uuid(),
            type: 'text',
            slug: `slug_${index}`,
            label: 'x',
            usertype: 'any' as const,
            created_at: 0,
          })),
        )
        .execute(),
    );
    const answer = await call('POST', PATH, { type: 'text', slug: 'one_more', label: 'x' }, full.token);
    proves('error:contact_fields.limit_reached', 'limit:contactFieldsMost');
    assert.deepEqual([answer.status, answer.body.error_key], [409, 'contact_fields.limit_reached']);
  });
});
