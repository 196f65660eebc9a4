import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createServiceKey, inspectPem, sealValue, serializeWrapper } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  publish,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { readProven } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { replaceRequestFields, requestRows } from './store.ts';

const key = await createServiceKey();
const payload = {
  name: 'Shop',
  admin_email: 'admin@example.com',
  public_key: key.publicKey,
  encrypted_private_key: key.encryptedPrivateKey,
};

onEachEngine('creating a service', (platform) => {
  test('stores what the device made and shows it', async () => {
    const company = await registerCompany(platform());
    const copy = serializeWrapper(await sealValue(key.passphrase, key.publicKey));
    const service = await platform().must('POST', '/api/services', {
      token: company.token,
      body: { ...payload, private_key_pem: key.privateKeyPem, passphrase_recovery_copy: copy },
    });
    assert.match(service.share_code, /^[A-Z0-9]{1,8}$/);
    assert.equal(service.company_code, company.code);
    assert.equal(service.audience, 'both');
    assert.equal(service.connection_count, 0);
    const path = `/api/services/${service.id}`;
    const { body: wrapped } = await readProven(platform(), company, `${path}/private-key`);
    proves('route:GET /api/services/{id}/private-key');
    assert.deepEqual(wrapped.encrypted_private_key, key.encryptedPrivateKey);
    const pem = await readProven(platform(), company, `${path}/private-key.pem`);
    proves('route:GET /api/services/{id}/private-key.pem');
    assert.equal(pem.headers.get('content-type'), 'application/x-pem-file');
    assert.equal(pem.text, key.privateKeyPem);
    assert.equal(inspectPem(pem.text).iterations, 100_000);
    const copies = await platform().must('GET', '/api/account/recovery-copies', { token: company.token });
    assert.deepEqual(
      copies.items.map((item: { kind: string }) => item.kind),
      ['service_passphrase'],
    );
  });

  test('a change that is not saved whole is not acknowledged', async () => {
    const company = await registerCompany(platform());
    const { token } = company;
    const whole = async (method: string, path: string, body: () => object | Promise<object>) => {
      const answer = await refusedWhenAnyFails(platform(), async () =>
        platform().call(method, path, { token, body: await body() }),
      );
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      return answer.body;
    };
    const { id } = await whole('POST', '/api/services', () => payload);
    const path = `/api/services/${id}`;
    const code = randomUUID().slice(0, 8).toUpperCase();
    await whole('PUT', `${path}/share-code`, () => ({ share_code: code }));
    await whole('PUT', `${path}/audience`, () => ({ audience: 'person' }));
    await whole('PUT', `${path}/require-2fa`, () => ({ require_2fa: true }));
    const asked = { slug: 'nick', label: 'Nick', type: 'text' };
    await whole('PUT', `${path}/request-fields`, async () => {
      const { config_token } = await platform().must('GET', `${path}/request-fields`, { token });
      return { config_token, request_fields: [asked] };
    });
    const made = await createServiceKey();
    const next = { public_key: made.publicKey, encrypted_private_key: made.encryptedPrivateKey };
    await whole('PUT', `${path}/key`, () => next);
  });

  test('a company has as many as it may have, and not one more', async () => {
    const company = await registerCompany(platform());
    const { database } = platform().context;
    const first = await createService(platform(), company);
    const row = await database.reader
      .selectFrom('services')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: limits.servicesMost - 2 }, (_, index) => ({
      ...row,
      id: randomUUID(),
      share_code: `X${index}`,
    }));
    for (let at = 0; at < rows.length; at += 50) {
      const some = rows.slice(at, at + 50);
      await database.write((writer) => writer.insertInto('services').values(some).execute());
    }
    const create = () => platform().call('POST', '/api/services', { token: company.token, body: payload });
    // Two at once do not both get the last one.
    const answers = await Promise.all([create(), create()]);
    const [refused] = answers.filter(({ status }) => status !== 201);
    proves('error:services.limit_reached', 'limit:servicesMost');
    assert.deepEqual([refused?.status, refused?.body.error_key], [409, 'services.limit_reached']);
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  });

  test('says when no PEM was stored', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const answer = await readProven(platform(), company, `/api/services/${service.id}/private-key.pem`);
    assert.equal(answer.status, 404);
    proves('error:services.private_key_pem_missing');
    assert.equal(answer.body.error_key, 'services.private_key_pem_missing');
  });

  const { admin_email: _, ...withoutEmail } = payload;
  const wrapped = key.encryptedPrivateKey;
  const tamperedKey = `${key.publicKey.slice(0, 60)}A${key.publicKey.slice(61)}`.replace(/^M/, 'N');
  for (const [title, body, error] of [
    ['no admin e-mail', withoutEmail, 'services.admin_email_invalid'],
    ['a wrong admin e-mail', { ...payload, admin_email: 'nobody' }, 'services.admin_email_invalid'],
    ['an admin e-mail of a wrong type', { ...payload, admin_email: 7 }, 'services.admin_email_invalid'],
    ['a blank name', { ...payload, name: '  ' }, 'services.name_invalid'],
    ['an invalid key', { ...payload, public_key: 'bm9uZQ==' }, 'services.public_key_invalid'],
    ['a damaged key', { ...payload, public_key: tamperedKey }, 'services.public_key_invalid'],
    [
      'too few iterations',
      { ...payload, encrypted_private_key: { ...wrapped, iter: 99_999 } },
      'services.encrypted_private_key_invalid',
    ],
    [
      'a short salt',
      { ...payload, encrypted_private_key: { ...wrapped, salt: 'AAAA' } },
      'services.encrypted_private_key_invalid',
    ],
    [
      'a short iv',
      { ...payload, encrypted_private_key: { ...wrapped, iv: 'AAAA' } },
      'services.encrypted_private_key_invalid',
    ],
    ['an invalid PEM', { ...payload, private_key_pem: 'x' }, 'services.private_key_pem_invalid'],
    ['an unknown member', { ...payload, extra: true }, 'request.invalid'],
    [
      'a copy in plaintext',
      { ...payload, passphrase_recovery_copy: key.passphrase },
      'contact_data.wrapper_invalid',
    ],
  ] as const) {
    test(`refuses ${title} and writes nothing`, async () => {
      const company = await registerCompany(platform());
      const answer = await platform().call('POST', '/api/services', { token: company.token, body });
      assert.equal(answer.status, 400, answer.text);
      proves(`error:${error}`);
      assert.equal(answer.body.error_key, error);
      const list = await platform().must('GET', '/api/services', { token: company.token });
      assert.equal(list.total, 0);
    });
  }

  test('refuses a key of another size', async () => {
    const company = await registerCompany(platform());
    const small = await crypto.subtle.generateKey(
      { name: 'RSA-OAEP', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['encrypt', 'decrypt'],
    );
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', small.publicKey)).toString('base64');
    const answer = await platform().call('POST', '/api/services', {
      token: company.token,
      body: { ...payload, public_key: spki },
    });
    proves('error:services.public_key_invalid');
    assert.equal(answer.body.error_key, 'services.public_key_invalid');
  });
});

