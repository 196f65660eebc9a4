import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  createService,
  dataToken,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import {
  connectCompany,
  createCustomer,
  publishShare,
  type TestCustomer,
} from '@symbolon/testkit/actors/customers';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';

const PATH = '/api/company-connections';
const ROWS = [
  { slug: 'vat', label: 'VAT number', type: 'text', audience: 'company' },
  { slug: 'note', label: 'Note', type: 'text' },
] as const;
const GRACE_MS = 14 * 24 * 60 * 60_000;

withRegions('companies that are customers across regions', ['eu', 'us'], (regions) => {
  for (const [home, other] of [
    ['eu', 'us'],
    ['us', 'eu'],
  ] as const) {
    describe(`at home in ${home}, the service in ${other}`, () => {
      const near = () => regions().region(home);
      const far = () => regions().region(other);
      let provider: TestCompany;
      let service: TestService;
      let customer: TestCustomer;
      before(async () => {
        provider = await registerCompany(far(), 'Provider');
        service = await createService(far(), provider, ROWS);
        customer = await createCustomer(near(), 'Buyer');
      });
      const call = (method: string, path: string, body?: unknown, token = customer.token) =>
        near().call(method, `${PATH}${path}`, { token, ...(body === undefined ? {} : { body }) });
      const feed = async (token = customer.token) =>
        (await near().must('GET', '/api/customer/changes', { token })).changes;
      const auditOf = async (of: TestCustomer) =>
        (await near().must('GET', '/api/account/audit-log', { token: of.company.token })).items;

      test('a customer gets the answer of the other region byte for byte', async () => {
        await regions().settle();
        const link = await connectCompany(near(), customer, service, { vat: { typed: 'DE1' } });
        const { body: first } = await call('GET', `/${link.id}`);
        assert.deepEqual(first.company, {
          user_id: provider.id,
          display_name: 'Provider',
          share_code: provider.code,
        });
        const principal = {
          kind: 'account_client',
          clientId: 'acct_x',
          companyId: customer.company.id,
          endpoints: ['/api/*'],
        } as const;
        for (const path of [
          `/lookup/${provider.code}/${service.code}`,
          `/lookup/${provider.code}/NOTHING`,
          `/${link.id}`,
          '/00000000-0000-7000-8000-000000000000',
          '',
          '/consents',
        ]) {
          const direct = await near().context.peers?.call(
            { region: other },
            { method: 'GET', path: `${PATH}${path}`, actingFor: principal },
          );
          const answer = await call('GET', path);
          assert.deepEqual(
            [answer.status, answer.headers.get('content-type'), answer.text],
            [direct?.status, direct?.headers['content-type'], direct?.bytes.toString()],
            path,
          );
        }
        const own = await createService(near(), customer.company);
        const refused = await call('GET', `/lookup/${customer.company.code}/${own.code}`);
        assert.equal(refused.body.error_key, 'company_connections.own_service');
      });

      test('a company connects right after it registered, and the service reads its data and gets the event', async () => {
        const young = await createCustomer(near(), 'Young');
        const shop = await createService(far(), provider, ROWS);
        const link = await connectCompany(near(), young, shop, { vat: { typed: 'DE2' } });
        const token = await dataToken(far(), shop);
        const read = await far().must('GET', `/api/company-data/connections/${link.linkId}`, { token });
        assert.deepEqual(
          [read.user_id, read.share_code, read.display_name, read.customer_type],
          [young.company.id, young.company.code, 'Young', 'company'],
        );
        assert.equal(await shop.open(read.values.vat.value), 'DE2');
        const { changes } = await far().must('GET', '/api/company-data/changes', { token });
        assert.deepEqual(
          changes.map(({ event, share_code }: Record<string, unknown>) => [event, share_code]),
          [['connection_created', young.company.code]],
        );
        const twice = await call(
          'POST',
          '',
          { company_code: provider.code, service_code: shop.code, decisions: [] },
          young.token,
        );
        assert.deepEqual([twice.status, twice.body.error_key], [409, 'connections.exists']);
      });

      test('account events arrive on the feed at home, with their original time, the latest of each kind', async () => {
        const buyer = await createCustomer(near());
        const shop = await createService(far(), provider, ROWS);
        const link = await connectCompany(near(), buyer, shop);
        const at = new Date(regions().clock.now()).toISOString();
        regions().clock.advance(1000);
        assert.deepEqual(await feed(buyer.token), []);
        await publishShare(far(), shop, 'nine to five');
        await publishShare(far(), shop, 'ten to six');
        await regions().settle();
        const changes = await feed(buyer.token);
        const common = {
          person_user_id: buyer.company.id,
          share_code: buyer.company.code,
          company_share_code: provider.code,
          service_share_code: shop.code,
          connection_id: link.id,
          service_link_id: link.linkId,
        };
        assert.deepEqual(
          changes.map(({ id: _, customer_type: __, ...event }: Record<string, unknown>) => event),
          [
            { event: 'connection_created', at, ...common },
            { event: 'share_changed', at: new Date(regions().clock.now()).toISOString(), ...common },
          ],
        );
      });

      test('the audit log is kept at home, with the address of the caller', async () => {
        const buyer = await createCustomer(near());
        const shop = await createService(far(), provider);
        // Ids of different regions sort by the clock alone.
        regions().clock.advance(10);
        const { id } = await connectCompany(near(), buyer, shop);
        assert.equal((await call('DELETE', `/${id}`, undefined, buyer.token)).status, 204);
        assert.deepEqual(await eventNames(far(), shop.id), ['connection_deleted']);
        await regions().settle();
        const [ended, begun] = await auditOf(buyer);
        assert.deepEqual(
          [ended.action, ended.target, ended.details, begun.action, begun.target],
          [
            'company_connection.services_disconnected',
            id,
            { service_ids: [shop.id] },
            'company_connection.service_connected',
            id,
          ],
        );
        assert.equal(begun.actor.kind, 'account_client');
        assert.match(begun.actor.source, /127\.0\.0\.1$/);
        const strayed = await far()
          .context.database.reader.selectFrom('audit_log')
          .select('id')
          .where('company_id', '=', buyer.company.id)
          .execute();
        assert.deepEqual(strayed, []);
        assert.deepEqual(
          (await feed(buyer.token)).map(({ event }: { event: string }) => event),
          ['connection_deleted'],
        );
      });

      test('the portal acts across regions, and roles are enforced', async () => {
        const buyer = await createCustomer(near());
        const shop = await createService(far(), provider);
        regions().clock.advance(10);
        const link = await connectCompany(near(), { ...buyer, token: buyer.company.token }, shop);
        const list = await call('GET', '', undefined, buyer.company.token);
        assert.deepEqual(
          list.body.connections.map((one: { id: string }) => one.id),
          [link.id],
        );
        await regions().settle();
        const [entry] = await auditOf(buyer);
        assert.deepEqual([entry.actor.kind, entry.actor.name], ['portal', buyer.company.email]);
      });

      test('lists merge the connections of all regions, oldest first', async () => {
        const buyer = await createCustomer(near());
        const nearby = await createService(near(), await registerCompany(near(), 'Near'), ROWS);
        const distant = await createService(far(), provider, ROWS);
        const first = await connectCompany(near(), buyer, distant);
        regions().clock.advance(10);
        const second = await connectCompany(near(), buyer, nearby);
        regions().clock.advance(10);
        const again = await connectCompany(near(), buyer, await createService(far(), provider));
        assert.equal(again.id, first.id, 'the services of one company stand in one connection');
        const { connections } = (await call('GET', '', undefined, buyer.token)).body;
        assert.deepEqual(
          connections.map((one: { id: string; services: object[] }) => [one.id, one.services.length]),
          [
            [first.id, 2],
            [second.id, 1],
          ],
        );
        const asked = { ...ROWS[1], slug: 'asked', label: 'Asked' };
        await publish(near(), nearby.company, nearby.id, [...ROWS, asked]);
        const rows = await publish(far(), provider, distant.id, [...ROWS, asked]);
        const { consents } = (await call('GET', '/consents', undefined, buyer.token)).body;
        assert.deepEqual(
          consents.map((one: { service_link_id: string }) => one.service_link_id),
          [first.linkId, second.linkId],
        );
        const answers = await decisionsFor(rows, { asked: { typed: 'yes' } });
        const provided = await call(
          'POST',
          `/consents/${consents[0].id}/provide`,
          { decisions: answers },
          buyer.token,
        );
        assert.deepEqual([provided.status, provided.body.pending_consent], [200, null], provided.text);
        const declined = await call('POST', `/consents/${consents[1].id}/decline`, {}, buyer.token);
        assert.deepEqual([declined.status, declined.body.pending_consent], [200, null], declined.text);
        const mapped = await call(
          'PUT',
          `/${first.id}/services/${first.linkId}/mappings`,
          { decisions: await decisionsFor(rows, { note: { once: 'n' } }) },
          buyer.token,
        );
        assert.deepEqual(
          mapped.body.mappings.map((one: { slug: string; kind: string }) => [one.slug, one.kind]),
          [
            ['note', 'one_time'],
            ['asked', 'typed'],
          ],
          mapped.text,
        );
        const left = await call('DELETE', `/${first.id}/services/${first.linkId}`, undefined, buyer.token);
        assert.equal(left.status, 204);
      });

      test('a customer appears in the other region under its current name', async () => {
        const buyer = await createCustomer(near(), 'Before');
        const shop = await createService(far(), provider);
        const link = await connectCompany(near(), buyer, shop);
        await near().must('PUT', '/api/profile', {
          token: buyer.company.token,
          body: { display_name: 'After' },
        });
        await regions().settle();
        const token = await dataToken(far(), shop);
        const read = await far().must('GET', `/api/company-data/connections/${link.linkId}`, { token });
        assert.equal(read.display_name, 'After');
      });

      const deleteCompany = async (
        platform: TestPlatform,
        { token, loginSecret: login_secret, email }: TestCompany,
      ) => {
        await platform.must('POST', '/api/account/delete-request', { token, body: { login_secret } });
        const code = await mailedCode(platform, email);
        await platform.must('POST', '/api/account/confirm-delete', { token, body: { code } });
        regions().clock.advance(GRACE_MS);
        await platform.context.accountDeletion.run(new AbortController().signal);
        await platform.context.jobWorker.run();
        await platform.context.accountDeletion.run(new AbortController().signal);
      };

      test('the connections of a deleted customer end, and the service gets the event', async () => {
        const buyer = await createCustomer(near());
        const shop = await createService(far(), provider);
        const { linkId } = await connectCompany(near(), buyer, shop);
        await forgetEvents(far());
        await regions().settle();
        await deleteCompany(near(), buyer.company);
        await regions().settle();
        assert.deepEqual(await eventNames(far(), shop.id), ['connection_deleted']);
        const { reader } = far().context.database;
        const link = reader.selectFrom('connections').select('id').where('id', '=', linkId);
        assert.deepEqual(await link.execute(), []);
        const { token } = await registerPerson(far());
        const key = await far().call('GET', `/api/keys/${buyer.company.code}`, { token });
        assert.deepEqual([key.status, key.body.error_key], [404, 'keys.not_found']);
        const left = await near()
          .context.database.reader.selectFrom('changes')
          .select('id')
          .where('feed', '=', buyer.company.id)
          .execute();
        assert.deepEqual(left, [], 'companies that left get no notification');
      });

      test('the customers of a deleted provider get the event in their region', async () => {
        const buyer = await createCustomer(near());
        const doomed = await registerCompany(far(), 'Doomed');
        const shop = await createService(far(), doomed);
        await connectCompany(near(), buyer, shop);
        await regions().settle();
        await feed(buyer.token);
        await deleteCompany(far(), doomed);
        await regions().settle();
        // Tokens have aged with the days of grace.
        const rows = await near()
          .context.database.reader.selectFrom('changes')
          .select('event')
          .where('feed', '=', buyer.company.id)
          .execute();
        assert.deepEqual(rows, [{ event: 'connection_deleted' }]);
        const replica = await near()
          .context.database.reader.selectFrom('companies')
          .select('id')
          .where('id', '=', doomed.id)
          .execute();
        assert.deepEqual(replica, []);
      });
    });
  }
});
