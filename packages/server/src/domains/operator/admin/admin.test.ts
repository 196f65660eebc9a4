import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createDataClient,
  createField,
  createService,
  dataToken,
  publish,
  registerCompany,
  registerPerson,
  type TestCompany,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import { OPERATOR, onPlatform, startPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { sql } from 'kysely';
import { createContext } from '../../../context.ts';
import { PlatformError } from '../../../core/errors.ts';

const PERSON_COLUMNS = [
  'id',
  'email',
  'display_name',
  'share_code',
  'public_key',
  'public_key_sha256',
  'login_version',
  'login_salt',
  'login_hash',
  'encrypted_private_key',
  'recovery_hash',
  'recovery_private_key',
  'epoch',
  'created_at',
  'totp_last_step',
  'region',
] as const;
const DAY = 24 * 60 * 60 * 1000;

onPlatform('the operator', (platform) => {
  const operate = (method: string, path: string, body?: unknown) =>
    platform().call(method, `/api/admin${path}`, {
      token: OPERATOR,
      ...(body === undefined ? {} : { body }),
    });
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await operate(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform(), 'Zenith & Söhne');
  });

  test('the operator lists companies, finds them by name, address and code, and reads one', async () => {
    const all = await must('GET', '/companies');
    assert.ok(all.total >= 1 && all.items.length === all.total);
    for (const search of ['zenith &', company.email.slice(0, 14), company.code.toLowerCase()]) {
      const found = await must('GET', `/companies?search=${encodeURIComponent(search)}`);
      assert.deepEqual(
        found.items.map((row: { company_user_id: string }) => row.company_user_id),
        [company.id],
        search,
      );
    }
    assert.equal((await must('GET', '/companies?search=%25')).total, 0, 'no character is a wildcard');
    assert.equal((await must('GET', '/companies?limit=1&offset=1000')).items.length, 0);
    const service = await createService(platform(), company);
    await insertCustomer(platform(), service);
    const one = await must('GET', `/companies/${company.id}`);
    assert.deepEqual(
      [one.company_code, one.level, one.services, one.connections],
      [company.code, 'enterprise', 1, 1],
    );
    const { status, body } = await operate('GET', '/companies/nothing');
    proves('error:admin.company_not_found');
    assert.deepEqual([status, body.error_key], [404, 'admin.company_not_found']);
  });

  test('a search finds at most a thousand, and pages go on after a row', async () => {
    const { engine, schema } = platform().context.database;
    const copy = (n: string) =>
      `insert into persons (${PERSON_COLUMNS.join(', ')}) select ${PERSON_COLUMNS.map((column) =>
        column === 'id'
          ? `'00000000-0000-7000-8000-' || ${n}`
          : column === 'email'
            ? `'copy' || ${n} || '@example.com'`
            : column === 'share_code'
              ? `'copy' || ${n}`
              : column === 'display_name'
                ? "'Multiplied'"
                : column,
      ).join(', ')} from persons cross join series where id = '${person.id}'`;
    const person = await registerPerson(platform());
    const series =
      engine === 'sqlite'
        ? 'with recursive series(i) as (select 100000000000 union all select i + 1 from series where i < 100000001199)'
        : 'with series as (select 100000000000 + generate_series(0, 1199) as i)';
    const statement = copy('i');
    const at = statement.indexOf('select');
    await sql
      .raw(
        engine === 'sqlite'
          ? `${series} ${statement}`
          : `${statement.slice(0, at)} ${series} ${statement.slice(at)}`,
      )
      .execute(schema);
    assert.equal((await must('GET', '/people?search=multiPLIED')).total, 1000);
    const first = await must('GET', '/people?search=copy10000000000&limit=6');
    assert.equal(first.total, 10);
    const ids = (page: { items: { person_user_id: string }[] }) =>
      page.items.map((row) => row.person_user_id);
    const second = await must('GET', `/people?search=copy10000000000&limit=6&after=${ids(first)[5]}`);
    assert.deepEqual([second.total, ids(second).length], [10, 4]);
    assert.ok((ids(second)[0] ?? '') > (ids(first)[5] ?? ''));
    const all = await must('GET', '/people?limit=2');
    assert.deepEqual(ids(await must('GET', `/people?limit=1&after=${ids(all)[0]}`)), [ids(all)[1]]);
    assert.equal(all.total, (await must('GET', '/statistics')).persons);
    const far = await operate('GET', '/people?offset=10001');
    assert.deepEqual([far.status, far.body.error_key], [400, 'request.invalid']);
    await sql.raw("delete from persons where share_code like 'copy%'").execute(schema);
  });

  test('sets a level, on the record of the operator and of the company', async () => {
    const path = `/companies/${company.id}/level`;
    assert.equal((await must('PUT', path, { level: 'pro' })).level, 'pro');
    assert.equal((await platform().must('GET', '/api/account', { token: company.token })).level, 'pro');
    assert.equal((await operate('PUT', path, { level: 'gold' })).body.error_key, 'request.invalid');
    assert.equal((await operate('PUT', '/companies/nothing/level', { level: 'pro' })).status, 404);
    const [act] = (await must('GET', '/acts?limit=1')).items;
    assert.deepEqual(
      [act.act, act.subject, act.details, act.source],
      ['company.level_changed', company.id, { from: 'enterprise', to: 'pro' }, '127.0.0.1'],
    );
    const audited = await platform()
      .context.database.reader.selectFrom('audit_log')
      .select(['actor_kind', 'target', 'details'])
      .where('company_id', '=', company.id)
      .where('action', '=', 'company.level_changed')
      .execute();
    assert.deepEqual(audited, [
      { actor_kind: 'platform', target: company.id, details: '{"from":"enterprise","to":"pro"}' },
    ]);
  });

  test('a data client needs the Basic level or above (wire 4.5)', async () => {
    const level = (name: string) => must('PUT', `/companies/${company.id}/level`, { level: name });
    const [early, late] = [
      await createService(platform(), company),
      await createService(platform(), company),
    ];
    const client = await createDataClient(platform(), early);
    const token = await tokenFor(platform(), client.clientId, client.clientSecret);
    const form = (secret: string) =>
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: secret,
      });
    await level('free');
    const refused = await platform().call('POST', `/api/services/${late.id}/client`, {
      token: company.token,
    });
    assert.deepEqual([refused.status, refused.body.error_key], [403, 'services.level_required']);
    // Also on what a data client may never call: who calls is looked up before what it calls.
    for (const route of [
      'GET /api/company-data/whoami',
      'GET /api/company-data/connections',
      'GET /api/company-data/changes',
      'POST /api/service-2fa/challenges',
      'GET /api/account',
    ]) {
      const [method = '', path = ''] = route.split(' ');
      const call = await platform().call(method, path, { token });
      assert.deepEqual([call.status, call.body.error_key], [403, 'services.level_required'], route);
    }
    const grant = await platform().call('POST', '/oauth2/token', { body: form(client.clientSecret) });
    assert.deepEqual([grant.status, grant.body.error], [400, 'unauthorized_client']);
    const guess = await platform().call('POST', '/oauth2/token', { body: form('guess') });
    proves(
      'error:invalid_client',
      'error:services.level_required',
      'error:unauthorized_client',
      'limit:data-client-level',
    );
    assert.deepEqual([guess.status, guess.body.error], [401, 'invalid_client'], 'only the secret tells more');
    await level('basic');
    assert.equal((await platform().call('GET', '/api/company-data/whoami', { token })).status, 200);
    await platform().must('POST', '/oauth2/token', { body: form(client.clientSecret) });
    await dataToken(platform(), late);
    await level('enterprise');
  });

  test('the operator gives people share codes, which are accepted as input and never shown', async () => {
    const person = await registerPerson(platform(), 'Ada Lovelace');
    const other = await registerPerson(platform());
    const service = await createService(platform(), company);
    const token = await dataToken(platform(), service);
    const given = await must('PUT', `/people/${person.id}/share-codes/ADA1815`);
    assert.deepEqual([given.share_code, given.custom_share_codes], [person.shareCode, ['ADA1815']]);
    await must('PUT', `/people/${person.id}/share-codes/ADA1815`);
    const key = await platform().must('GET', '/api/keys/ADA1815', { token });
    assert.equal(key.share_code, person.shareCode);
    assert.deepEqual(key, await platform().must('GET', `/api/keys/${person.shareCode}`, { token }));
    const me = await platform().call('GET', '/api/person/me', { token: person.token });
    assert.ok(!me.text.includes('ADA1815'));
    await connect(platform(), person, service);
    const list = await platform().call('GET', '/api/company-data/connections', { token });
    assert.ok(list.text.includes(person.shareCode) && !list.text.includes('ADA1815'));

    for (const [id, code, status, errorKey] of [
      [other.id, 'ADA1815', 409, 'admin.share_code_taken'],
      [other.id, person.shareCode, 409, 'admin.share_code_taken'],
      [other.id, company.code, 409, 'admin.share_code_taken'],
      [other.id, 'lower', 400, 'admin.share_code_invalid'],
      [other.id, 'AB', 400, 'admin.share_code_invalid'],
      ['nobody', 'FREE1', 404, 'admin.person_not_found'],
    ] as const) {
      const answer = await operate('PUT', `/people/${id}/share-codes/${code}`);
      assert.deepEqual([answer.status, answer.body.error_key], [status, errorKey], code);
    }
    for (let count = 1; count < limits.customShareCodesMost; count++) {
      await must('PUT', `/people/${person.id}/share-codes/MORE${count}`);
    }
    const full = await operate('PUT', `/people/${person.id}/share-codes/MORE99`);
    assert.deepEqual([full.status, full.body.error_key], [409, 'admin.share_codes_limit']);

    for (const search of ['ada love', 'ada1815', person.email]) {
      const found = await must('GET', `/people?search=${encodeURIComponent(search)}`);
      assert.equal(found.items[0].person_user_id, person.id, search);
    }
    await must('DELETE', `/people/${person.id}/share-codes/ADA1815`);
    assert.equal((await platform().call('GET', '/api/keys/ADA1815', { token })).status, 404);
    proves(
      'error:admin.person_not_found',
      'error:admin.share_code_invalid',
      'error:admin.share_code_not_found',
      'error:admin.share_code_taken',
      'error:admin.share_codes_limit',
      'limit:customShareCode',
      'limit:customShareCodesMost',
    );
    for (const code of ['ADA1815', person.shareCode]) {
      const answer = await operate('DELETE', `/people/${person.id}/share-codes/${code}`);
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'admin.share_code_not_found']);
    }
  });

  test('adds field types, in every process, and removes only what is not in use', async () => {
    const { config } = platform().context;
    const other = insidesOf(
      await createContext(config, { clock: platform().clock, log: platform().context.log }),
    );
    proves(
      'error:admin.field_type_in_use',
      'error:admin.field_type_not_found',
      'error:admin.field_type_system',
    );
    try {
      const added = await must('POST', '/field-types', {
        type: 'iban',
        parent: 'text',
        label: 'IBAN',
        validation: '[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}',
      });
      assert.deepEqual([added.is_system, added.input], [false, null]);
      await other.settings.reload();
      assert.ok(other.registry.accepts('text', 'iban'), 'another process knows it');
      assert.equal(other.registry.validate('iban', 'no').valid, false);
      assert.ok(other.catalogue.fields().some((field) => field.type === 'iban' && !field.is_system));

      const served = await platform().call('GET', '/api/contact-field-types', { token: company.token });
      assert.ok(served.body.some((row: { type: string }) => row.type === 'iban'));
      const service = await createService(platform(), company, [
        { slug: 'iban', label: 'IBAN', type: 'iban' },
      ]);
      const person = await registerPerson(platform());
      await createField(platform(), person, { type: 'iban', slug: 'iban', value: 'DE00000000000000' });
      await must('POST', '/field-types', {
        type: 'german_iban',
        parent: 'iban',
        label: 'German IBAN',
        validation: 'DE.*',
      });
      const used = async (type: string) =>
        (await must('GET', '/field-types')).field_types.find((row: { type: string }) => row.type === type)
          ?.in_use;
      assert.deepEqual([await used('iban'), await used('german_iban')], [true, false]);

      for (const [type, status, errorKey] of [
        ['iban', 409, 'admin.field_type_in_use'],
        ['text', 409, 'admin.field_type_system'],
        ['nothing', 404, 'admin.field_type_not_found'],
        ['__proto__', 404, 'admin.field_type_not_found'],
      ] as const) {
        const answer = await operate('DELETE', `/field-types/${type}`);
        assert.deepEqual([answer.status, answer.body.error_key], [status, errorKey], type);
      }
      await must('DELETE', '/field-types/german_iban');
      await publish(platform(), company, service.id, []);
      assert.equal((await operate('DELETE', '/field-types/iban')).status, 409, 'a person has a field of it');
      const { fields } = await platform().must('GET', '/api/person/fields', { token: person.token });
      for (const field of fields as { id: string }[]) {
        await platform().must('DELETE', `/api/person/fields/${field.id}`, { token: person.token });
      }
      await must('DELETE', '/field-types/iban');
      await other.settings.reload();
      assert.equal(other.registry.has('iban'), false);
      const again = await platform().call('GET', '/api/contact-field-types', { token: company.token });
      assert.notEqual(again.headers.get('etag'), served.headers.get('etag'));
    } finally {
      await other.stop();
    }
  });

  test('an act that is not saved whole is not acknowledged', async () => {
    const person = await registerPerson(platform());
    const codes = `/people/${person.id}/share-codes`;
    await must('PUT', `${codes}/WHOLE1`);
    const type = { type: 'whole', parent: 'text', label: 'Whole' };
    for (const [method, path, body] of [
      ['PUT', `/companies/${company.id}/level`, { level: 'basic' }],
      ['PUT', `${codes}/WHOLE2`],
      ['DELETE', `${codes}/WHOLE1`],
      ['POST', '/field-types', type],
      ['DELETE', '/field-types/whole'],
      ['PUT', '/maintenance/out-of-order', { on: false }],
    ] as const) {
      const answer = await refusedWhenAnyFails(platform(), () => operate(method, path, body));
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    }
  });

  test('a change of the registry is answered when this process uses it', async (t) => {
    const { settings } = platform().context;
    const reload = t.mock.method(settings, 'reload', async () => {
      throw new PlatformError('platform.busy');
    });
    const type = { type: 'late', parent: 'text', label: 'Late' };
    assert.equal((await operate('POST', '/field-types', type)).status, 503);
    reload.mock.restore();
    await must('DELETE', '/field-types/late');
  });

  test('a row that does not fit the registry is refused, with what is wrong', async () => {
    proves('error:admin.field_type_invalid');
    for (const [row, code] of [
      [{ type: 'email', parent: 'text', label: 'x' }, 'type_taken'],
      [{ type: 'plugin', parent: 'text', label: 'x' }, 'type_reserved'],
      [{ type: 'a', parent: 'nothing', label: 'x' }, 'parent_unknown'],
      [{ type: 'a', parent: null, label: 'x' }, 'input_missing'],
      [{ type: 'a', parent: 'text', label: 'x', validation: '(' }, 'pattern_invalid'],
      [{ type: 'a', parent: 'text', label: 'x', input: 7 }, 'shape_invalid'],
      [{ type: 'A B', parent: 'text', label: 'x' }, 'type_key_invalid'],
    ] as const) {
      const { status, body } = await operate('POST', '/field-types', row);
      assert.deepEqual([status, body.error_key], [400, 'admin.field_type_invalid'], JSON.stringify(row));
      assert.equal(body.issues[0].code, code);
    }
    const system = await operate('POST', '/field-types', {
      type: 'a',
      parent: 'text',
      label: 'x',
      is_system: true,
    });
    assert.equal(system.body.error_key, 'request.invalid');
  });

  test('the operator reads statistics and purges what is too old', async () => {
    const service = await createService(platform(), company);
    const customer = await insertCustomer(platform(), service);
    const before = await must('GET', '/statistics');
    await raise(platform(), service, customer, 'connection_created');
    const after = await must('GET', '/statistics');
    assert.equal(after.feed.events, before.feed.events + 1);
    assert.match(after.feed.oldest_at, /Z$/);
    assert.equal(after.companies.total, before.companies.total);
    assert.equal(after.engine, platform().engine);
    const { max_ms, p99_ms } = after.event_loop;
    assert.ok(Number.isInteger(p99_ms) && 0 <= p99_ms && p99_ms <= max_ms, `${p99_ms} of ${max_ms}`);
    platform().clock.advance(7 * DAY + 1);
    const { change_rows } = await must('POST', '/purge');
    assert.ok(change_rows >= 1);
    const purged = await must('GET', '/statistics');
    assert.deepEqual(purged.feed, { events: 0, oldest_at: null });
  });

  test('only the operator token opens /api/admin, and it opens nothing else', async () => {
    const path = '/api/admin/statistics';
    const fresh = await registerCompany(platform());
    const person = await registerPerson(platform());
    proves('error:auth.client_endpoint_forbidden', 'error:auth.forbidden');
    for (const [token, status, key] of [
      [undefined, 401, 'auth.invalid'],
      [`${OPERATOR}x`, 401, 'auth.invalid'],
      [fresh.token, 403, 'auth.forbidden'],
      [person.token, 403, 'auth.forbidden'],
      [
        await dataToken(platform(), await createService(platform(), fresh)),
        403,
        'auth.client_endpoint_forbidden',
      ],
    ] as const) {
      const { status: got, body } = await platform().call('GET', path, token === undefined ? {} : { token });
      assert.deepEqual([got, body.error_key], [status, key]);
    }
    for (const closed of ['/api/account', '/api/person/me', '/api/company-data/changes', '/api/services']) {
      assert.equal((await platform().call('GET', closed, { token: OPERATOR })).status, 403, closed);
    }
  });
});

test('without an operator token there is no /api/admin, whoever asks; levels begin where the operator says', async () => {
  const environment = {
    SYMBOLON_DEFAULT_LEVEL: 'free',
    SYMBOLON_OPERATOR_TOKEN: '',
    SYMBOLON_OPERATOR_READ_TOKEN: '',
  };
  await using platform = await startPlatform('sqlite', environment);
  for (const call of [{}, { token: OPERATOR }, { token: 'x' }]) {
    const { status, body } = await platform.call('GET', '/api/admin/companies', call);
    assert.deepEqual([status, body.error_key], [404, 'request.not_found']);
  }
  const { paths } = await platform.must('GET', '/openapi.json');
  assert.ok(!Object.keys(paths).some((path) => path.startsWith('/api/admin')));
  const company = await registerCompany(platform);
  assert.equal((await platform.must('GET', '/api/account', { token: company.token })).level, 'free');
});
