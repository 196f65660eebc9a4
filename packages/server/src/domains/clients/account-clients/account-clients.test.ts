import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountClientBaseline,
  type Capability,
  capabilities,
  capabilityPatterns,
  limits,
  portalOnlyPatterns,
  reservedPurposePrefixes,
} from '@symbolon/protocol';
import {
  createAccountClient,
  createDataClient,
  createService,
  dataToken,
  openSealed,
  registerCompany,
  type TestCompany,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';

const PATH = '/api/account/clients';

const create = (platform: TestPlatform, company: TestCompany, body: unknown) =>
  platform.call('POST', PATH, { token: company.token, body });

onPlatform('account clients', (platform) => {
  test('are created with a secret that is shown once and stored nowhere readable', async () => {
    const company = await registerCompany(platform());
    const answer = await create(platform(), company, {
      name: ' Billing robot ',
      purpose: 'billing:monthly.v2_a-b',
      capabilities: ['oauth_apps', 'service_management', 'oauth_apps'],
    });
    proves('route:POST /api/account/clients');
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { client_id, client_secret, ...rest } = answer.body;
    assert.match(client_id, /^acct_[\w-]{34}$/);
    assert.deepEqual(rest, {
      name: 'Billing robot',
      purpose: 'billing:monthly.v2_a-b',
      capabilities: ['service_management', 'oauth_apps'],
      grant_types: ['client_credentials'],
    });
    const list = await platform().call('GET', PATH, { token: company.token });
    proves('route:GET /api/account/clients');
    assert.deepEqual(list.body, {
      clients: [
        {
          client_id,
          name: 'Billing robot',
          purpose: 'billing:monthly.v2_a-b',
          capabilities: ['service_management', 'oauth_apps'],
          created_at: '2026-01-31T09:30:00.000Z',
        },
      ],
    });
    const { reader } = platform().context.database;
    for (const table of ['clients', 'account_clients', 'recovery_copies', 'audit_log'] as const) {
      const rows = await reader.selectFrom(table).selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(client_secret), table);
    }
  });

  test('act as the company, and their token says where to call', async () => {
    const company = await registerCompany(platform());
    const client = await createAccountClient(platform(), company);
    const account = await platform().must('GET', '/api/account', { token: client.token });
    assert.equal(account.company_user_id, company.id);
  });

  test('leave a copy of their secret that the recovery key opens', async () => {
    const company = await registerCompany(platform());
    const { id, secret } = await createAccountClient(platform(), company);
    const copyOf = async () => {
      const { token } = company;
      const { items } = await platform().must('GET', '/api/account/recovery-copies', { token });
      assert.ok(items.length <= 1);
      const [copy] = items;
      return copy && { ...copy, secret: await openSealed(copy.sealed) };
    };
    const copy = await copyOf();
    assert.deepEqual(
      [copy.kind, copy.service_id, copy.client_id, copy.secret],
      ['client_secret', null, id, secret],
    );
    const { client_secret } = await platform().must('POST', `${PATH}/${id}/regenerate-secret`, {
      token: company.token,
    });
    assert.equal((await copyOf()).secret, client_secret);
    await platform().must('DELETE', `${PATH}/${id}`, { token: company.token });
    assert.equal(await copyOf(), undefined);
  });

  for (const [title, body] of [
    ['a missing name', {}],
    ['a name that is null', { name: null }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \t\n' }],
    ['a name that is no text', { name: 7 }],
    ['a name without end', { name: 'x'.repeat(101) }],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const company = await registerCompany(platform());
      const answer = await create(platform(), company, body);
      proves('error:account_clients.name_invalid');
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'account_clients.name_invalid']);
    });
  }

  for (const [title, body] of [
    ['an unknown capability', { name: 'x', capabilities: ['service_management', 'root'] }],
    ['a capability by the name of a prototype member', { name: 'x', capabilities: ['constructor'] }],
    ['capabilities that are no list', { name: 'x', capabilities: 'service_management' }],
    ['an unknown member', { name: 'x', endpoints: ['/*'] }],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const company = await registerCompany(platform());
      const answer = await create(platform(), company, body);
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'request.invalid']);
      assert.deepEqual((await platform().must('GET', PATH, { token: company.token })).clients, []);
    });
  }

  test('without a purpose, or with null, have none; any number of them', async () => {
    const company = await registerCompany(platform());
    for (const body of [{ name: 'a' }, { name: 'b', purpose: null }, { name: 'c', capabilities: [] }]) {
      const answer = await create(platform(), company, body);
      assert.deepEqual([answer.status, answer.body.purpose, answer.body.capabilities], [201, null, []]);
    }
  });

  for (const purpose of [
    '',
    ' ',
    '\t\n',
    'Upper',
    'with blank',
    ' billing',
    'billing\n',
    'ümlaut',
    'a/b',
    'x'.repeat(65),
    'CRM:hub',
    7,
    ['billing'],
  ]) {
    test(`refuses the purpose ${JSON.stringify(purpose)}`, async () => {
      const company = await registerCompany(platform());
      const answer = await create(platform(), company, { name: 'x', purpose });
      proves('error:account_clients.purpose_invalid', 'limit:purpose');
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'account_clients.purpose_invalid']);
    });
  }

  test('take every purpose of the allowed shape, from 1 to 64 characters', async () => {
    const company = await registerCompany(platform());
    proves('limit:purpose');
    for (const purpose of [
      'a',
      '0',
      '-',
      'x'.repeat(64),
      'a_b.c:d-e',
      'crm',
      'crm-hub',
      'shopping:x',
      'xcrm:',
    ]) {
      const answer = await create(platform(), company, { name: 'x', purpose });
      assert.deepEqual([answer.status, answer.body.purpose], [201, purpose], answer.text);
    }
  });

  test('two account clients of one company cannot have the same purpose', async () => {
    const company = await registerCompany(platform());
    const answers = await Promise.all(
      [1, 2, 3].map((n) => create(platform(), company, { name: `n${n}`, purpose: 'sync' })),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409]);
    proves('error:account_clients.purpose_taken');
    for (const answer of answers) {
      if (answer.status === 409) assert.equal(answer.body.error_key, 'account_clients.purpose_taken');
    }
    const other = await registerCompany(platform());
    assert.equal((await create(platform(), other, { name: 'x', purpose: 'sync' })).status, 201);
    const { clients } = await platform().must('GET', PATH, { token: company.token });
    await platform().must('DELETE', `${PATH}/${clients[0].client_id}`, { token: company.token });
    assert.equal((await create(platform(), company, { name: 'x', purpose: 'sync' })).status, 201);
  });

  test('cannot have a purpose of the platform, taken or not', async () => {
    assert.deepEqual(reservedPurposePrefixes, [
      'crm:',
      'shop:',
      'commerce:',
      'store:',
      'shopify:',
      'woocommerce:',
    ]);
    const company = await registerCompany(platform());
    const { accountClients } = platform().context;
    const actor = { kind: 'platform', id: '' } as const;
    proves('error:account_clients.purpose_reserved');
    for (const prefix of reservedPurposePrefixes) {
      const managed = { name: 'Managed', purpose: `${prefix}one`, capabilities: [] };
      await accountClients.mintManaged(company.id, actor, managed);
      for (const purpose of [`${prefix}one`, `${prefix}two`, prefix]) {
        const answer = await create(platform(), company, { name: 'x', purpose });
        assert.deepEqual([answer.status, answer.body.error_key], [400, 'account_clients.purpose_reserved']);
        assert.ok(answer.body.error.includes(` ${prefix} `), 'the refusal names the prefix');
      }
      await assert.rejects(accountClients.mintManaged(company.id, actor, managed), {
        key: 'account_clients.purpose_taken',
      });
    }
    for (const purpose of ['billing', 'crm:Upper']) {
      await assert.rejects(
        accountClients.mintManaged(company.id, actor, { name: 'x', purpose, capabilities: [] }),
        TypeError,
      );
    }
  });

  test('that a feature manages work, are listed, and are changed by none of these routes', async () => {
    const company = await registerCompany(platform());
    const made = await platform().context.accountClients.mintManaged(
      company.id,
      { kind: 'platform', id: '' },
      { name: 'CRM', purpose: 'crm:hub', capabilities: ['service_management'] },
    );
    const token = await tokenFor(platform(), made.client_id, made.client_secret);
    await platform().must('GET', '/api/services', { token });
    const { clients } = await platform().must('GET', PATH, { token: company.token });
    assert.deepEqual([clients[0].client_id, clients[0].purpose], [made.client_id, 'crm:hub']);
    proves('error:account_clients.purpose_managed');
    for (const [method, path, body] of [
      ['PUT', `${PATH}/${made.client_id}/capabilities`, { capabilities: ['oauth_apps'] }],
      ['POST', `${PATH}/${made.client_id}/regenerate-secret`, undefined],
    ] as const) {
      const answer = await platform().call(method, path, { token: company.token, body });
      assert.deepEqual([answer.status, answer.body.error_key], [409, 'account_clients.purpose_managed']);
    }
    await platform().must('GET', '/api/services', { token });
    await platform().must('DELETE', `${PATH}/${made.client_id}`, { token: company.token });
    const gone = await platform().call('GET', '/api/services', { token });
    assert.deepEqual([gone.status, gone.body.error_key], [401, 'auth.invalid']);
  });

  test('never gain or change a purpose later', async () => {
    const company = await registerCompany(platform());
    const { id } = await createAccountClient(platform(), company);
    const path = `${PATH}/${id}/capabilities`;
    const body = { capabilities: [], purpose: 'late' };
    const answer = await platform().call('PUT', path, { token: company.token, body });
    assert.deepEqual([answer.status, answer.body.error_key], [400, 'request.invalid']);
    const { clients } = await platform().must('GET', PATH, { token: company.token });
    assert.equal(clients[0].purpose, null);
  });

  test('reach what they were granted again from the next request on; the baseline stays', async () => {
    const company = await registerCompany(platform());
    const { id, token } = await createAccountClient(platform(), company, ['service_management']);
    const status = async (path: string) => (await platform().call('GET', path, { token })).status;
    const grant = (granted: unknown) =>
      platform().call('PUT', `${PATH}/${id}/capabilities`, {
        token: company.token,
        body: { capabilities: granted },
      });
    assert.deepEqual([await status('/api/services'), await status('/api/account/oauth-apps')], [200, 403]);
    const answer = await grant(['oauth_apps', 'delegate_management']);
    proves('route:PUT /api/account/clients/{id}/capabilities');
    assert.deepEqual(answer.body, { client_id: id, capabilities: ['oauth_apps', 'delegate_management'] });
    assert.deepEqual([await status('/api/services'), await status('/api/account/oauth-apps')], [403, 200]);
    assert.deepEqual((await grant([])).body, { client_id: id, capabilities: [] });
    assert.equal(await status('/api/account/oauth-apps'), 403);
    assert.deepEqual([await status('/api/account'), await status('/api/contact-field-types')], [200, 200]);
    for (const wrong of [undefined, null, 'oauth_apps', ['everything']]) {
      const refused = await grant(wrong);
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'request.invalid']);
    }
    assert.equal(await status('/api/account'), 200);
  });

  test('lose every token with their secret, and with their life', async () => {
    const company = await registerCompany(platform());
    const { id, secret, token } = await createAccountClient(platform(), company);
    const answer = await platform().call('POST', `${PATH}/${id}/regenerate-secret`, { token: company.token });
    proves('route:POST /api/account/clients/{id}/regenerate-secret');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { client_secret, ...rest } = answer.body;
    assert.notEqual(client_secret, secret);
    assert.deepEqual(rest, {
      client_id: id,
      name: 'Automation',
      purpose: null,
      capabilities: [],
      grant_types: ['client_credentials'],
    });
    const stale = await platform().call('GET', '/api/account', { token });
    assert.deepEqual([stale.status, stale.body.error_key], [401, 'auth.invalid']);
    await assert.rejects(tokenFor(platform(), id, secret), /invalid_client/);
    const fresh = await tokenFor(platform(), id, client_secret);
    await platform().must('GET', '/api/account', { token: fresh });

    proves('route:DELETE /api/account/clients/{id}');
    assert.equal((await platform().call('DELETE', `${PATH}/${id}`, { token: company.token })).status, 204);
    assert.equal((await platform().call('GET', '/api/account', { token: fresh })).status, 401);
    await assert.rejects(tokenFor(platform(), id, client_secret), /invalid_client/);
    const { reader } = platform().context.database;
    for (const table of ['clients', 'account_clients', 'recovery_copies'] as const) {
      const rows = await reader.selectFrom(table).selectAll().where('client_id', '=', id).execute();
      assert.deepEqual(rows, [], table);
    }
  });

  test('of another company, data clients and sign-in apps are not there', async () => {
    const company = await registerCompany(platform());
    const other = await registerCompany(platform());
    const { id } = await createAccountClient(platform(), other, ['oauth_apps']);
    const service = await createService(platform(), company);
    const data = await createDataClient(platform(), service);
    const app = await platform().must('POST', '/api/account/oauth-apps', {
      token: company.token,
      body: { name: 'App', redirect_uris: ['https://a.example/cb'], claims_delivery: 'plaintext' },
    });
    assert.deepEqual((await platform().must('GET', PATH, { token: company.token })).clients, []);
    proves('error:account_clients.not_found');
    for (const unknown of [id, data.clientId, app.client_id, 'acct_nobody', '%00', 'x'.repeat(150)]) {
      for (const [method, path, body] of [
        ['PUT', `${PATH}/${unknown}/capabilities`, { capabilities: [] }],
        ['POST', `${PATH}/${unknown}/regenerate-secret`, undefined],
        ['DELETE', `${PATH}/${unknown}`, undefined],
      ] as const) {
        const answer = await platform().call(method, path, { token: company.token, body });
        const expected = unknown === '%00' ? 'request.not_found' : 'account_clients.not_found';
        assert.deepEqual([answer.status, answer.body.error_key], [404, expected], `${method} ${unknown}`);
      }
    }
    const { clients } = await platform().must('GET', PATH, { token: other.token });
    assert.deepEqual(clients[0].capabilities, ['oauth_apps']);
  });

  test('are as many as a company may have, and not one more', async () => {
    const company = await registerCompany(platform());
    const { database } = platform().context;
    const row = { company_id: company.id, name: 'x', purpose: null, capabilities: '[]', created_at: 0 };
    const rows = Array.from({ length: limits.accountClientsMost - 1 }, (_, index) => ({
      ...row,
      client_id: `acct_row_${index}_${company.id}`,
    }));
    await database.write((writer) => writer.insertInto('account_clients').values(rows).execute());
    assert.equal((await create(platform(), company, { name: 'last' })).status, 201);
    const answer = await create(platform(), company, { name: 'one more' });
    proves('error:account_clients.limit_reached', 'limit:accountClientsMost');
    assert.deepEqual([answer.status, answer.body.error_key], [409, 'account_clients.limit_reached']);
  });

  test('are managed by the portal login alone', async () => {
    const company = await registerCompany(platform());
    const { id, token } = await createAccountClient(platform(), company, capabilities);
    const machine = await dataToken(platform(), await createService(platform(), company));
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['PUT', `${PATH}/${id}/capabilities`],
      ['POST', `${PATH}/${id}/regenerate-secret`],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      for (const caller of [token, machine]) {
        const body = method === 'GET' ? undefined : { name: 'x', capabilities };
        const answer = await platform().call(method, path, { token: caller, body });
        assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
        assert.equal(answer.body.error, 'client not authorized for this endpoint');
      }
    }
  });

  test('leave a trace of everything that is done to them', async () => {
    const company = await registerCompany(platform());
    const { id, secret } = await createAccountClient(platform(), company, ['oauth_apps']);
    const { token } = company;
    await platform().must('PUT', `${PATH}/${id}/capabilities`, { token, body: { capabilities: [] } });
    const { client_secret } = await platform().must('POST', `${PATH}/${id}/regenerate-secret`, { token });
    await platform().must('DELETE', `${PATH}/${id}`, { token });
    const rows = await platform()
      .context.database.reader.selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('target', '=', id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => [row.actor_kind, row.action]),
      ['created', 'capabilities_granted', 'secret_regenerated', 'deleted'].map((what) => [
        'portal',
        `account_client.${what}`,
      ]),
    );
    assert.deepEqual(JSON.parse(rows[1]?.details ?? ''), { capabilities: [], before: ['oauth_apps'] });
    for (const hidden of [secret, client_secret]) assert.ok(!JSON.stringify(rows).includes(hidden));
  });
});