onEachEngine('changing a service', (platform) => {
  test('renames it and sets codes, e-mail, audience and flags', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const put = (path: string, body: unknown) =>
      platform().must('PUT', `/api/services/${id}${path}`, { token: company.token, body });
    assert.equal((await put('', { name: 'Store' })).name, 'Store');
    assert.equal((await put('/share-code', { share_code: 'STORE1' })).share_code, 'STORE1');
    proves('route:PUT /api/services/{id}', 'route:PUT /api/services/{id}/share-code');
    assert.equal(
      (await put('/admin-email', { admin_email: 'Boss@Example.com' })).admin_email,
      'boss@example.com',
    );
    assert.equal((await put('/audience', { audience: 'company' })).audience, 'company');
    assert.equal((await put('/require-2fa', { require_2fa: true })).require_2fa, true);
    assert.equal((await put('/number-matching', { number_matching: true })).number_matching, true);
    const read = await platform().must('GET', `/api/services/${id}`, { token: company.token });
    proves('route:GET /api/services/{id}');
    assert.equal(read.name, 'Store');
    proves(
      'route:PUT /api/services/{id}/admin-email',
      'route:PUT /api/services/{id}/audience',
      'route:PUT /api/services/{id}/number-matching',
      'route:PUT /api/services/{id}/require-2fa',
    );
    assert.equal(read.number_matching, true);
  });

  test('a share code keeps its shape and stands once in a company', async () => {
    const company = await registerCompany(platform());
    const first = await createService(platform(), company);
    const second = await createService(platform(), company);
    const set = (id: string, share_code: unknown) =>
      platform().call('PUT', `/api/services/${id}/share-code`, {
        token: company.token,
        body: { share_code },
      });
    assert.equal((await set(first.id, 'SAME')).status, 200);
    assert.equal((await set(first.id, 'SAME')).status, 200);
    const taken = await set(second.id, 'SAME');
    assert.deepEqual([taken.status, taken.body.error_key], [409, 'services.share_code_taken']);
    proves('error:services.share_code_invalid', 'error:services.share_code_taken', 'limit:serviceShareCode');
    for (const bad of ['', 'abc', 'TOOLONG99', 'A-B', 5, null]) {
      const answer = await set(second.id, bad);
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'services.share_code_invalid']);
    }
    const stranger = await registerCompany(platform());
    assert.equal((await set((await createService(platform(), stranger)).id, 'SAME')).status, 404);
  });

  test('what another company owns is not there', async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    const { token } = await registerCompany(platform());
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['GET', '/request-fields'],
      ['GET', '/share-fields'],
      ['GET', '/private-key'],
      ['POST', '/client'],
      ['GET', '/client'],
    ] as const) {
      const answer = await platform().call(method, `/api/services/${service.id}${path}`, { token, body });
      assert.deepEqual(
        [answer.status, answer.body.error_key],
        [404, 'services.not_found'],
        `${method} ${path}`,
      );
    }
  });

  test('lists in pages, oldest first', async () => {
    const company = await registerCompany(platform());
    const made = [];
    for (let count = 0; count < 3; count++) made.push((await createService(platform(), company)).id);
    const page = await platform().must('GET', '/api/services?limit=2&offset=1', { token: company.token });
    proves('route:GET /api/services');
    assert.equal(page.total, 3);
    assert.deepEqual(
      page.items.map((item: { id: string }) => item.id),
      made.slice(1),
    );
  });
});

