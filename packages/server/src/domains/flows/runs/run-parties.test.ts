import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import {
  connect,
  createAccountClient,
  createService,
  dataToken,
  openSealed,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { deleteCompanies } from '@symbolon/testkit/actors/company-deletion';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { askAndLook, leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';

/** A company that is a customer and a person answer one after the other; the owner only asks. */
function twoCustomers(): FlowDefinition {
  const step = (key: string, party: string) => ({
    key,
    party,
    title: key,
    elements: [{ kind: 'field' as const, slug: key, field_type: 'text', label: key, required: true }],
  });
  return {
    name: 'Two customers',
    output_mode: 'data_only',
    entry: 'buyer_word',
    // A customer may have this key: it is not the turn of the owning company.
    parties: [
      { key: 'company', label: 'Buyer' },
      { key: 'person', label: 'Person' },
    ],
    nodes: [step('buyer_word', 'company'), step('person_word', 'person')],
    edges: [{ from: 'buyer_word', to: 'person_word', condition: null }],
  };
}

onPlatform('parties of runs', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  let flowId: string;
  before(async () => {
    ({ company, service, token } = await openShop(platform()));
    flowId = await publishFlow(platform(), service);
  });
  const call = (method: string, path: string, as: string, body?: unknown) =>
    platform().call(method, path, { token: as, ...(body === undefined ? {} : { body }) });
  const must = (method: string, path: string, as: string, body?: unknown) =>
    platform().must(method, path, { token: as, ...(body === undefined ? {} : { body }) });
  const refusal = (...args: Parameters<typeof call>) => refusalOf(call(...args));
  const ofCompany = (id: string) => `/api/company-data/flow-runs/${id}`;
  const ofPerson = (id: string) => `/api/person/flow-runs/${id}`;
  const connected = async () => {
    const person = await registerPerson(platform());
    return { person, connectionId: await connect(platform(), person, service) };
  };
  const started = async (who?: { person: TestPerson; connectionId: string }, of = flowId) => {
    const { person, connectionId } = who ?? (await connected());
    const run = await must('POST', `/api/company-data/flows/${of}/runs`, token, {
      target: { connection_id: connectionId },
      bindings: { client: person.id, owner: company.id },
    });
    return { person, connectionId, run };
  };
  const drain = () => drainAll(platform(), '/api/company-data/changes', token);

  test('a company as a customer takes part under its connection, and hears of it on its account feed', async () => {
    const customer = await createCustomer(platform());
    const { id: groupId, linkId } = await connectCompany(platform(), customer, service);
    const { person } = await connected();
    const flow = await publishFlow(platform(), service, twoCustomers());
    await drainAll(platform(), '/api/customer/changes', customer.token);
    await drain();
    const run = await must('POST', `/api/company-data/flows/${flow}/runs`, token, {
      target: { connection_id: linkId },
      bindings: { company: customer.company.id, person: person.id },
    });
    assert.deepEqual([run.status, run.connection_id], ['awaiting_company', linkId]);
    const path = `/api/company-connections/${groupId}/flow-runs`;
    const theirs = (await call('GET', `${path}/${run.id}`, customer.token)).body;
    proves('route:GET /api/company-connections/{id}/flow-runs/{runId}');
    assert.deepEqual([theirs.connection_id, theirs.flow_name], [groupId, 'Two customers']);
    assert.deepEqual(theirs.company, { user_id: company.id, display_name: 'Acme', share_code: company.code });
    assert.deepEqual(theirs.service, { id: service.id, name: 'Shop', share_code: service.code });
    assert.equal(
      (await call('GET', `${path}/${run.id}`, customer.company.token)).status,
      200,
      'in the portal too',
    );

    const first = await submitOf(run, { buyer_word: 'buy' }, to('person_word', 'person'));
    // Programs of customers may say where they took a value from: it is passed over.
    const answered = await call('POST', `${path}/${run.id}/answers`, customer.token, { ...first, links: [] });
    assert.equal(answered.status, 200, answered.text);
    assert.equal(await openSealed(answered.body.answers[0].value), 'buy');
    // Under the id of another connection the run is not there.
    assert.deepEqual(
      await refusal('GET', `/api/company-connections/${NOBODY}/flow-runs/${run.id}`, customer.token),
      [404, 'flows.run_not_found'],
    );
    assert.deepEqual(await refusal('GET', `/api/company-connections/${NOBODY}/flow-runs`, customer.token), [
      404,
      'connections.not_found',
    ]);
    proves('route:GET /api/company-connections/{id}/flow-runs');
    assert.deepEqual(
      (await call('GET', path, customer.token)).body.runs.map((one: { id: string }) => one.id),
      [run.id],
    );
    await must(
      'POST',
      `${ofPerson(run.id)}/answers`,
      person.token,
      await submitOf(run, { person_word: 'ok' }, leaf),
    );

    const told = (await drainAll(platform(), '/api/customer/changes', customer.token)).filter(({ event }) =>
      String(event).startsWith('flow'),
    );
    assert.deepEqual(
      told.map(({ event, flow_run_id, awaiting_party }) => [event, flow_run_id, awaiting_party]),
      [
        ['flow_run_turn', run.id, 'company'],
        ['flow_run_turn', run.id, 'person'],
        ['flow_completed', run.id, undefined],
      ],
    );
    const { id: _, at: __, ...members } = told[2] ?? {};
    assert.deepEqual(members, {
      event: 'flow_completed',
      person_user_id: customer.company.id,
      share_code: customer.company.code,
      customer_type: 'company',
      company_share_code: company.code,
      service_share_code: service.code,
      connection_id: groupId,
      service_link_id: linkId,
      flow_run_id: run.id,
    });
    const own = (await drain()).filter(({ event }) => event === 'flow_run_turn');
    assert.deepEqual(own.map(({ id: _, at: __, ...more }) => more)[0], {
      event: 'flow_run_turn',
      person_user_id: customer.company.id,
      share_code: customer.company.code,
      customer_type: 'company',
      flow_run_id: run.id,
      awaiting_party: 'company',
    });
  });

  test('who is bound as two parties has one copy of an answer, and may be sent one for each party', async () => {
    const { person, connectionId } = await connected();
    const flow = await publishFlow(platform(), service, twoCustomers());
    const run = await must('POST', `/api/company-data/flows/${flow}/runs`, token, {
      target: { connection_id: connectionId },
      bindings: { company: person.id, person: person.id },
    });
    const { answers, ...route } = await submitOf(run, { buyer_word: 'buy' }, to('person_word', 'person'));
    const times = (n: number) => ({
      answers: answers.map((one) => ({ ...one, values: Array(n).fill(one.values[0]) })),
      ...route,
    });
    const path = `${ofPerson(run.id)}/answers`;
    assert.deepEqual(await refusal('POST', path, person.token, times(3)), [422, 'flows.copies_missing']);
    const answered = await call('POST', path, person.token, times(2));
    assert.deepEqual(
      [answered.status, answered.body.status, answered.body.answers.length],
      [200, 'awaiting_person', 1],
      answered.text,
    );
  });

  test('account clients and the portal start, read, answer and cancel runs of their services', async () => {
    const client = await createAccountClient(platform(), company, ['service_management']);
    const { person, connectionId } = await connected();
    const base = `/api/services/${service.id}/flows/${flowId}`;
    const body = {
      target: { connection_id: connectionId },
      bindings: { client: person.id, owner: company.id },
    };
    for (const as of [client.token, company.token]) {
      const run = await must('POST', `${base}/runs`, as, body);
      await must(
        'POST',
        `${ofPerson(run.id)}/answers`,
        person.token,
        await submitOf(run, { colour: 'red' }, to('look', 'owner')),
      );
      const path = `${base}/runs/${run.id}`;
      const { answers, ...read } = (await call('GET', path, as)).body;
      proves('route:GET /api/services/{id}/flows/{flowId}/runs/{runId}');
      assert.deepEqual([read.status, await openSealed(answers[0].value)], ['awaiting_owner', 'red']);
      proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/answers');
      assert.deepEqual(
        (await call('POST', `${path}/answers`, as, await submitOf(run, {}, leaf))).body.status,
        'completed',
      );
      const second = await must('POST', `${base}/runs`, as, body);
      proves('route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/cancel');
      assert.equal((await call('POST', `${base}/runs/${second.id}/cancel`, as)).body.status, 'cancelled');
      const list = (await call('GET', `${base}/runs?status=cancelled&limit=1`, as)).body;
      proves(
        'route:GET /api/services/{id}/flows/{flowId}/runs',
        'route:POST /api/services/{id}/flows/{flowId}/runs',
      );
      assert.equal(list.items[0].id, second.id);
    }
    const other = await publishFlow(platform(), service);
    const run = await must('POST', `${base}/runs`, company.token, body);
    const missing = [404, 'flows.run_not_found'];
    assert.deepEqual(
      await refusal('GET', `/api/services/${service.id}/flows/${other}/runs/${run.id}`, company.token),
      missing,
    );
    const stranger = await registerCompany(platform());
    assert.deepEqual(await refusal('GET', `${base}/runs/${run.id}`, stranger.token), missing);
    assert.deepEqual(await refusal('GET', `${base}/runs`, stranger.token), [404, 'flows.not_found']);
    assert.deepEqual(await refusal('POST', `${base}/runs`, stranger.token, body), [404, 'flows.not_found']);
  });

  test('lists have an exact total for each status while runs come and go', async () => {
    const other = await createService(platform(), company);
    const otherToken = await dataToken(platform(), other);
    const flow = await publishFlow(platform(), other);
    const { person, connectionId: connection_id } = await connectedPerson(platform(), other);
    const start = () =>
      must('POST', `/api/company-data/flows/${flow}/runs`, otherToken, {
        target: { connection_id },
        bindings: { client: person.id, owner: company.id },
      });
    const totals = async () => {
      const of = async (status?: string) => {
        const query = status === undefined ? '' : `?status=${status}`;
        const { body } = await call('GET', `/api/company-data/flow-runs${query}`, otherToken);
        assert.equal(body.total, body.items.length);
        return body.total;
      };
      return Promise.all(
        [
          undefined,
          'awaiting_client',
          'awaiting_company',
          'awaiting_owner',
          'completed',
          'cancelled',
          'nothing',
        ].map(of),
      );
    };
    assert.deepEqual(await totals(), [0, 0, 0, 0, 0, 0, 0]);
    const [one, two, three] = [await start(), await start(), await start()];
    assert.deepEqual(await totals(), [3, 3, 0, 0, 0, 0, 0]);
    for (const run of [one, two])
      await must(
        'POST',
        `${ofPerson(run.id)}/answers`,
        person.token,
        await submitOf(run, { colour: 'red' }, to('look', 'owner')),
      );
    // The key of the company's party is `owner`: its turn is found by both statuses.
    assert.deepEqual(await totals(), [3, 1, 2, 2, 0, 0, 0]);
    await must('POST', `${ofCompany(one.id)}/answers`, otherToken, await submitOf(one, {}, leaf));
    await must('POST', `${ofCompany(three.id)}/cancel`, otherToken);
    assert.deepEqual(await totals(), [3, 0, 1, 1, 1, 1, 0]);
    const page = (await call('GET', '/api/company-data/flow-runs?limit=2', otherToken)).body;
    proves('route:GET /api/company-data/flow-runs');
    assert.deepEqual([page.total, page.items.map(({ id }: { id: string }) => id)], [3, [three.id, two.id]]);
    const rest = (await call('GET', '/api/company-data/flow-runs?limit=2&offset=2', otherToken)).body;
    assert.deepEqual(
      rest.items.map(({ id }: { id: string }) => id),
      [one.id],
    );
    const mine = (await call('GET', '/api/person/flow-runs', person.token)).body.runs;
    proves('route:GET /api/person/flow-runs');
    assert.deepEqual(
      mine.map((run: { id: string; status: string; connection_id: string }) => [
        run.id,
        run.status,
        run.connection_id,
      ]),
      [
        [one.id, 'completed', connection_id],
        [two.id, 'awaiting_owner', connection_id],
        [three.id, 'cancelled', connection_id],
      ],
    );
    assert.deepEqual(Object.keys(mine[0]).includes('definition'), false);
  });

  test('a version that is published in between changes nothing for a run that has started', async () => {
    const flow = await publishFlow(platform(), service);
    const { person, run } = await started(undefined, flow);
    const base = `/api/services/${service.id}/flows/${flow}`;
    const { revision } = await must('GET', base, company.token);
    const changed = askAndLook();
    const definition = { ...changed, nodes: changed.nodes.map((node) => ({ ...node, title: 'New' })) };
    await must('PUT', base, company.token, { revision, definition });
    await must('POST', `${base}/publish`, company.token);
    const submit = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    const answered = await call('POST', `${ofPerson(run.id)}/answers`, person.token, submit);
    assert.deepEqual([answered.status, answered.body.flow_version], [200, 1], answered.text);
    assert.deepEqual(answered.body.definition, { ...askAndLook(), constants: [] });
    // A flow with unfinished runs stays; one with finished runs goes, and its runs are still read.
    assert.deepEqual(await refusal('DELETE', base, company.token), [409, 'flows.has_unfinished_runs']);
    await must('POST', `${ofCompany(run.id)}/cancel`, token);
    proves('route:DELETE /api/services/{id}/flows/{flowId}');
    assert.equal((await call('DELETE', base, company.token)).status, 204);
    proves('route:GET /api/company-data/flow-runs/{runId}');
    assert.equal((await call('GET', ofCompany(run.id), token)).body.definition.name, 'Ask and look');
    proves('error:flows.has_unfinished_runs');
  });

  test('a connection that ends cancels the unfinished runs of its customer; what is finished stays', async () => {
    for (const ender of ['person', 'service'] as const) {
      const who = await connected();
      const [open, done] = [await started(who), await started(who)];
      const submit = await submitOf(done.run, { colour: 'red' }, to('look', 'owner'));
      await must('POST', `${ofPerson(done.run.id)}/answers`, who.person.token, submit);
      await must('POST', `${ofCompany(done.run.id)}/answers`, token, await submitOf(done.run, {}, leaf));
      await drain();
      const ended =
        ender === 'person'
          ? await call('DELETE', `/api/person/connections/${who.connectionId}`, who.person.token)
          : await call('DELETE', `/api/company-data/connections/${who.connectionId}`, token);
      assert.equal(ended.status, 204, ended.text);
      const told = (await drain()).filter(({ person_user_id }) => person_user_id === who.person.id);
      assert.deepEqual(
        told.map(({ event, flow_run_id }) => [event, flow_run_id]),
        [
          ['flow_completed', open.run.id],
          ['connection_deleted', undefined],
        ],
      );
      const read = async (id: string) => (await call('GET', ofCompany(id), token)).body;
      const cancelled = await read(open.run.id);
      assert.deepEqual([cancelled.status, cancelled.connection_id], ['cancelled', null]);
      assert.equal((await read(done.run.id)).status, 'completed');
      assert.equal((await read(done.run.id)).answers.length, 1);
      // Both have their copies, as of a document.
      const own = (await call('GET', ofPerson(done.run.id), who.person.token)).body;
      assert.equal(await openSealed(own.answers[0].value), 'red');
    }
  });

  test('a person who deletes the account leaves no copy behind, and the others keep theirs', async () => {
    const { person, run } = await started();
    await must(
      'POST',
      `${ofPerson(run.id)}/answers`,
      person.token,
      await submitOf(run, { colour: 'red' }, to('look', 'owner')),
    );
    const { context } = platform();
    const { runEndings, personConnections } = context;
    for (const part of [personConnections, runEndings])
      for (const id of await part.bonds(person.id)) await part.end(person.id, id);
    const { reader } = context.database;
    for (const table of ['flow_run_copies', 'flow_run_parties'] as const)
      assert.deepEqual(
        await reader.selectFrom(table).selectAll().where('user_id', '=', person.id).execute(),
        [],
      );
    const left = (await call('GET', ofCompany(run.id), token)).body;
    assert.deepEqual([left.status, left.answers.length], ['cancelled', 1]);
  });

  test('the devices of a person who takes part are signalled at once', async () => {
    const who = await connected();
    using listener = await Listener.open(platform(), { token: who.person.token });
    const { run } = await started(who);
    await listener.heard(1);
    assert.deepEqual(listener.events, [{ name: 'flow_run', data: { id: run.id } }]);
  });

  const withCustomer = async () => {
    const customer = await createCustomer(platform());
    const { id: groupId, linkId } = await connectCompany(platform(), customer, service);
    const { person } = await connected();
    const flow = await publishFlow(platform(), service, twoCustomers());
    const run = await must('POST', `/api/company-data/flows/${flow}/runs`, token, {
      target: { connection_id: linkId },
      bindings: { company: customer.company.id, person: person.id },
    });
    return { customer, path: `/api/company-connections/${groupId}`, person, run };
  };

  test('a company that is a customer ends its connection: its unfinished runs are cancelled', async () => {
    const { customer, path, person, run } = await withCustomer();
    await drainAll(platform(), '/api/customer/changes', customer.token);
    assert.equal((await call('DELETE', path, customer.token)).status, 204);
    const told = await drainAll(platform(), '/api/customer/changes', customer.token);
    assert.deepEqual(
      told.map(({ event }) => event),
      ['flow_completed', 'connection_deleted'],
    );
    // Its runs are found under its connection.
    assert.deepEqual(await refusal('GET', `${path}/flow-runs/${run.id}`, customer.token), [
      404,
      'flows.run_not_found',
    ]);
    const left = (await call('GET', ofCompany(run.id), token)).body;
    assert.deepEqual([left.status, left.connection_id], ['cancelled', null]);
    assert.equal((await call('GET', ofPerson(run.id), person.token)).body.status, 'cancelled');
  });

  /** A service of another company, with a run that a person has answered once. */
  const ofAnother = async () => {
    const owner = await registerCompany(platform());
    const theirs = await createService(platform(), owner);
    const flow = await publishFlow(platform(), theirs);
    const person = await registerPerson(platform());
    const run = await must('POST', `/api/services/${theirs.id}/flows/${flow}/runs`, owner.token, {
      target: { connection_id: await connect(platform(), person, theirs) },
      bindings: { client: person.id, owner: owner.id },
    });
    const submit = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    await must('POST', `${ofPerson(run.id)}/answers`, person.token, submit);
    return { owner, theirs, person, run };
  };
  const rowsOf = async (serviceId: string) => {
    const { reader } = platform().context.database;
    const tables = ['flow_runs', 'flow_run_counts', 'flow_run_parties', 'flow_run_copies'] as const;
    const rows = tables.map((table) =>
      reader.selectFrom(table).select('company_id').where('service_id', '=', serviceId).execute(),
    );
    return (await Promise.all(rows)).map(({ length }) => length);
  };

  test('a service takes its runs with it', async () => {
    const { owner, theirs, person, run } = await ofAnother();
    assert.deepEqual(await rowsOf(theirs.id), [1, 2, 1, 2]);
    await must('DELETE', `/api/services/${theirs.id}?confirm=true`, owner.token);
    await platform().context.jobWorker.run();
    assert.deepEqual(await refusal('GET', ofPerson(run.id), person.token), [404, 'flows.run_not_found']);
    assert.deepEqual(await rowsOf(theirs.id), [0, 0, 0, 0]);
  });

  test('a company that is deleted takes its runs with it, and ends those of others', async () => {
    const { owner, theirs } = await ofAnother();
    const { customer, run } = await withCustomer();
    await deleteCompanies(platform(), owner, customer.company);
    assert.deepEqual(await rowsOf(theirs.id), [0, 0, 0, 0]);
    const { reader } = platform().context.database;
    const left = reader.selectFrom('flow_runs').select('status').where('id', '=', run.id);
    assert.equal((await left.executeTakeFirst())?.status, 'cancelled');
  });
});