onPlatform('what an account client reaches', (platform) => {
  const groups: readonly (readonly Capability[])[] = [
    [],
    ...capabilities.map((name) => [name]),
    capabilities,
  ];
  const refused = async (token: string, method: string, path: string) => {
    const answer = await platform().call(method, path, { token });
    assert.deepEqual(
      [answer.status, answer.body?.error_key],
      [403, 'auth.client_endpoint_forbidden'],
      `${method} ${path}: ${answer.status} ${answer.text}`,
    );
  };

  test('is never what only a portal login may do, whatever it was granted', async () => {
    // Wire 5.5, the list of what is never grantable; `*` stands for everything below.
    assert.deepEqual(portalOnlyPatterns, [
      '/api/account/password',
      '/api/account/email',
      '/api/account/2fa*',
      '/api/account/delete-request',
      '/api/account/confirm-delete',
      '/api/account/trusted-devices*',
      '/api/profile/migrate-region',
      '/api/profile/keys',
      '/api/account-key',
    ]);
    const company = await registerCompany(platform());
    for (const group of groups) {
      const { token } = await createAccountClient(platform(), company, group);
      for (const pattern of portalOnlyPatterns) {
        const base = pattern.replace('*', '');
        const paths = pattern.endsWith('*') ? [base, `${base}/x`, `${base}/x/y`, `${base}-x`] : [base];
        for (const path of paths) {
          for (const method of ['GET', 'POST', 'PUT', 'DELETE']) await refused(token, method, path);
        }
        proves(`whitelist:portal ${pattern}`);
      }
    }
  });

  test('is never what only a portal login may do, even if its stored whitelist said so', async () => {
    const company = await registerCompany(platform());
    const { id, token } = await createAccountClient(platform(), company, capabilities);
    const { database, clients } = platform().context;
    await database.write((writer) => clients.replaceWhitelist(writer, id, ['/*']));
    for (const pattern of portalOnlyPatterns) await refused(token, 'POST', pattern.replace('*', '/x'));
    await refused(token, 'GET', '/api/company-data/whoami');
    await refused(token, 'GET', PATH);
    await refused(token, 'GET', '/api/person/me');
  });

  test('is never person data, another kind of account, or the whole of an address it knows a part of', async () => {
    const company = await registerCompany(platform());
    for (const group of [[], capabilities]) {
      const { token } = await createAccountClient(platform(), company, group);
      for (const path of [
        '/api/company-data/whoami',
        '/api/company-data/connections',
        '/api/company-data/changes',
        '/api/company-data/not-there-yet',
        '/api/service-2fa/challenges',
        '/api/person/me',
        '/api/person/fields',
        '/api/oauth/userinfo',
        '/api/portal/sign-out',
        '/oauth2/person',
        '/oauth2/token/x',
        '/api/account/clients',
        '/api/account/',
        '/api/account/anything',
        '/api/accounts',
        '/api/account-key',
        '/api/profile/',
        '/api/profile/anything',
        '/api/service',
        '/api',
        '/nothing',
      ]) {
        await refused(token, path.endsWith('sign-out') ? 'POST' : 'GET', path);
      }
      await refused(token, 'POST', '/api/person/connections');
    }
  });

  test('is the path it asks for, in no other spelling', async () => {
    const company = await registerCompany(platform());
    const { token } = await createAccountClient(platform(), company, capabilities);
    for (const path of [
      '/api/account%2Fclients',
      '/api/%61ccount/password',
      '/api/services/%2e%2e/account/password',
      '/API/ACCOUNT/CLIENTS',
      '//api/account/clients',
    ]) {
      const answer = await platform().call('GET', path, { token });
      assert.ok(answer.status === 403 || answer.status === 404, `${path}: ${answer.status}`);
    }
  });

  test('tells the field catalogue from the field-type registry', async () => {
    const company = await registerCompany(platform());
    const bare = await createAccountClient(platform(), company);
    await platform().must('GET', '/api/contact-field-types', { token: bare.token });
    await refused(bare.token, 'GET', '/api/contact-fields');
    const profile = await createAccountClient(platform(), company, ['company_profile_fields']);
    await platform().must('GET', '/api/contact-field-types', { token: profile.token });
    await platform().must('GET', '/api/contact-fields', { token: profile.token });
    // A client that has the catalogue's pattern alone does not reach the registry by it.
    const { database, clients } = platform().context;
    await database.write((writer) => clients.replaceWhitelist(writer, profile.id, ['/api/contact-fields*']));
    await refused(profile.token, 'GET', '/api/contact-field-types');
    await platform().must('GET', '/api/contact-fields', { token: profile.token });
  });

  test('is nothing at all for a client that is to hold nothing', async () => {
    const company = await registerCompany(platform());
    const { id, token } = await createAccountClient(platform(), company, capabilities);
    const { database, clients } = platform().context;
    for (const entries of [[], ['__deny_all__']]) {
      await database.write((writer) => clients.replaceWhitelist(writer, id, entries));
      for (const path of ['/api/account', '/api/services', '/__deny_all__', '/nothing']) {
        await refused(token, 'GET', path);
      }
    }
  });

  test('holds the baseline, and each group its patterns and no other', async () => {
    assert.deepEqual(accountClientBaseline, [
      '/api/account',
      '/api/profile',
      '/oauth2/token',
      '/api/contact-field-types*',
    ]);
    const company = await registerCompany(platform());
    const samples: Readonly<Record<Capability, readonly string[]>> = {
      service_management: [
        '/api/services',
        '/api/services/x/flows/y/runs',
        '/api/account/recovery-copies',
        '/api/account/client-uses',
      ],
      company_profile_fields: [
        '/api/contact-data',
        '/api/contact-data/x',
        '/api/contact-fields/x',
        '/api/photos/x',
      ],
      customer_connections: [
        '/api/company-connections',
        '/api/customer/changes',
        '/api/keys',
        '/api/keys/AB/CD',
      ],
      oauth_apps: [
        '/api/account/oauth-apps',
        '/api/account/oauth-apps/x',
        '/api/account/recovery-copies',
        '/api/account/client-uses',
      ],
      delegate_management: ['/api/delegates', '/api/delegates/x'],
    };
    for (const group of capabilities) {
      const { token } = await createAccountClient(platform(), company, [group]);
      const own = new Set(samples[group]);
      for (const path of new Set(Object.values(samples).flat())) {
        if (!own.has(path)) await refused(token, 'GET', path);
        else {
          const answer = await platform().call('GET', path, { token });
          assert.ok(answer.status !== 403, `${group} ${path}: ${answer.status} ${answer.text}`);
        }
      }
      for (const pattern of capabilityPatterns[group]) {
        assert.ok(
          samples[group].some((path) => path.startsWith(pattern.replace('*', ''))),
          pattern,
        );
        proves(`whitelist:account ${pattern}`);
      }
      for (const pattern of accountClientBaseline) {
        const answer = await platform().call('GET', pattern.replace('*', ''), { token });
        assert.ok(answer.status !== 403, `${group} ${pattern}: ${answer.status} ${answer.text}`);
        proves(`whitelist:account ${pattern}`);
      }
    }
  });
});