onEachEngine('publishing request fields', (platform) => {
  test('a token belongs to one service, one kind and one version, and says nothing', async () => {
    const company = await registerCompany(platform());
    const one = await createService(platform(), company);
    const two = await createService(platform(), company);
    const { token } = company;
    const tokenOf = async (path: string) => (await platform().must('GET', path, { token })).config_token;
    const publish = async (path: string, config_token: string) => {
      const rows = path.endsWith('request-fields') ? { request_fields: [] } : { share_fields: [] };
      const answer = await platform().call('PUT', path, { token, body: { config_token, ...rows } });
      return answer.body.error_key;
    };
    const requests = `/api/services/${one.id}/request-fields`;
    const shares = `/api/services/${one.id}/share-fields`;
    const others = [
      await tokenOf(`/api/services/${two.id}/request-fields`),
      await tokenOf(shares),
      'request-1',
      'request-2',
    ];
    for (const other of others) {
      assert.equal(await publish(requests, other), 'services.config_conflict', other);
    }
    const own = await tokenOf(requests);
    assert.match(own, /^[0-9a-f]{32}$/);
    assert.equal(await publish(shares, own), 'services.config_conflict');
    assert.equal(await publish(requests, own), undefined);
    assert.notEqual(await tokenOf(requests), own);
  });

  test('is one versioned act: a stale token is refused and changes nothing', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email' },
    ]);
    const path = `/api/services/${id}/request-fields`;
    const read = await platform().must('GET', path, { token: company.token });
    const body = {
      config_token: read.config_token,
      request_fields: [{ slug: 'phone', label: 'Phone', type: 'phone' }],
    };
    const [one, two] = await Promise.all([
      platform().call('PUT', path, { token: company.token, body }),
      platform().call('PUT', path, { token: company.token, body }),
    ]);
    assert.deepEqual([one.status, two.status].sort(), [200, 409]);
    const refused = one.status === 409 ? one : two;
    proves('error:services.config_conflict');
    assert.equal(refused.body.error_key, 'services.config_conflict');
    const after = await platform().must('GET', path, { token: company.token });
    assert.equal(after.version, read.version + 1);
    proves('route:GET /api/services/{id}/request-fields', 'route:PUT /api/services/{id}/request-fields');
    assert.deepEqual(
      after.request_fields.map((row: { slug: string }) => row.slug),
      ['phone'],
    );
  });

  test('a row that stays keeps its id; order and flags follow the publish', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email', mandatory_provide: true },
      { slug: 'phone', label: 'Phone', type: 'phone' },
    ]);
    const rows = await publish(platform(), company, service.id, [
      { slug: 'birthday', label: 'Birthday', type: 'date', one_time: true },
      { slug: 'email', label: 'Mail', type: 'email', verified: true, verified_max_age_days: 30 },
    ]);
    assert.equal(rows.email, service.rows.email);
    const { request_fields } = await platform().must('GET', `/api/services/${service.id}/request-fields`, {
      token: company.token,
    });
    assert.deepEqual(
      request_fields.map((row: { slug: string }) => row.slug),
      ['birthday', 'email'],
    );
    assert.equal(request_fields[1].label, 'Mail');
    assert.equal(request_fields[1].mandatory_provide, false);
    assert.equal(request_fields[1].verified_max_age_days, 30);
  });

  test('why a row is asked is kept as it is written, and a publish of it asks nobody anew', async () => {
    const company = await registerCompany(platform());
    const mail = { slug: 'email', label: 'E-mail', type: 'email' };
    const service = await createService(platform(), company, [mail]);
    const person = await registerPerson(platform());
    await connect(platform(), person, service);
    const path = `/api/services/${service.id}/request-fields`;
    const read = () => platform().must('GET', path, { token: company.token });
    const put = async (reason: unknown) => {
      const { config_token } = await read();
      const body = { config_token, request_fields: [{ ...mail, reason }] };
      return platform().call('PUT', path, { token: company.token, body });
    };
    const before = await read();
    assert.equal('reason' in before.request_fields[0], false);

    const longest = 'ß'.repeat(limits.requestReasonMost);
    for (const reason of ['To send you the key by post', longest]) {
      assert.equal((await put(reason)).body.request_fields[0].reason, reason);
      assert.equal((await read()).request_fields[0].reason, reason);
    }
    const after = await read();
    assert.equal(after.version, before.version + 2);
    assert.notEqual(after.config_token, before.config_token);
    assert.equal(after.request_fields[0].id, before.request_fields[0].id);
    const { connections } = await platform().must('GET', '/api/person/connections', { token: person.token });
    assert.equal(connections[0].pending_consent, null);
    assert.equal(connections[0].request_fields[0].reason, longest);

    for (const wrong of [`${longest}x`, 'one\nline', 'a \u0007bell', ' ', '', 7]) {
      const refused = await put(wrong);
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.body.issues[0].path, /^\/request_fields\/0\/reason/);
    }
    proves('limit:requestReasonMost');
    assert.equal((await read()).config_token, after.config_token);
    assert.equal((await put(null)).status, 200);
    assert.equal('reason' in (await read()).request_fields[0], false);
  });

  for (const [title, rows, at] of [
    [
      'a slug twice',
      [
        { slug: 'a', label: 'A', type: 'text' },
        { slug: 'a', label: 'A', type: 'text' },
      ],
      '/request_fields/1/slug',
    ],
    ['an unknown type', [{ slug: 'a', label: 'A', type: 'constructor' }], '/request_fields/0/type'],
    ['a choice without options', [{ slug: 'a', label: 'A', type: 'select' }], '/request_fields/0/type'],
    [
      'a one-time row that must stay connected',
      [{ slug: 'a', label: 'A', type: 'text', one_time: true, mandatory_connected: true }],
      '/request_fields/0/mandatory_connected',
    ],
    [
      'an age without verification',
      [{ slug: 'a', label: 'A', type: 'text', verified_max_age_days: 5 }],
      '/request_fields/0/verified_max_age_days',
    ],
    [
      'another type for a row that stands',
      [{ slug: 'email', label: 'A', type: 'text' }],
      '/request_fields/0/type',
    ],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const company = await registerCompany(platform());
      const { id } = await createService(platform(), company, [
        { slug: 'email', label: 'E-mail', type: 'email' },
      ]);
      const path = `/api/services/${id}/request-fields`;
      const { config_token } = await platform().must('GET', path, { token: company.token });
      const answer = await platform().call('PUT', path, {
        token: company.token,
        body: { config_token, request_fields: rows },
      });
      assert.equal(answer.status, 400, answer.text);
      proves('error:services.request_fields_invalid');
      assert.equal(answer.body.error_key, 'services.request_fields_invalid');
      assert.equal(answer.body.issues[0].path, at);
      assert.equal((await platform().must('GET', path, { token: company.token })).config_token, config_token);
    });
  }

  test('a publish does not bring back the mark of a row whose last snapshot was stored meanwhile', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [{ slug: 'a', label: 'a', type: 'text' }]);
    await insertConnections(platform(), service, await insertPeople(platform(), 1));
    await publish(platform(), company, service.id, [{ slug: 'a', label: 'a', type: 'text', one_time: true }]);
    const { database, jobWorker } = platform().context;
    const read = await requestRows(database.reader, service.id);
    assert.deepEqual(
      read.map((row) => row.turning),
      [1],
    );
    await jobWorker.run();
    const ref = { companyId: company.id, serviceId: service.id };
    await database.write((writer) => replaceRequestFields(writer, ref, read, []));
    const after = await requestRows(database.reader, service.id);
    assert.deepEqual(
      after.map((row) => row.turning),
      [0],
    );
    await publish(platform(), company, service.id, [{ slug: 'a', label: 'a', type: 'text' }]);
  });

  test('a publish writes every column of a row that stays, but for its place and whom it asks since when', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [{ slug: 'a', label: 'a', type: 'text' }]);
    const { database } = platform().context;
    const [before] = await requestRows(database.reader, service.id);
    assert.ok(before);
    const ref = { companyId: company.id, serviceId: service.id };
    const other = Object.fromEntries(
      Object.entries(before).map(([column, value]) => [
        column,
        column === 'audience' ? 'person' : typeof value === 'number' ? value + 1 : `${value ?? ''}1`,
      ]),
    ) as unknown as typeof before;
    const { company_id, service_id, id, people_since, companies_since, asked_at } = before;
    const kept = { company_id, service_id, id, people_since, companies_since, asked_at };
    const written = { ...other, ...kept, one_time: 1, mandatory_provide: 1, mandatory_connected: 1 } as const;
    const row = { ...written, verified: 1, turning: 1, verified_max_age_days: 7, plugin_id: null } as const;
    await database.write((writer) =>
      replaceRequestFields(writer, ref, [{ ...row, people_since: 9, companies_since: 9, asked_at: 9 }], []),
    );
    assert.deepEqual(await requestRows(database.reader, service.id), [row]);
  });

  test('a plugin row is refused by its own key while the company has no plugin', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const path = `/api/services/${id}/request-fields`;
    const { config_token } = await platform().must('GET', path, { token: company.token });
    const answer = await platform().call('PUT', path, {
      token: company.token,
      body: { config_token, request_fields: [{ slug: 'a', label: 'A', type: 'plugin' }] },
    });
    proves('error:services.request_field_plugin_invalid');
    assert.deepEqual([answer.status, answer.body.error_key], [400, 'services.request_field_plugin_invalid']);
  });

  test('share fields are plaintext, validated by their types', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const path = `/api/services/${id}/share-fields`;
    const { config_token } = await platform().must('GET', path, { token: company.token });
    const put = (value: string) =>
      platform().call('PUT', path, {
        token: company.token,
        body: { config_token, share_fields: [{ slug: 'hotline', label: 'Hotline', type: 'phone', value }] },
      });
    proves('error:services.share_fields_invalid');
    assert.equal((await put('none')).body.error_key, 'services.share_fields_invalid');
    assert.equal((await put('+49 30 123456')).status, 200);
    assert.equal((await put('+49 30 123456')).body.error_key, 'services.config_conflict');
    proves('route:GET /api/services/{id}/share-fields', 'route:PUT /api/services/{id}/share-fields');
    const { share_fields } = await platform().must('GET', path, { token: company.token });
    assert.deepEqual(
      share_fields.map(({ slug, value }: Record<string, string>) => [slug, value]),
      [['hotline', '+49 30 123456']],
    );
  });
});

