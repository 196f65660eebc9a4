import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { createService, openSealed, registerCompany, sealed } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

onEachEngine('messages in the portal', (platform) => {
  const setUp = async () => {
    const { company, service, token } = await openShop(platform());
    const { person, connectionId: id } = await connectedPerson(platform(), service);
    const ofStaff = `/api/services/${service.id}/customers/${id}/messages`;
    return { company, service, token, person, id, ofStaff };
  };
  const bodies = async (text: string) => ({
    body: await sealed(text),
    sender_body: await sealed(`own ${text}`),
  });
  const refusal = async (method: string, path: string, token: string, body?: unknown) => {
    const answer = await platform().call(method, path, { token, ...(body !== undefined && { body }) });
    return [answer.status, answer.body.error_key];
  };

  test('staff, the backend and the customer write in one thread, and staff acknowledges for all', async () => {
    const { company, token, person, id, ofStaff } = await setUp();
    const support = await addDelegate(platform(), company, 'support');
    const sent = await platform().call('POST', ofStaff, {
      token: support.token,
      body: await bodies('of staff'),
    });
    assert.deepEqual([sent.status, sent.body.connection_id], [201, id], sent.text);
    await platform().must('POST', `/api/company-data/connections/${id}/messages`, {
      token,
      body: await bodies('of the backend'),
    });
    const ofPerson = `/api/person/connections/${id}/messages`;
    const answered = await platform().must('POST', ofPerson, {
      token: person.token,
      body: await bodies('of the person'),
    });
    const listed = await platform().call('GET', ofStaff, { token: support.token });
    const backend = await platform().must('GET', `/api/company-data/connections/${id}/messages`, { token });
    assert.deepEqual([listed.status, listed.body], [200, backend]);
    const texts = (items: readonly { body: string }[]) =>
      Promise.all(items.map((item) => openSealed(item.body)));
    assert.deepEqual(await texts(listed.body.items), ['of the person', 'own of the backend', 'own of staff']);
    const forPerson = await platform().must('GET', ofPerson, { token: person.token });
    assert.deepEqual(await texts(forPerson.items), ['own of the person', 'of the backend', 'of staff']);
    const older = await platform().must('GET', `${ofStaff}?limit=1&before=${answered.message_id}`, {
      token: support.token,
    });
    assert.deepEqual(await texts(older.items), ['own of the backend']);
    const read = await platform().call('POST', `${ofStaff}/read`, {
      token: support.token,
      body: { up_to_message_id: answered.message_id },
    });
    assert.deepEqual([read.status, read.body], [200, { read: 1 }]);
    const [seen] = (await platform().must('GET', ofPerson, { token: person.token })).items;
    assert.notEqual(seen.read_at, null);
    proves(
      'route:GET /api/services/{id}/customers/{connectionId}/messages',
      'route:POST /api/services/{id}/customers/{connectionId}/messages',
      'route:POST /api/services/{id}/customers/{connectionId}/messages/read',
    );
  });

  test('a viewer reads, and neither writes nor acknowledges', async () => {
    const { company, person, id, ofStaff } = await setUp();
    const { message_id: messageId } = await platform().must(
      'POST',
      `/api/person/connections/${id}/messages`,
      { token: person.token, body: await bodies('hello') },
    );
    const { token } = await addDelegate(platform(), company, 'viewer');
    const forbidden = [403, 'auth.role_forbidden'];
    assert.deepEqual(await refusal('POST', ofStaff, token, await bodies('x')), forbidden);
    assert.deepEqual(
      await refusal('POST', `${ofStaff}/read`, token, { up_to_message_id: messageId }),
      forbidden,
    );
    const { items } = await platform().must('GET', ofStaff, { token });
    assert.deepEqual(
      items.map((item: { message_id: string; read_at: string | null }) => [item.message_id, item.read_at]),
      [[messageId, null]],
    );
  });

  test('of another company, another service and with plain text nothing is read or changed', async () => {
    const { company, service, person, id, ofStaff } = await setUp();
    const stranger = await registerCompany(platform());
    const own = await createService(platform(), stranger);
    const elsewhere = await createService(platform(), company);
    const { message_id: messageId } = await platform().must(
      'POST',
      `/api/person/connections/${id}/messages`,
      { token: person.token, body: await bodies('hello') },
    );
    const missing = [404, 'company_data.connection_not_found'];
    for (const [serviceId, token] of [
      [service.id, stranger.token],
      [own.id, stranger.token],
      [elsewhere.id, company.token],
    ] as const) {
      const path = `/api/services/${serviceId}/customers/${id}/messages`;
      assert.deepEqual(await refusal('GET', path, token), missing);
      assert.deepEqual(
        await refusal('POST', `${path}/read`, token, { up_to_message_id: messageId }),
        missing,
      );
      assert.deepEqual(await refusal('POST', path, token, await bodies('x')), [
        403,
        'messages.not_connected',
      ]);
    }
    assert.deepEqual(
      await refusal('POST', ofStaff, company.token, { ...(await bodies('x')), sender_body: 'plain' }),
      [400, 'messages.encryption_required'],
    );
    assert.deepEqual(await refusal('POST', `${ofStaff}/read`, company.token, { up_to_message_id: id }), [
      400,
      'company_data.ack_boundary_invalid',
    ]);
    const { items } = await platform().must('GET', ofStaff, { token: company.token });
    assert.deepEqual(
      items.map((item: { message_id: string; read_at: string | null }) => [item.message_id, item.read_at]),
      [[messageId, null]],
    );
  });

  test('staff and the backend share what a service may send to one customer in an hour', async () => {
    const { company, token, id, ofStaff } = await setUp();
    const body = await bodies('x');
    for (let sent = 1; sent < limits.serviceMessagesPerHour; sent++)
      await platform().must('POST', `/api/company-data/connections/${id}/messages`, { token, body });
    const { token: staff } = company;
    assert.equal((await platform().call('POST', ofStaff, { token: staff, body })).status, 201);
    const refused = await platform().call('POST', ofStaff, { token: staff, body });
    assert.deepEqual([refused.status, refused.body.error_key], [429, 'messages.rate_limited']);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
  });
});
