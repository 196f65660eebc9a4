import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { createServiceKey } from '@symbolon/crypto';
import { AccountEvent, accountEventNames, limits } from '@symbolon/protocol';
import {
  createAccountClient,
  createDataClient,
  createService,
  dataToken,
  registerCompany,
  type TestCompany,
  type TestService,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import {
  connectCompany,
  createCustomer,
  publishShare,
  type TestCustomer,
} from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { accountCollapseKey } from '../../../events/collapse.ts';

const PATH = '/api/customer/changes';

test('of a service, the latest of a kind counts; kinds and services stand apart', () => {
  const keyOf = (event: (typeof accountEventNames)[number], serviceId = 's') =>
    accountCollapseKey({ event, serviceId });
  assert.equal(keyOf(AccountEvent.connectionCreated), keyOf(AccountEvent.connectionDeleted));
  assert.equal(new Set(accountEventNames.map((event) => keyOf(event))).size, accountEventNames.length - 1);
  for (const event of accountEventNames) assert.notEqual(keyOf(event), keyOf(event, 't'));
});

onEachEngine('the account feed', (platform) => {
  let provider: TestCompany;
  before(async () => {
    provider = await registerCompany(platform(), 'Provider');
  });
  const drain = async (customer: TestCustomer, query = '') =>
    (await platform().must('GET', `${PATH}${query}`, { token: customer.token })).changes;
  const waiting = async (customer: TestCustomer) =>
    (
      await platform()
        .context.database.reader.selectFrom('changes')
        .select('id')
        .where('feed', '=', customer.company.id)
        .execute()
    ).length;
  /** The next drain confirms the one before. */
  const emptied = async (customer: TestCustomer) => {
    assert.deepEqual(await drain(customer), []);
    return eventually('the feed is empty', async () => ((await waiting(customer)) === 0 ? true : undefined));
  };
  const names = (changes: readonly { event: string }[]) => changes.map(({ event }) => event);
  /** A company connected to a service, nothing waiting. */
  async function setUp() {
    const service = await createService(platform(), provider);
    const customer = await createCustomer(platform());
    const link = await connectCompany(platform(), customer, service);
    await drain(customer);
    await emptied(customer);
    return { service, customer, link };
  }

  describe('tells a customer', () => {
    const common = (customer: TestCustomer, service: TestService, link: { id: string; linkId: string }) => ({
      person_user_id: customer.company.id,
      share_code: customer.company.code,
      at: new Date(platform().clock.now()).toISOString(),
      customer_type: 'company',
      company_share_code: provider.code,
      service_share_code: service.code,
      connection_id: link.id,
      service_link_id: link.linkId,
    });
    const only = async (customer: TestCustomer) => {
      const changes = await drain(customer);
      assert.equal(changes.length, 1);
      const { id, ...members } = changes[0];
      assert.match(id, /^[0-9a-f-]{36}$/);
      return members;
    };

    test('the account feed tells a customer that it was connected', async () => {
      const service = await createService(platform(), provider);
      const customer = await createCustomer(platform());
      const link = await connectCompany(platform(), customer, service);
      const event = 'connection_created';
      assert.deepEqual(await only(customer), { event, ...common(customer, service, link) });
    });

    test('the account feed tells a customer what a service newly shows', async () => {
      const { service, customer, link } = await setUp();
      await publishShare(platform(), service, 'nine to five');
      const event = 'share_changed';
      proves('event:share_changed');
      assert.deepEqual(await only(customer), { event, ...common(customer, service, link) });
    });

    test('the account feed tells a customer the new key of a service, with its fingerprint', async () => {
      const { service, customer, link } = await setUp();
      const key = await createServiceKey();
      const { public_key_sha256 } = await platform().must('PUT', `/api/services/${service.id}/key`, {
        token: provider.token,
        body: { public_key: key.publicKey, encrypted_private_key: key.encryptedPrivateKey },
      });
      await platform().context.jobWorker.run();
      proves('event:service_key_rotated');
      assert.deepEqual(await only(customer), {
        event: 'service_key_rotated',
        ...common(customer, service, link),
        service_public_key_sha256: public_key_sha256,
      });
    });

    for (const [who, end] of [
      [
        'the customer',
        async (_: TestService, customer: TestCustomer, { id, linkId }: { id: string; linkId: string }) => {
          const path = `/api/company-connections/${id}/services/${linkId}`;
          await platform().must('DELETE', path, { token: customer.token });
        },
      ],
      [
        'the service',
        async (service: TestService, _: TestCustomer, { linkId }: { linkId: string }) => {
          const token = await dataToken(platform(), service);
          await platform().must('DELETE', `/api/company-data/connections/${linkId}`, { token });
        },
      ],
      [
        'the end of the service',
        async (service: TestService) => {
          const path = `/api/services/${service.id}?confirm=true`;
          await platform().must('DELETE', path, { token: provider.token });
          await platform().context.jobWorker.run();
        },
      ],
    ] as const) {
      test(`that a link was ended by ${who}`, async () => {
        const { service, customer, link } = await setUp();
        await end(service, customer, link);
        const event = 'connection_deleted';
        assert.deepEqual(await only(customer), { event, ...common(customer, service, link) });
      });
    }

    test('the account feed tells a customer all links that ended with a connection', async () => {
      const { customer, link } = await setUp();
      await connectCompany(platform(), customer, await createService(platform(), provider));
      await drain(customer);
      await emptied(customer);
      await platform().must('DELETE', `/api/company-connections/${link.id}`, { token: customer.token });
      assert.deepEqual(names(await drain(customer)), ['connection_deleted', 'connection_deleted']);
    });
  });

  test('every company that is a customer hears of it, no other company does, nor the service’s own feed', async () => {
    const { service, customer } = await setUp();
    const others = await Promise.all([1, 2].map(() => createCustomer(platform())));
    for (const other of others) await connectCompany(platform(), other, service);
    for (const other of others) await drain(other);
    const stranger = await createCustomer(platform());
    const token = await dataToken(platform(), service);
    await platform().must('GET', '/api/company-data/changes', { token });
    await publishShare(platform(), service, 'always');
    for (const one of [customer, ...others]) assert.deepEqual(names(await drain(one)), ['share_changed']);
    assert.deepEqual(await drain(stranger), []);
    const owner = await createAccountClient(platform(), provider, ['customer_connections']);
    assert.deepEqual((await platform().must('GET', PATH, { token: owner.token })).changes, []);
    const feed = await platform().must('GET', '/api/company-data/changes', { token });
    assert.deepEqual(names(feed.changes), []);
  });

  test('one act of a service reaches all its customers, however many', async () => {
    const service = await createService(platform(), provider);
    const { ids, database } = platform().context;
    const rows = Array.from({ length: 1001 }, () => ({
      company_id: provider.id,
      service_id: service.id,
      id: ids.uuid(),
      customer_id: ids.uuid(),
      customer_type: 'company' as const,
      connected_at: 0,
      group_id: ids.uuid(),
      request_version: 1,
    }));
    await database.write(async (writer) => {
      for (let start = 0; start < rows.length; start += 500) {
        await writer
          .insertInto('connections')
          .values(rows.slice(start, start + 500))
          .execute();
      }
    });
    for (const value of ['one', 'two']) {
      await publishShare(platform(), service, value);
      const told = await database.reader
        .selectFrom('changes')
        .select('feed')
        .where('service_id', '=', service.id)
        .execute();
      assert.deepEqual(told.map((row) => row.feed).sort(), rows.map((row) => row.customer_id).sort());
    }
  });

  test('waiting events of a service collapse to the latest of each kind', async () => {
    const { service, customer, link } = await setUp();
    const other = await createService(platform(), provider);
    await connectCompany(platform(), customer, other);
    await publishShare(platform(), service, 'one');
    await publishShare(platform(), other, 'one');
    await platform().must('DELETE', `/api/company-connections/${link.id}/services/${link.linkId}`, {
      token: customer.token,
    });
    const again = await connectCompany(platform(), customer, service);
    await publishShare(platform(), service, 'two');
    const changes = await drain(customer);
    assert.deepEqual(
      changes.map((change: Record<string, string>) => [change.event, change.service_share_code]),
      [
        ['connection_created', other.code],
        ['share_changed', other.code],
        ['connection_created', service.code],
        ['share_changed', service.code],
      ],
    );
    assert.equal(changes[2].service_link_id, again.linkId);
  });

  describe('drains without loss', () => {
    /** A customer with `count` events of as many services. */
    async function fill(count: number) {
      const customer = await createCustomer(platform());
      const codes: string[] = [];
      for (let n = 0; n < count; n++) {
        const service = await createService(platform(), provider);
        await connectCompany(platform(), customer, service);
        codes.push(service.code);
      }
      return { customer, codes };
    }
    const codesOf = (changes: readonly { service_share_code: string }[]) =>
      changes.map((change) => change.service_share_code);

    test('the account feed drains oldest first, batch by batch', async () => {
      const { customer, codes } = await fill(5);
      const answer = await platform().call('GET', `${PATH}?limit=2`, { token: customer.token });
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const seen = [answer.body.changes, await drain(customer, '?limit=2'), await drain(customer)];
      proves('route:GET /api/customer/changes');
      assert.deepEqual(seen.map(codesOf), [codes.slice(0, 2), codes.slice(2, 4), codes.slice(4)]);
      assert.deepEqual(await drain(customer), []);
      await emptied(customer);
      const xml = await platform().call('GET', PATH, {
        token: customer.token,
        headers: { accept: 'application/xml' },
      });
      assert.match(xml.text, /<response><\/response>/);
      for (const query of ['?limit=0', '?limit=501', '?limit=x']) {
        const refused = await platform().call('GET', `${PATH}${query}`, { token: customer.token });
        assert.equal(refused.body.error_key, 'request.invalid', query);
      }
    });

    test('a broken response leaves its account events to the next drain', async () => {
      const { customer, codes } = await fill(3);
      const client = await RawClient.open(platform().url);
      client.send(PATH, customer.token);
      await client.destroy();
      const seen = await eventually('the rows come again', async () => {
        const changes = await drain(customer);
        return changes.length > 0 ? changes : undefined;
      });
      assert.deepEqual(codesOf(seen), codes);
    });

    test('two drains of an account feed at once never get the same row', async () => {
      const { customer, codes } = await fill(6);
      const slow = await RawClient.open(platform().url);
      slow.send(`${PATH}?limit=2`, customer.token);
      await once(slow.socket, 'readable');
      const rest = await Promise.all([drain(customer, '?limit=2'), drain(customer, '?limit=2')]);
      const first = JSON.parse(await slow.read()).changes;
      await slow.destroy();
      assert.deepEqual(
        [...first, ...rest.flat()].map((change) => change.service_share_code).sort(),
        [...codes].sort(),
      );
    });
  });

  test('the purge takes what was not drained for seven days, and writes into no log', async () => {
    const { service, customer } = await setUp();
    const { context, clock } = platform();
    await publishShare(platform(), service, 'one');
    const client = await createDataClient(platform(), service);
    clock.advance(limits.changeRetentionMs + 1);
    await context.changePurge.run();
    assert.equal(await waiting(customer), 0);
    const token = await tokenFor(platform(), client.clientId, client.clientSecret);
    const logs = await platform().must('GET', '/api/company-data/logs', { token });
    const purges = logs.items.filter((entry: { type: string }) => entry.type === 'purge');
    // The service's own feed had its connection_created; the customer's row is reported nowhere.
    proves('route:GET /api/company-data/logs');
    assert.deepEqual(
      purges.map((entry: { metadata: { count: number } }) => entry.metadata.count),
      [1],
    );
  });
});
