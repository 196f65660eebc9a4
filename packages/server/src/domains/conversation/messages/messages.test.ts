import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  openSealed,
  registerPerson,
  sealed,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { OPERATOR, onPlatform } from '@symbolon/testkit/platform/platform';

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';

onPlatform('messages between a service and a person', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  before(async () => {
    ({ company, service, token } = await openShop(platform()));
  });

  const setUp = async () => {
    const { person, connectionId: id } = await connectedPerson(platform(), service);
    return { person, id };
  };
  const bodies = async (text: string) => ({
    body: await sealed(text),
    sender_body: await sealed(`own ${text}`),
  });
  const ofCompany = (id: string) => `/api/company-data/connections/${id}/messages`;
  const ofPerson = (id: string) => `/api/person/connections/${id}/messages`;
  const say = async (path: string, by: string, text: string) =>
    platform().must('POST', path, { token: by, body: await bodies(text) });
  const texts = async (items: readonly { body: string; direction: string }[]) =>
    Promise.all(items.map(async ({ body, direction }) => `${direction} ${await openSealed(body)}`));
  const refusal = async (method: string, path: string, by: string, body?: unknown) => {
    const answer = await platform().call(method, path, {
      token: by,
      ...(body === undefined ? {} : { body }),
    });
    return [answer.status, answer.body.error_key];
  };
  const drain = () => drainAll(platform(), '/api/company-data/changes', token);

  test('each side reads its own copies of both directions, newest first', async () => {
    const { person, id } = await setUp();
    const sent = await platform().call('POST', ofCompany(id), { token, body: await bodies('hello') });
    assert.equal(sent.status, 201, sent.text);
    assert.deepEqual(Object.keys(sent.body), ['message_id', 'connection_id', 'created_at']);
    assert.equal(sent.body.connection_id, id);
    const answered = await platform().call('POST', ofPerson(id), {
      token: person.token,
      body: await bodies('hi'),
    });
    proves('route:POST /api/person/connections/{id}/messages');
    assert.equal(answered.status, 201, answered.text);
    const forCompany = await platform().call('GET', ofCompany(id), { token });
    const forPerson = await platform().call('GET', ofPerson(id), { token: person.token });
    proves(
      'route:GET /api/company-data/connections/{id}/messages',
      'route:GET /api/person/connections/{id}/messages',
      'route:POST /api/company-data/connections/{id}/messages',
    );
    assert.deepEqual(await texts(forCompany.body.items), ['inbound hi', 'outbound own hello']);
    assert.deepEqual(await texts(forPerson.body.items), ['outbound own hi', 'inbound hello']);
    assert.deepEqual(Object.keys(forCompany.body.items[0]), [
      'message_id',
      'direction',
      'body',
      'created_at',
      'read_at',
    ]);
    const older = await platform().must(
      'GET',
      `${ofCompany(id)}?limit=1&before=${answered.body.message_id}`,
      {
        token,
      },
    );
    assert.deepEqual(await texts(older.items), ['outbound own hello']);
  });

  test('a message of the person raises message_received with all members; one of the service raises nothing', async () => {
    const { person, id } = await setUp();
    await drain();
    await say(ofCompany(id), token, 'hello');
    const { message_id, created_at } = await say(ofPerson(id), person.token, 'hi');
    const events = (await drain()).filter(({ person_user_id }) => person_user_id === person.id);
    const [event] = events.filter((one) => one.event === 'message_received');
    assert.equal(events.filter((one) => String(one.event).startsWith('message')).length, 1);
    assert.ok(event);
    const { id: _, body, person_public_key, ...members } = event;
    assert.deepEqual(members, {
      event: 'message_received',
      person_user_id: person.id,
      share_code: person.shareCode,
      at: created_at,
      customer_type: 'person',
      connection_id: id,
      message_id,
      created_at,
    });
    assert.equal(await service.open(body as string), 'hi');
    assert.match(String(person_public_key), /^[A-Za-z0-9+/]+=*$/);
    proves('event:message_received');
  });

  test('acknowledging turns what came up to the boundary read, for both sides, once', async () => {
    const { person, id } = await setUp();
    await say(ofPerson(id), person.token, 'one');
    const two = await say(ofPerson(id), person.token, 'two');
    const three = await say(ofPerson(id), person.token, 'three');
    // Answering acknowledges nothing.
    await say(ofCompany(id), token, 'answer');
    const states = async () =>
      (await platform().must('GET', ofPerson(id), { token: person.token })).items.map(
        (item: { read_at: string | null }) => item.read_at !== null,
      );
    assert.deepEqual(await states(), [false, false, false, false]);
    const read = (message: string) =>
      platform().call('POST', `${ofCompany(id)}/read`, { token, body: { up_to_message_id: message } });
    const first = await read(two.message_id);
    proves('route:POST /api/company-data/connections/{id}/messages/read');
    assert.deepEqual([first.status, first.body], [200, { read: 2 }]);
    assert.deepEqual(await states(), [false, false, true, true]);
    assert.deepEqual((await read(two.message_id)).body, { read: 0 });
    assert.deepEqual((await read(three.message_id)).body, { read: 1 });
    // The person's own acknowledgement is seen by the service.
    const answer = (await platform().must('GET', ofPerson(id), { token: person.token })).items[0];
    const own = await platform().call('POST', `${ofPerson(id)}/read`, {
      token: person.token,
      body: { up_to_message_id: answer.message_id },
    });
    assert.deepEqual([own.status, own.body], [200, { read: 1 }]);
    const [seen] = (await platform().must('GET', ofCompany(id), { token })).items;
    assert.equal(seen.read_at, new Date(platform().clock.now()).toISOString());
  });

  test('a boundary that is no message of the thread is refused and turns nothing read', async () => {
    const { person, id } = await setUp();
    const other = await setUp();
    const sent = await say(ofPerson(id), person.token, 'one');
    const elsewhere = await say(ofPerson(other.id), other.person.token, 'two');
    for (const boundary of [NOBODY, elsewhere.message_id, '']) {
      assert.deepEqual(
        await refusal('POST', `${ofCompany(id)}/read`, token, { up_to_message_id: boundary }),
        [400, 'company_data.ack_boundary_invalid'],
      );
      assert.deepEqual(
        await refusal('POST', `${ofPerson(id)}/read`, person.token, { up_to_message_id: boundary }),
        [400, 'company_data.ack_boundary_invalid'],
      );
    }
    // Whose connection it is counts before the boundary.
    const invalid = [400, 'company_data.ack_boundary_invalid'];
    assert.deepEqual(await refusal('POST', `${ofCompany(id)}/read`, token, {}), invalid);
    assert.deepEqual(await refusal('POST', `${ofPerson(id)}/read`, person.token, {}), invalid);
    assert.deepEqual(await refusal('POST', `${ofCompany(NOBODY)}/read`, token, {}), [
      404,
      'company_data.connection_not_found',
    ]);
    for (const foreign of [NOBODY, other.id])
      assert.deepEqual(await refusal('POST', `${ofPerson(foreign)}/read`, person.token, {}), [
        404,
        'connections.not_found',
      ]);
    const [item] = (await platform().must('GET', ofCompany(id), { token })).items;
    assert.deepEqual([item.message_id, item.read_at], [sent.message_id, null]);
    proves('error:company_data.ack_boundary_invalid');
  });

  test('plaintext is refused in either body, from either side', async () => {
    const { person, id } = await setUp();
    const { body } = await bodies('x');
    const half = [
      { body: 'hello', sender_body: body },
      { body, sender_body: 'hello' },
      { body, sender_body: '{"_enc":1}' },
    ];
    for (const request of half) {
      const refused = [400, 'messages.encryption_required'];
      assert.deepEqual(await refusal('POST', ofCompany(id), token, request), refused);
      assert.deepEqual(await refusal('POST', ofPerson(id), person.token, request), refused);
    }
    assert.deepEqual((await platform().must('GET', ofCompany(id), { token })).items, []);
    proves('error:messages.encryption_required');
  });

  test('strangers and ended connections get no message, and no list', async () => {
    const { person, id } = await setUp();
    const stranger = await registerPerson(platform());
    const service2 = await createService(platform(), company);
    const token2 = await dataToken(platform(), service2);
    const message = await bodies('hello');
    const notConnected = [403, 'messages.not_connected'];
    assert.deepEqual(await refusal('POST', ofCompany(id), token2, message), notConnected);
    assert.deepEqual(await refusal('POST', ofCompany(NOBODY), token, message), notConnected);
    assert.deepEqual(await refusal('GET', ofCompany(id), token2), [404, 'company_data.connection_not_found']);
    const unknown = [404, 'connections.not_found'];
    assert.deepEqual(await refusal('POST', ofPerson(id), stranger.token, message), unknown);
    assert.deepEqual(await refusal('GET', ofPerson(id), stranger.token), unknown);
    await say(ofCompany(id), token, 'hello');
    await platform().must('DELETE', `/api/person/connections/${id}`, { token: person.token });
    assert.deepEqual(await refusal('POST', ofCompany(id), token, message), notConnected);
    const left = await platform()
      .context.database.reader.selectFrom('messages')
      .select('id')
      .where('connection_id', '=', id)
      .execute();
    assert.deepEqual(left, []);
    proves('error:messages.not_connected');
  });

  test('the level of the company, and the operator, decide about messages in both directions', async () => {
    const { person, id } = await setUp();
    const operate = (path: string, body: unknown) =>
      platform().must('PUT', `/api/admin/companies/${company.id}/${path}`, { token: OPERATOR, body });
    const tried = async () => [
      await refusal('POST', ofCompany(id), token, await bodies('x')),
      await refusal('POST', ofPerson(id), person.token, await bodies('x')),
      await refusal('POST', '/api/company-data/broadcast', token, { body: 'x' }),
    ];
    const all = (key: string) => Array.from({ length: 3 }, () => [403, key]);
    await operate('level', { level: 'basic' });
    assert.deepEqual(await tried(), all('messages.messaging_not_entitled'));
    await operate('level', { level: 'pro' });
    const suspended = { messages: true, broadcasts: false };
    const path = `/api/admin/companies/${company.id}/messaging`;
    const set = await platform().call('PUT', path, { token: OPERATOR, body: suspended });
    assert.deepEqual([set.status, set.body], [200, suspended]);
    assert.deepEqual((await platform().call('GET', path, { token: OPERATOR })).body, suspended);
    assert.deepEqual(await tried(), all('messages.messaging_suspended'));
    await operate('messaging', { messages: false, broadcasts: true });
    assert.deepEqual(await tried(), [
      [201, undefined],
      [201, undefined],
      [403, 'messages.broadcast_suspended'],
    ]);
    await operate('messaging', { messages: false, broadcasts: false });
    assert.deepEqual(await refusal('PUT', '/api/admin/companies/nothing/messaging', OPERATOR, suspended), [
      404,
      'admin.company_not_found',
    ]);
    const acts = await platform()
      .context.database.reader.selectFrom('operator_acts')
      .select('act')
      .where('act', '=', 'company.messaging_changed')
      .execute();
    assert.equal(acts.length, 3);
    proves(
      'error:messages.messaging_not_entitled',
      'error:messages.messaging_suspended',
      'error:messages.broadcast_suspended',
      'limit:messaging-level',
    );
  });

  test('a person sends some messages a minute to one service', async () => {
    const { person, id } = await setUp();
    const message = await bodies('x');
    const send = () => platform().call('POST', ofPerson(id), { token: person.token, body: message });
    for (let n = 0; n < limits.personMessagesPerMinute; n++) assert.equal((await send()).status, 201);
    const refused = await send();
    assert.deepEqual([refused.status, refused.body.error_key], [429, 'messages.rate_limited']);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
    await say(ofCompany(id), token, 'the service may go on');
    proves('error:messages.rate_limited', 'limit:personMessagesPerMinute');
  });

  test('a service sends some messages an hour to one person', async () => {
    const { id } = await setUp();
    const other = await setUp();
    const message = await bodies('x');
    const send = (to: string) => platform().call('POST', ofCompany(to), { token, body: message });
    for (let n = 0; n < limits.serviceMessagesPerHour; n++) assert.equal((await send(id)).status, 201);
    const refused = await send(id);
    assert.deepEqual([refused.status, refused.body.error_key], [429, 'messages.rate_limited']);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
    assert.equal((await send(other.id)).status, 201, 'others hear of it');
    proves('limit:serviceMessagesPerHour');
  });

  test('a person sends some messages an hour to all services', async () => {
    const person = await registerPerson(platform());
    const message = await bodies('x');
    const send = (id: string) =>
      platform().call('POST', ofPerson(id), { token: person.token, body: message });
    const { personMessagesPerHour: most, personMessagesPerMinute: ofOne } = limits;
    for (let sent = 0; sent < most; ) {
      const id = await connect(platform(), person, await createService(platform(), company));
      for (let n = 0; n < ofOne && sent < most; n++, sent++) assert.equal((await send(id)).status, 201);
    }
    const fresh = await connect(platform(), person, await createService(platform(), company));
    const refused = await send(fresh);
    assert.deepEqual([refused.status, refused.body.error_key], [429, 'messages.rate_limited']);
    proves('limit:personMessagesPerHour');
  });

  test('ids grow within a thread although the clock of a process is behind', async () => {
    const { person, id } = await setUp();
    await say(ofCompany(id), token, 'first');
    const ahead = 'ffffffff-0000-7000-8000-000000000000';
    await platform().context.database.write((writer) =>
      writer.updateTable('message_threads').set({ last_id: ahead }).where('connection_id', '=', id).execute(),
    );
    const { message_id } = await say(ofPerson(id), person.token, 'second');
    assert.ok(message_id > ahead);
    assert.match(message_id, /^ffffffff-0001-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });

  test('a thread keeps its newest messages', async () => {
    const { person, id } = await setUp();
    const first = await say(ofCompany(id), token, 'first');
    await say(ofPerson(id), person.token, 'second');
    await platform().context.database.write((writer) =>
      writer
        .updateTable('message_threads')
        .set({ message_count: limits.threadMessagesMost })
        .where('connection_id', '=', id)
        .execute(),
    );
    await say(ofCompany(id), token, 'third');
    const { items } = await platform().must('GET', ofCompany(id), { token });
    assert.equal(items.length, 2);
    assert.ok(items.every((item: { message_id: string }) => item.message_id !== first.message_id));
    proves('limit:threadMessagesMost');
  });

  test("the person's devices are signalled, and the list of threads counts what is unread", async () => {
    const { person, id } = await setUp();
    using device = await Listener.open(platform(), person);
    const threads = async () =>
      (await platform().call('GET', '/api/person/messages', { token: person.token })).body.threads;
    assert.deepEqual(await threads(), []);
    const sent = await say(ofCompany(id), token, 'hello');
    await device.heard(1);
    assert.deepEqual(device.events.at(-1), { name: 'message', data: { id } });
    const [thread] = await threads();
    proves('route:GET /api/person/messages');
    assert.deepEqual(
      [thread.connection_id, thread.service.id, thread.last_at, thread.unread],
      [id, service.id, sent.created_at, 1],
    );
    await platform().must('POST', `${ofPerson(id)}/read`, {
      token: person.token,
      body: { up_to_message_id: sent.message_id },
    });
    assert.equal((await threads())[0].unread, 0);
  });

  test('a company that is a customer hears of messages on its account feed, each by itself', async () => {
    const customer = await createCustomer(platform());
    const link = await connectCompany(platform(), customer, service);
    await platform().must('GET', '/api/customer/changes', { token: customer.token });
    await say(ofCompany(link.linkId), token, 'one');
    const two = await say(ofCompany(link.linkId), token, 'two');
    const { changes } = await platform().must('GET', '/api/customer/changes', { token: customer.token });
    assert.equal(changes.length, 2);
    const { id: _, body, ...members } = changes[1];
    assert.deepEqual(members, {
      event: 'message_received',
      person_user_id: customer.company.id,
      share_code: customer.company.code,
      at: two.created_at,
      customer_type: 'company',
      company_share_code: company.code,
      service_share_code: service.code,
      connection_id: link.id,
      service_link_id: link.linkId,
      message_id: two.message_id,
      created_at: two.created_at,
    });
    assert.equal(await openSealed(body), 'two');
  });

  test('a message as large as a wrapper may be is taken, a larger one is not', async () => {
    const { id } = await setUp();
    const wrapper = JSON.parse(await sealed('x'));
    const sized = (length: number) => JSON.stringify({ ...wrapper, d: 'A'.repeat(length) });
    const send = (length: number) =>
      refusal('POST', ofCompany(id), token, { body: sized(length), sender_body: sized(length) });
    assert.deepEqual(await send(limits.wrapperTextMost), [201, undefined]);
    assert.deepEqual(await send(limits.wrapperTextMost + 4), [413, 'contact_data.value_too_large']);
  });

  test('a page with large messages ends early, and nothing is missed between it and the next one', async () => {
    const { person, id } = await setUp();
    const wrapper = JSON.parse(await sealed('x'));
    const large = JSON.stringify({ ...wrapper, d: 'A'.repeat(limits.wrapperTextMost) });
    const made: string[] = [];
    const send = async () => {
      const body = { body: large, sender_body: large };
      made.push((await platform().must('POST', ofCompany(id), { token, body })).message_id);
    };
    for (let n = 0; n < 20; n++) await send();
    made.push(
      (await platform().must('POST', '/api/company-data/broadcast', { token, body: { body: 'x' } }))
        .broadcast_id,
    );
    for (let n = 0; n < 20; n++) await send();
    const pages: string[][] = [];
    for (let before = ''; ; before = pages.at(-1)?.at(-1) ?? '') {
      const path = `${ofPerson(id)}?limit=500&before=${before}`;
      const { items } = await platform().must('GET', path, { token: person.token });
      if (items.length === 0) break;
      pages.push(items.map((item: { message_id: string }) => item.message_id));
    }
    assert.ok(pages.length > 1);
    assert.deepEqual(pages.flat(), made.toReversed());
  });
});
