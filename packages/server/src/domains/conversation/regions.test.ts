import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  createField,
  createService,
  dataToken,
  decisionsFor,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { withRegions } from '@symbolon/testkit/platform/regions';

withRegions('conversations across regions', ['eu', 'us'], (regions) => {
  const near = () => regions().region('eu');
  const far = () => regions().region('us');

  describe('the person at home in one region, the service in another', () => {
    let service: TestService;
    let token: string;
    let person: TestPerson;
    let connectionId: string;
    before(async () => {
      const company = await registerCompany(far());
      service = await createService(far(), company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
      token = await dataToken(far(), service);
      person = await registerPerson(near());
      await regions().settle();
    });
    const asPerson = (method: string, path: string, body?: unknown) =>
      near().call(method, `/api/person/${path}`, { token: person.token, ...(body ? { body } : {}) });
    const asService = (method: string, path: string, body?: unknown) =>
      far().call(method, `/api/company-data/${path}`, { token, ...(body ? { body } : {}) });
    const message = async (text: string) => ({ body: await sealed(text), sender_body: await sealed(text) });

    test('a request is seen, signalled to devices at home, blocked, and answered from there', async () => {
      const device = await Listener.open(near(), { token: person.token });
      const asked = await asService('POST', 'connect-requests', { share_code: person.shareCode });
      assert.equal(asked.status, 201, asked.text);
      const id = asked.body.request_id;
      assert.deepEqual(await device.heard(1), ['connect_request']);
      device.close();
      const waiting = async () => (await asPerson('GET', 'connect-requests')).body.connect_requests;
      proves('route:GET /api/person/connect-requests');
      assert.equal((await waiting())[0].request_id, id);
      assert.equal((await asPerson('POST', `connect-requests/${id}/block`)).status, 204);
      proves('route:POST /api/person/connect-requests/{id}/block');
      assert.deepEqual(await waiting(), []);
      assert.equal((await asPerson('GET', 'blocked-services')).body.blocked_services.length, 1);
      assert.equal((await asPerson('DELETE', `blocked-services/${service.id}`)).status, 204);
      const field = await createField(near(), person, { type: 'text', slug: 'nick', value: 'Ada' });
      await regions().settle();
      const accepted = await asPerson('POST', `connect-requests/${id}/accept`, {
        decisions: await decisionsFor(service.rows, { nick: { field, value: 'Ada' } }),
      });
      assert.equal(accepted.status, 201, accepted.text);
      connectionId = accepted.body.connection_id;
      const { changes } = (await asService('GET', 'changes')).body;
      assert.deepEqual(
        changes.map(({ event }: { event: string }) => event),
        ['connection_created', 'connection_request_accepted'],
      );
    });

    test('messages go both ways, and reading is seen', async () => {
      const thread = `connections/${connectionId}/messages`;
      const sent = await asPerson('POST', thread, await message('hi'));
      assert.equal(sent.status, 201, sent.text);
      const read = { up_to_message_id: sent.body.message_id };
      assert.deepEqual((await asService('POST', `${thread}/read`, read)).body, { read: 1 });
      const device = await Listener.open(near(), { token: person.token });
      assert.equal((await asService('POST', thread, await message('hello'))).status, 201);
      assert.deepEqual(await device.heard(1), ['message']);
      device.close();
      const { items } = (await asPerson('GET', thread)).body;
      assert.deepEqual(
        items.map((item: { direction: string; read_at: string | null }) => [
          item.direction,
          item.read_at !== null,
        ]),
        [
          ['inbound', false],
          ['outbound', true],
        ],
      );
      const { threads } = (await asPerson('GET', 'messages')).body;
      assert.deepEqual([threads[0].connection_id, threads[0].unread], [connectionId, 1]);
      const last = { up_to_message_id: items[0].message_id };
      assert.deepEqual((await asPerson('POST', `${thread}/read`, last)).body, { read: 1 });
    });

    test('a company at home elsewhere hears of each message on its account feed', async () => {
      const customer = await createCustomer(near());
      await regions().settle();
      const link = await connectCompany(near(), customer, service);
      for (const text of ['one', 'two']) {
        const thread = `connections/${link.linkId}/messages`;
        assert.equal((await asService('POST', thread, await message(text))).status, 201);
      }
      await regions().settle();
      const { changes } = await near().must('GET', '/api/customer/changes', { token: customer.token });
      assert.deepEqual(
        changes.map(({ event }: { event: string }) => event),
        ['connection_created', 'message_received', 'message_received'],
      );
    });
  });
});
