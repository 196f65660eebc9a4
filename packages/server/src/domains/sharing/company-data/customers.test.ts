import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

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
      const { connection_id, user_id, display_name, share_code, customer_type } = row;
      return { connection_id, user_id, display_name, share_code, customer_type };
    });
    assert.deepEqual(body, { customers: expected });
    assert.deepEqual(
      body.customers.map(({ user_id }: { user_id: string }) => user_id),
      [ada.person.id, ben.person.id],
    );
    proves('route:GET /api/services/{id}/customers');
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
    assert.deepEqual([none.status, none.body], [200, { customers: [] }]);
  });
});
