import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, registerPerson, sealed } from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { withRegions } from '@symbolon/testkit/platform/regions';

const DAY_MS = 24 * 3_600_000;

withRegions('cancelling across regions', ['eu', 'us'], (regions) => {
  const near = () => regions().region('eu');
  const far = () => regions().region('us');

  const issuer = async () => {
    const { service, token } = await openShop(far());
    const issue = async (customer: string) => {
      const body = {
        kind: 'agreement',
        name: 'Lease',
        payload_kind: 'json',
        target: { person_user_id: customer },
        value: await sealed('{}'),
        metadata: {
          can_be_cancelled_in_app: true,
          valid_until: new Date(far().clock.now() + DAY_MS).toISOString().slice(0, 10),
        },
      };
      return (await far().must('POST', '/api/company-data/documents', { token, body })).id as string;
    };
    return { service, token, issue };
  };

  test('a person cancels what a company of another region issued, and hears when it ends', async () => {
    const { service, token, issue } = await issuer();
    const person = await registerPerson(near());
    await regions().settle();
    await connect(near(), person, service);
    using device = await Listener.open(near(), { token: person.token });
    const id = await issue(person.id);
    assert.deepEqual(await device.heard(1), ['document']);
    const path = `/api/person/documents/${id}/cancel`;
    const answer = await near().call('POST', path, { token: person.token, body: { note: 'moving' } });
    proves('route:POST /api/person/documents/{id}/cancel');
    assert.deepEqual([answer.status, answer.body.status], [200, 'active_but_ending'], answer.text);
    assert.deepEqual(await device.heard(2), ['document', 'document']);
    const unknown = await near().call('POST', path.replace(id, person.id), { token: person.token });
    assert.deepEqual([unknown.status, unknown.body.error_key], [404, 'documents.not_found']);
    const changes = await drainAll(far(), '/api/company-data/changes', token);
    proves('route:GET /api/company-data/changes');
    assert.deepEqual(
      changes.slice(-1).map(({ event, action, note }) => [event, action, note]),
      [['document_status_changed', 'cancelled', 'moving']],
    );
    regions().clock.advance(DAY_MS);
    // Both regions sweep: only the home of the company has the document.
    for (const region of [near(), far()])
      await region.context.domain.sweeps
        .find(({ name }) => name === 'ending contracts')
        ?.run(new AbortController().signal);
    assert.deepEqual(await device.heard(3), ['document', 'document', 'document']);
  });

  test('a company cancels as a customer in another region: its own log and feed say so', async () => {
    const { service, issue } = await issuer();
    const customer = await createCustomer(near());
    await regions().settle();
    const { id: group } = await connectCompany(near(), customer, service);
    const id = await issue(customer.company.id);
    const path = `/api/company-connections/${group}/documents/${id}/cancel`;
    for (const token of [customer.token, customer.company.token]) {
      const answer = await near().call('POST', path, { token });
      assert.deepEqual([answer.status, answer.body.status], [200, 'active_but_ending'], answer.text);
    }
    await regions().settle();
    const { items } = await near().must('GET', '/api/account/audit-log', { token: customer.company.token });
    assert.equal(items.filter((entry: { target: string }) => entry.target === id).length, 1);
    const changes = await drainAll(near(), '/api/customer/changes', customer.token);
    assert.deepEqual(
      changes.filter(({ document_id }) => document_id === id).map(({ event, action }) => [event, action]),
      [
        ['document_created', undefined],
        ['document_status_changed', 'cancelled'],
      ],
    );
  });
});