onEachEngine('the data client of a service', (platform) => {
  test('is registered once, with its whole whitelist and a sealed copy of its secret', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const path = `/api/services/${id}/client`;
    const created = await platform().call('POST', path, { token: company.token });
    assert.equal(created.status, 201);
    proves('route:POST /api/services/{id}/client');
    assert.match(created.body.client_id, /^svc_/);
    assert.deepEqual(created.body.grant_types, ['client_credentials']);
    assert.deepEqual(created.body.endpoints, [
      '/api/company-data/*',
      '/api/contact-fields*',
      '/api/contact-field-types*',
      '/api/keys/*',
      '/api/service-2fa/*',
    ]);
    const again = await platform().call('POST', path, { token: company.token, body: {} });
    proves(
      'error:services.client_exists',
      'limit:data-clients-per-service',
      'route:GET /api/services/{id}/client',
    );
    assert.deepEqual([again.status, again.body.error_key], [409, 'services.client_exists']);
    assert.equal((await platform().must('GET', path, { token: company.token })).client_secret, undefined);
    const { items } = await platform().must('GET', '/api/account/recovery-copies', { token: company.token });
    proves('route:GET /api/account/recovery-copies');
    assert.equal(items[0].client_id, created.body.client_id);
    assert.equal(items[0].sealed._enc, 1);
  });

  test('two registrations at once give one client', async () => {
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        platform().call('POST', `/api/services/${id}/client`, { token: company.token }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409, 409]);
  });

  test('deleted, it is gone with its tokens and its copy, and a new one may come', async () => {
    const { company, service, token } = await openShop(platform());
    assert.equal(
      (await platform().call('DELETE', `/api/services/${service.id}/client`, { token: company.token }))
        .status,
      204,
    );
    proves('route:DELETE /api/services/{id}/client');
    assert.equal(
      (await platform().call('GET', '/api/contact-field-types', { token })).body.error_key,
      'auth.invalid',
    );
    const gone = await platform().call('GET', `/api/services/${service.id}/client`, { token: company.token });
    proves('error:services.client_not_found');
    assert.equal(gone.body.error_key, 'services.client_not_found');
    const { items } = await platform().must('GET', '/api/account/recovery-copies', { token: company.token });
    assert.deepEqual(items, []);
    assert.ok(await dataToken(platform(), service));
  });

  test('its token opens nothing but its whitelist', async () => {
    const company = await registerCompany(platform());
    const token = await dataToken(platform(), await createService(platform(), company));
    for (const path of [
      '/api/services',
      '/api/account',
      '/api/portal/nothing',
      '/api/person/me',
      '/nowhere',
      '/api/health/x',
    ]) {
      const answer = await platform().call('GET', path, { token });
      assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden'], path);
    }
    assert.equal((await platform().call('GET', '/api/company-data/nothing', { token })).status, 404);
  });
});

onEachEngine('deleting a service', (platform) => {
  test('needs confirmation while people are connected, then ends everything', async () => {
    const { company, service, token } = await openShop(platform());
    const person = await registerPerson(platform());
    await connect(platform(), person, service);
    const path = `/api/services/${service.id}`;
    const refused = await platform().call('DELETE', path, { token: company.token });
    proves('error:services.has_connections');
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'services.has_connections']);
    assert.equal(
      (await platform().call('DELETE', `${path}?confirm=true`, { token: company.token })).status,
      204,
    );
    proves('route:DELETE /api/services/{id}');
    assert.equal((await platform().call('GET', path, { token: company.token })).status, 404);
    assert.equal((await platform().call('GET', '/api/company-data/whoami', { token })).status, 401);
    const { connections } = await platform().must('GET', '/api/person/connections', { token: person.token });
    assert.deepEqual(connections, []);
  });
});
