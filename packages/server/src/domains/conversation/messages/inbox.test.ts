import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Inbox, limits } from '@symbolon/protocol';
import { createService, registerCompany, sealed } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { lock } from '../../../db/database.ts';

onEachEngine('the inbox of a service', (platform) => {
  const setUp = async () => {
    const { company, service, token } = await openShop(platform());
    const threads = `/api/services/${service.id}/threads`;
    const customer = async () => {
      const { person, connectionId: id } = await connectedPerson(platform(), service);
      const thread = `/api/services/${service.id}/customers/${id}/thread`;
      return { person, id, thread };
    };
    const list = (query = '', by = company.token): Promise<Inbox> =>
      platform().must('GET', `${threads}${query}`, { token: by });
    const idsOf = async (query = '', by?: string) =>
      (await list(query, by)).threads.map(({ connection_id: id }) => id);
    const put = (path: string, body: object, by = company.token) =>
      platform().call('PUT', path, { token: by, body });
    return { company, service, token, threads, customer, list, idsOf, put };
  };
  const bodies = async () => ({ body: await sealed('hello'), sender_body: await sealed('hello') });
  const writes = async (id: string, token: string): Promise<string> => {
    const body = await bodies();
    const sent = await platform().must('POST', `/api/person/connections/${id}/messages`, { token, body });
    return sent.message_id;
  };
  const answers = async (id: string, token: string) => {
    const body = await bodies();
    await platform().must('POST', `/api/company-data/connections/${id}/messages`, { token, body });
  };

  test('has who wrote, the latest first, until staff says that it is done; the next message opens it', async () => {
    const { company, service, token, customer, list, idsOf, put } = await setUp();
    const [mira, jonas, quiet] = [await customer(), await customer(), await customer()];
    await writes(mira.id, mira.person.token);
    await writes(jonas.id, jonas.person.token);
    const upTo = await writes(mira.id, mira.person.token);
    await answers(quiet.id, token);
    const { threads, next, open, mine } = await list();
    assert.deepEqual([next, open, mine], [null, 2, 0]);
    assert.deepEqual(
      threads.map((row) => [row.connection_id, row.unread, row.last_direction, row.state, row.assigned_to]),
      [
        [mira.id, 2, 'inbound', 'open', null],
        [jonas.id, 1, 'inbound', 'open', null],
      ],
    );
    const { customers } = await platform().must('GET', `/api/services/${service.id}/customers`, {
      token: company.token,
    });
    const named = customers.find((row: { connection_id: string }) => row.connection_id === mira.id);
    assert.equal(threads[0]?.display_name, named.display_name);
    // What a backend sends by itself opens nothing, and an answer closes nothing.
    await answers(mira.id, token);
    assert.deepEqual(await idsOf('?state=done'), [quiet.id]);
    await platform().must('POST', `/api/company-data/connections/${mira.id}/messages/read`, {
      token,
      body: { up_to_message_id: upTo },
    });
    const [first] = (await list()).threads;
    assert.deepEqual([first?.connection_id, first?.unread, first?.last_direction], [mira.id, 0, 'outbound']);
    const done = await put(`${mira.thread}/state`, { state: 'done' });
    assert.deepEqual([done.status, done.body.state], [200, 'done'], done.text);
    const alone = await platform().must('GET', mira.thread, { token: company.token });
    assert.deepEqual(alone, done.body);
    assert.deepEqual([await idsOf(), await idsOf('?state=done')], [[jonas.id], [mira.id, quiet.id]]);
    await writes(mira.id, mira.person.token);
    assert.deepEqual(await idsOf(), [mira.id, jonas.id]);
    assert.equal((await put(`${quiet.thread}/state`, { state: 'open' })).status, 200);
    assert.equal((await list()).open, 3);
    proves(
      'route:GET /api/services/{id}/threads',
      'route:GET /api/services/{id}/customers/{connectionId}/thread',
      'route:PUT /api/services/{id}/customers/{connectionId}/thread/state',
    );
  });

  test('counts what is open up to a number', async () => {
    const { company, service, list } = await setUp();
    const { database, ids } = platform().context;
    const threads = Array.from({ length: limits.inboxCountMost + 1 }, () => ({
      ...{ company_id: company.id, service_id: service.id, connection_id: ids.uuid() },
      ...{ last_id: ids.uuid(), message_count: 1, assigned_to: null, is_open: 1 },
    }));
    await database.write((writer) => writer.insertInto('message_threads').values(threads).execute());
    assert.equal((await list()).open, limits.inboxCountMost);
    proves('limit:inboxCountMost');
  });

  test('is read in pages', async () => {
    const { customer, list, idsOf } = await setUp();
    const ids: string[] = [];
    for (let written = 0; written < 3; written++) {
      const { id, person } = await customer();
      await writes(id, person.token);
      ids.unshift(id);
    }
    const first = await list('?limit=2');
    assert.deepEqual(
      first.threads.map(({ connection_id: id }) => id),
      ids.slice(0, 2),
    );
    assert.deepEqual(await idsOf(`?limit=2&before=${first.next}`), ids.slice(2));
    assert.equal((await list(`?limit=2&before=${first.next}`)).next, null);
  });

  test('is shared out: a thread has one login, which finds its own', async () => {
    const { company, customer, list, idsOf, put } = await setUp();
    const [mira, jonas] = [await customer(), await customer()];
    await writes(mira.id, mira.person.token);
    await writes(jonas.id, jonas.person.token);
    const kim = await addDelegate(platform(), company, 'support');
    const given = await put(`${mira.thread}/assignee`, { assigned_to: kim.id });
    assert.equal(given.body.assigned_to?.id, kim.id, given.text);
    const own = await list('?assigned_to=me', kim.token);
    assert.deepEqual([own.threads.map(({ connection_id: id }) => id), own.open, own.mine], [[mira.id], 2, 1]);
    assert.deepEqual(await idsOf(`?assigned_to=${kim.id}`), [mira.id]);
    assert.deepEqual(await idsOf('?assigned_to=me'), []);
    // Of another service of the same company nothing is mixed in.
    const other = await createService(platform(), company);
    assert.deepEqual(
      (await platform().must('GET', `/api/services/${other.id}/threads?assigned_to=me`, { token: kim.token }))
        .threads,
      [],
    );
    await platform().must('DELETE', `/api/delegates/${kim.id}`, { token: company.token });
    const left = (await list()).threads.find(({ connection_id: id }) => id === mira.id);
    assert.deepEqual([left?.assigned_to, left?.state], [null, 'open']);
    const taken = await put(`${mira.thread}/assignee`, { assigned_to: null });
    assert.equal(taken.status, 200);
    proves('route:PUT /api/services/{id}/customers/{connectionId}/thread/assignee');
  });

  test('takes its threads from a login that only views or is gone, whatever comes first', async (t) => {
    const { company, customer, list, idsOf, put } = await setUp();
    const mira = await customer();
    await writes(mira.id, mira.person.token);
    const roleOf = (login: { id: string }, role: string) =>
      platform().must('PUT', `/api/delegates/${login.id}`, { token: company.token, body: { role } });
    const assign = (login: { id: string }) => put(`${mira.thread}/assignee`, { assigned_to: login.id });
    const assigned = async () => (await list()).threads[0]?.assigned_to ?? null;

    const kim = await addDelegate(platform(), company, 'support');
    await assign(kim);
    await roleOf(kim, 'developer');
    assert.equal((await assigned())?.id, kim.id);
    beforeNextWrite(t, platform(), () => assign(kim));
    await roleOf(kim, 'viewer');
    assert.equal(await assigned(), null);
    await roleOf(kim, 'support');
    assert.equal(await assigned(), null, 'it does not come back');

    beforeNextWrite(t, platform(), () => roleOf(kim, 'viewer'));
    assert.equal((await assign(kim)).body.error_key, 'delegates.only_views');
    assert.equal(await assigned(), null);

    // The change is not over yet: the role is read once it is.
    const lea = await addDelegate(platform(), company, 'support');
    const { database } = platform().context;
    const late = await database.write(async (writer) => {
      await lock(database.engine, writer, 'companies', [company.id]);
      const begun = assign(lea);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await writer.updateTable('portal_logins').set({ role: 'viewer' }).where('id', '=', lea.id).execute();
      return { begun };
    });
    assert.equal((await late.begun).body.error_key, 'delegates.only_views');

    const max = await addDelegate(platform(), company, 'support');
    await assign(max);
    await platform().must('DELETE', `/api/delegates/${max.id}`, { token: company.token });
    assert.deepEqual(await idsOf(`?assigned_to=${max.id}`), []);
  });

  test('refuses what is not there or not allowed, and changes nothing', async () => {
    const { company, service, customer, idsOf, put } = await setUp();
    const [mira, quiet] = [await customer(), await customer()];
    await writes(mira.id, mira.person.token);
    const stranger = await registerCompany(platform());
    const elsewhere = await createService(platform(), company);
    const viewer = await addDelegate(platform(), company, 'viewer');
    const foreign = await addDelegate(platform(), stranger, 'support');
    const refused = async (path: string, body: object, by?: string) => {
      const { status, body: answer } = await put(path, body, by);
      return [status, answer.error_key];
    };
    const missing = [404, 'company_data.connection_not_found'];
    const state = { state: 'done' };
    assert.deepEqual(await refused(`${mira.thread}/state`, state, stranger.token), missing);
    assert.deepEqual(
      await refused(`/api/services/${elsewhere.id}/customers/${mira.id}/thread/state`, state),
      missing,
    );
    assert.deepEqual(await refused(`${mira.thread}/state`, state, viewer.token), [
      403,
      'auth.role_forbidden',
    ]);
    assert.deepEqual(await refused(`${quiet.thread}/state`, state), [404, 'messages.thread_empty']);
    const none = await platform().call('GET', quiet.thread, { token: viewer.token });
    assert.deepEqual([none.status, none.body.error_key], [404, 'messages.thread_empty']);
    const foreignThread = await platform().call('GET', mira.thread, { token: stranger.token });
    assert.deepEqual([foreignThread.status, foreignThread.body.error_key], missing);
    assert.deepEqual(await refused(`${mira.thread}/assignee`, { assigned_to: foreign.id }), [
      404,
      'delegates.not_found',
    ]);
    assert.deepEqual(await refused(`${mira.thread}/assignee`, { assigned_to: viewer.id }), [
      409,
      'delegates.only_views',
    ]);
    assert.deepEqual(await refused(`${mira.thread}/state`, { state: 'gone' }), [400, 'request.invalid']);
    const of = await platform().call('GET', `/api/services/${service.id}/threads`, { token: stranger.token });
    assert.deepEqual([of.status, of.body.error_key], [404, 'services.not_found']);
    assert.deepEqual(await idsOf('', viewer.token), [mira.id]);
    proves('error:messages.thread_empty', 'error:delegates.only_views');
  });
});
