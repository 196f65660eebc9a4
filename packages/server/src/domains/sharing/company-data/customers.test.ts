import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, type NewCustomers, type ServiceCustomerList } from '@symbolon/protocol';
import {
  connect,
  createService,
  publish,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertCompanyCustomers, insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';

onEachEngine('customers in the portal', (platform) => {
  test('the company reads who its customers are, by their connections, and nothing that they share', async () => {
    const { company, service, token } = await openShop(platform());
    const [ada, ben, former] = [
      await connectedPerson(platform(), service),
      await connectedPerson(platform(), service),
      await connectedPerson(platform(), service),
    ];
    const elsewhere = await createService(platform(), company);
    const other = await connectedPerson(platform(), elsewhere);
    await platform().must('DELETE', `/api/company-data/connections/${former.connectionId}`, { token });
    const ids = [ben, ada, former, other].map(({ connectionId }) => connectionId);
    const path = `/api/services/${service.id}/customers?ids=${[...ids, 'no-such-id'].join(',')}`;
    const { status, body } = await platform().call('GET', path, { token: company.token });
    assert.equal(status, 200);
    const listed = await platform().must('GET', '/api/company-data/connections', { token });
    assert.equal(listed.items.length, 2);
    const expected = listed.items.map((row: Record<string, unknown>) => {
      const { connection_id, user_id, display_name, share_code, customer_type, connected_at } = row;
      return { connection_id, user_id, display_name, share_code, customer_type, connected_at };
    });
    assert.deepEqual(body, { customers: expected, next: null });
    assert.deepEqual(
      body.customers.map(({ user_id }: { user_id: string }) => user_id),
      [ada.person.id, ben.person.id],
    );
    proves('route:GET /api/services/{id}/customers');
  });

  test('are counted by the day on which they came, as far as they stand', async () => {
    const { company, service, token } = await openShop(platform());
    const DAY_MS = 86_400_000;
    const read = async (): Promise<NewCustomers['days']> => {
      // Days go by, and tokens live an hour.
      const { token } = await platform().must('POST', '/api/portal/sign-in', {
        body: { email: company.email, login_secret: company.loginSecret },
      });
      return (await platform().must('GET', `/api/services/${service.id}/new-customers`, { token })).days;
    };
    const former = await connectedPerson(platform(), service);
    await insertConnections(platform(), service, await insertPeople(platform(), 3));
    const first = new Date(platform().clock.now()).toISOString().slice(0, 10);
    await platform().must('DELETE', `/api/company-data/connections/${former.connectionId}`, { token });
    platform().clock.advance(2 * DAY_MS);
    await insertConnections(platform(), service, await insertPeople(platform(), 2));
    const days = await read();
    assert.equal(days.length, limits.newCustomersDays);
    assert.deepEqual(
      days.slice(-3).map(({ connected }) => connected),
      [3, 0, 2],
    );
    assert.equal(days.at(-3)?.day, first);
    assert.ok(days.slice(0, -3).every(({ connected }) => connected === 0));
    platform().clock.advance((limits.newCustomersDays - 2) * DAY_MS);
    const later = await read();
    assert.deepEqual(
      later.slice(0, 2).map(({ connected }) => connected),
      [0, 2],
      'what came before the first day is not counted',
    );
    proves('route:GET /api/services/{id}/new-customers', 'limit:newCustomersDays');
  });

  test('of a foreign service nothing is read, and no more at once than the limit says', async () => {
    const { company, service } = await openShop(platform());
    const { connectionId } = await connectedPerson(platform(), service);
    const stranger = await registerCompany(platform());
    const read = (ids: readonly string[], token: string) =>
      platform().call('GET', `/api/services/${service.id}/customers?ids=${ids.join(',')}`, { token });
    const foreign = await read([connectionId], stranger.token);
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'services.not_found']);
    const many = (count: number) => Array<string>(count).fill(connectionId);
    const most = await read(many(limits.customersAtOnce), company.token);
    assert.deepEqual([most.status, most.body.customers.length], [200, 1]);
    const refused = await read(many(limits.customersAtOnce + 1), company.token);
    assert.deepEqual([refused.status, refused.body.error_key], [400, 'request.invalid']);
    proves('limit:customersAtOnce');
    const none = await read([], company.token);
    assert.deepEqual([none.status, none.body], [200, { customers: [], next: null }]);
  });

  test('all customers are read page by page, newest first, and found by a part of their name or their code', async () => {
    const { company, service, token } = await openShop(platform());
    const connected = [];
    for (const name of ['Ada Berg', 'Ben Ali', 'Élodie Bergmann', 'Zoe']) {
      const person = await registerPerson(platform(), name);
      connected.push({ person, connectionId: await connect(platform(), person, service) });
    }
    const list = async (query: Record<string, string | number>) =>
      platform().must('GET', `/api/services/${service.id}/customers?${new URLSearchParams(query as never)}`, {
        token: company.token,
      });
    const names = ({ customers }: { customers: { display_name: string }[] }) =>
      customers.map(({ display_name: name }) => name);
    const first = await list({ limit: 3 });
    assert.deepEqual(names(first), ['Zoe', 'Élodie Bergmann', 'Ben Ali']);
    assert.deepEqual(await list({ limit: 3, before: '' }), first);
    const second = await list({ limit: 3, before: first.next });
    assert.deepEqual([names(second), second.next], [['Ada Berg'], null]);
    assert.deepEqual(names(await list({ q: 'bERg' })), ['Élodie Bergmann', 'Ada Berg']);
    assert.deepEqual(names(await list({ q: 'bergx' })), []);
    const code = connected[3]?.person.shareCode ?? '';
    assert.deepEqual(names(await list({ q: code.toLowerCase() })), ['Zoe']);

    await platform().must('DELETE', `/api/company-data/connections/${connected[3]?.connectionId}`, { token });
    assert.deepEqual(names(await list({ q: code })), []);
    const both = await platform().call('GET', `/api/services/${service.id}/customers?ids=x&limit=3`, {
      token: company.token,
    });
    assert.deepEqual([both.status, both.body.error_key], [400, 'request.invalid']);
    const stranger = await registerCompany(platform());
    const foreign = await platform().call('GET', `/api/services/${service.id}/customers`, {
      token: stranger.token,
    });
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'services.not_found']);
  });

  test('customers are filtered by their kind, and by the answers that they have not given', async () => {
    const company = await registerCompany(platform());
    const row = (slug: string, audience: 'person' | 'company' | 'both', mandatory_provide: boolean) =>
      ({ slug, label: slug, type: 'text', audience, mandatory_provide }) as const;
    const before = [row('any', 'both', false), row('nick', 'person', true), row('vat', 'company', true)];
    const service = await createService(platform(), company, before);
    const note = { any: { once: 'x' } };
    for (const [name, answers] of [
      ['Ada', note],
      ['Ben', {}],
    ] as const) {
      const person = await registerPerson(platform(), name);
      await connect(platform(), person, service, { ...answers, nick: { once: 'x' } });
    }
    const firm = await createCustomer(platform(), 'Firm');
    await connectCompany(platform(), firm, service, { vat: { typed: 'x' } });
    const call = (query: Record<string, string>, { token } = company) =>
      platform().call('GET', `/api/services/${service.id}/customers?${new URLSearchParams(query)}`, {
        token,
      });
    const names = async (query: Record<string, string>) => {
      const { status, body } = await call(query);
      assert.equal(status, 200);
      assert.equal(body.next, null);
      return body.customers.map(({ display_name: name }: { display_name: string }) => name);
    };
    assert.deepEqual(await names({ kind: 'person' }), ['Ben', 'Ada']);
    assert.deepEqual(await names({ kind: 'company' }), ['Firm']);
    assert.deepEqual(await names({ kind: 'company', q: 'ada' }), []);
    assert.deepEqual(await names({ missing: service.rows.any ?? '' }), ['Firm', 'Ben']);
    assert.deepEqual(await names({ missing: service.rows.any ?? '', kind: 'person', q: 'b' }), ['Ben']);
    assert.deepEqual(await names({ missing: 'nick' }), [], 'a company is not asked for it');
    assert.deepEqual(await names({ missing: 'vat' }), [], 'people are not asked for it');
    assert.deepEqual(
      await names({ missing: 'any' }),
      [],
      'all required answers, and not the row of that slug',
    );

    await publish(platform(), company, service.id, [...before, row('more', 'person', true)]);
    assert.deepEqual(await names({ missing: 'any' }), ['Ben', 'Ada']);
    assert.deepEqual(await names({ missing: 'more' }), ['Ben', 'Ada']);
    for (const missing of ['other', 'x'.repeat(41), ''])
      assert.deepEqual((await call({ missing })).body.error_key, 'request.invalid', missing);
    assert.deepEqual((await call({ kind: 'robot' })).body.error_key, 'request.invalid');
    const stranger = await registerCompany(platform());
    assert.equal((await call({ missing: 'nick' }, stranger)).body.error_key, 'services.not_found');
  });

  test('a filter goes through many customers, each of whom is on one page', async () => {
    const { company, service } = await openShop(platform());
    await publish(platform(), company, service.id, [{ slug: 'note', label: 'Note', type: 'text' }]);
    const before = await insertConnections(platform(), service, await insertPeople(platform(), 130));
    await connectedPerson(platform(), service);
    await insertCompanyCustomers(platform(), service, 120);
    const after = await insertConnections(platform(), service, await insertPeople(platform(), 130));
    const expected = [...before, ...after].toSorted().reverse();
    for (const filter of ['kind=person', 'missing=note&kind=person']) {
      const found: string[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const page: ServiceCustomerList = await platform().must(
          'GET',
          `/api/services/${service.id}/customers?${filter}&limit=70&before=${next}`,
          { token: company.token },
        );
        found.push(...page.customers.map((each) => each.connection_id));
        next = page.next;
      }
      assert.equal(new Set(found).size, found.length);
      assert.deepEqual(
        found.filter((id) => expected.includes(id)),
        expected,
        filter,
      );
      assert.equal(found.length, 261, filter);
    }
  });

  test('one customer is read with the answers as they are sealed', async () => {
    const { company, service, token } = await openShop(platform());
    const { connectionId } = await connectedPerson(platform(), service);
    const path = `/api/services/${service.id}/customers/${connectionId}`;
    const read = await platform().must('GET', path, { token: company.token });
    assert.deepEqual(
      read,
      await platform().must('GET', `/api/company-data/connections/${connectionId}`, { token }),
    );
    const stranger = await registerCompany(platform());
    const foreign = await platform().call('GET', path, { token: stranger.token });
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'services.not_found']);
    const ended = await platform().call('GET', `/api/services/${service.id}/customers/x`, {
      token: company.token,
    });
    assert.deepEqual([ended.status, ended.body.error_key], [404, 'company_data.connection_not_found']);
    proves('route:GET /api/services/{id}/customers/{connectionId}');
  });

  test('an admin ends the connection of a customer, once, and the audit log has it; others cannot', async () => {
    const { company, service, token } = await openShop(platform());
    const { connectionId, person } = await connectedPerson(platform(), service);
    const [developer, admin] = [
      await addDelegate(platform(), company, 'developer'),
      await addDelegate(platform(), company, 'admin'),
    ];
    const path = `/api/services/${service.id}/customers/${connectionId}`;
    const end = async (by: string) => {
      const { status, body } = await platform().call('DELETE', path, { token: by });
      return [status, body?.error_key];
    };
    const stranger = await registerCompany(platform());
    assert.deepEqual(await end(stranger.token), [404, 'services.not_found']);
    assert.deepEqual(await end(developer.token), [403, 'auth.role_forbidden']);
    assert.equal((await platform().call('GET', path, { token: company.token })).status, 200);

    assert.deepEqual(await end(admin.token), [204, undefined]);
    proves('route:DELETE /api/services/{id}/customers/{connectionId}');
    assert.deepEqual(await end(admin.token), [404, 'company_data.connection_not_found']);
    const { connections } = await platform().must('GET', '/api/person/connections', { token: person.token });
    assert.deepEqual(connections, []);
    const { changes } = await platform().must('GET', '/api/company-data/changes', { token });
    assert.equal(changes.at(-1).event, 'connection_deleted');
    const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const acts = items.filter(({ action }: { action: string }) => action === 'connection.ended');
    assert.deepEqual(
      acts.map(({ target, actor }: { target: string; actor: { id: string } }) => [target, actor.id]),
      [[connectionId, admin.id]],
    );
  });

  test('staff of every role read the log of a service page by page, as its backend does; nobody else does', async () => {
    const { company, service, token } = await openShop(platform());
    await platform().must('PUT', `/api/services/${service.id}/require-2fa`, {
      token: company.token,
      body: { require_2fa: true },
    });
    const path = `/api/services/${service.id}/logs`;
    const whole = await platform().must('GET', '/api/company-data/logs', { token });
    assert.ok(whole.total > 1);
    const viewer = await addDelegate(platform(), company, 'viewer');
    for (const staff of [company, viewer]) {
      const { status, body } = await platform().call('GET', path, { token: staff.token });
      assert.deepEqual([status, body], [200, whole]);
    }
    proves('route:GET /api/services/{id}/logs');
    const second = await platform().must('GET', `${path}?limit=1&offset=1`, { token: company.token });
    assert.deepEqual(second, { total: whole.total, items: [whole.items[1]] });

    const key = async (query: string, by: string) => {
      const { status, body } = await platform().call('GET', `${path}${query}`, { token: by });
      return [status, body.error_key];
    };
    assert.deepEqual(await key(`?limit=${limits.pageMost + 1}`, company.token), [400, 'request.invalid']);
    assert.deepEqual(await key('?offset=-1', company.token), [400, 'request.invalid']);
    const stranger = await registerCompany(platform());
    assert.deepEqual(await key('', stranger.token), [404, 'services.not_found']);
    assert.equal((await platform().call('GET', path, { token })).status, 403);
    assert.equal((await platform().call('GET', path)).status, 401);
  });
});
