import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  createService,
  dataToken,
  openSealed,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { askAndLook, leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';

onEachEngine('runs of flows', (platform) => {
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
  const refusal = (...args: Parameters<typeof call>) => refusalOf(call(...args));
  const runsPath = () => `/api/company-data/flows/${flowId}/runs`;
  const ofCompany = (id: string) => `/api/company-data/flow-runs/${id}`;
  const ofPerson = (id: string) => `/api/person/flow-runs/${id}`;
  const startFor = (person: Pick<TestPerson, 'id'>, connectionId: string) => ({
    target: { connection_id: connectionId },
    bindings: { client: person.id, owner: company.id },
  });
  const setUp = async () => {
    const { person, connectionId } = await connectedPerson(platform(), service);
    await drainAll(platform(), '/api/company-data/changes', token);
    return { person, connectionId };
  };
  const started = async () => {
    const { person, connectionId } = await setUp();
    const run = await platform().must('POST', runsPath(), { token, body: startFor(person, connectionId) });
    return { person, connectionId, run };
  };
  const texts = async (run: { answers: { slug: string; value: string }[] }) =>
    Promise.all(run.answers.map(async ({ slug, value }) => [slug, await openSealed(value)]));
  const events = async (person: Pick<TestPerson, 'id'>) => {
    const changes = await drainAll(platform(), '/api/company-data/changes', token);
    return changes
      .filter(({ event, person_user_id }) => person_user_id === person.id && String(event).startsWith('flow'))
      .map(({ event, flow_run_id, awaiting_party }) => [event, flow_run_id, awaiting_party]);
  };

  test('a run goes from the customer to the company and is completed, with an event for each turn', async () => {
    const { person, connectionId } = await setUp();
    const named = { ...startFor(person, connectionId), reference: 'Order 7' };
    const start = await call('POST', runsPath(), token, named);
    assert.equal(start.status, 201, start.text);
    const run = start.body;
    const today = new Date(platform().clock.now()).toISOString();
    assert.deepEqual(run, {
      id: run.id,
      reference: 'Order 7',
      flow_id: flowId,
      flow_version: 1,
      service_id: service.id,
      connection_id: connectionId,
      company_user_id: company.id,
      bindings: { client: person.id, owner: company.id },
      status: 'awaiting_client',
      current_node: 'tell',
      output_mode: 'data_only',
      definition: { ...askAndLook(), constants: [] },
      answers: [],
      reference_date: today.slice(0, 10),
      private_slugs: [],
      participants: [
        { party_key: 'client', person_user_id: person.id, connection_id: connectionId, documents: [] },
        { party_key: 'owner', person_user_id: company.id, connection_id: null, documents: [] },
      ],
      source_files: {},
      owner_tag_values: {},
      tag_values: null,
      document_id: null,
      failure: null,
      created_at: today,
      updated_at: today,
    });
    assert.equal(
      (await call('GET', `/api/company-data/connections/${run.connection_id}`, token)).status,
      200,
    );

    const { runs: listed } = (await call('GET', '/api/person/flow-runs', person.token)).body;
    assert.deepEqual(
      listed.map(({ id, reference }: Record<string, unknown>) => [id, reference]),
      [[run.id, 'Order 7']],
    );
    const long = { ...named, reference: 'x'.repeat(101) };
    assert.equal((await call('POST', runsPath(), token, long)).status, 400);

    const first = await submitOf(run, { weight: '20', colour: 'blue' }, to('look', 'owner'));
    const answered = await call('POST', `${ofPerson(run.id)}/answers`, person.token, first);
    assert.equal(answered.status, 200, answered.text);
    assert.deepEqual(
      [answered.body.status, answered.body.current_node, answered.body.connection_id],
      ['awaiting_owner', 'look', connectionId],
    );
    // The answers just submitted stand in the answer, in the order in which they were sent.
    assert.deepEqual(await texts(answered.body), [
      ['weight', '20'],
      ['colour', 'blue'],
    ]);
    const asked = (await call('GET', ofCompany(run.id), token)).body;
    assert.deepEqual(await texts(asked), [
      ['weight', '20'],
      ['colour', 'blue'],
    ]);
    assert.ok(asked.answers.every((answer: { for_user_id: string }) => answer.for_user_id === company.id));

    const last = await submitOf(run, { verdict: 'good' }, leaf);
    const done = await call('POST', `${ofCompany(run.id)}/answers`, token, last);
    assert.deepEqual([done.status, done.body.status, done.body.current_node], [200, 'completed', null]);
    assert.deepEqual(
      (await texts(done.body)).map(([slug]) => slug),
      ['weight', 'colour', 'verdict'],
    );
    assert.deepEqual(await events(person), [
      ['flow_run_turn', run.id, 'client'],
      ['flow_run_turn', run.id, 'owner'],
      ['flow_completed', run.id, undefined],
    ]);
    proves('event:flow_run_turn', 'event:flow_completed');
  });

  test('only the party whose turn it is answers, and strangers find no run', async () => {
    const { person, run } = await started();
    const submit = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    assert.deepEqual(await refusal('POST', `${ofCompany(run.id)}/answers`, token, submit), [
      409,
      'flows.not_your_turn',
    ]);
    const stranger = await registerPerson(platform());
    const missing = [404, 'flows.run_not_found'];
    assert.deepEqual(await refusal('POST', `${ofPerson(run.id)}/answers`, stranger.token, submit), missing);
    assert.deepEqual(await refusal('GET', ofPerson(run.id), stranger.token), missing);
    assert.deepEqual(await refusal('GET', ofPerson(NOBODY), person.token), missing);
    const other = await dataToken(platform(), await createService(platform(), company));
    assert.deepEqual(await refusal('GET', ofCompany(run.id), other), missing);
    assert.deepEqual(await refusal('POST', `${ofCompany(run.id)}/cancel`, other), missing);
    proves('error:flows.not_your_turn', 'error:flows.run_not_found');
  });

  test('a submit that is wrong changes nothing', async () => {
    const { person, run } = await started();
    const route = to('look', 'owner');
    const good = await submitOf(run, { colour: 'red' }, route);
    const [answer] = good.answers;
    assert.ok(answer);
    const [own, others] = answer.values;
    const cases: [object, number, string][] = [
      [await submitOf(run, { verdict: 'x' }, route), 422, 'flows.answer_unknown'],
      [await submitOf(run, { nothing: 'x' }, route), 422, 'flows.answer_unknown'],
      [{ ...good, answers: [answer, answer] }, 422, 'flows.answer_unknown'],
      [{ ...good, answers: [{ ...answer, values: [own] }] }, 422, 'flows.copies_missing'],
      [{ ...good, answers: [{ ...answer, values: [own, others, own] }] }, 422, 'flows.copies_missing'],
      [
        { ...good, answers: [{ ...answer, values: [own, { ...others, for_user_id: NOBODY }] }] },
        422,
        'flows.copies_missing',
      ],
      [
        { ...good, answers: [{ ...answer, values: [own, { ...others, value: { _enc_file: NOBODY } }] }] },
        422,
        'flows.copies_missing',
      ],
      [
        { ...good, answers: [{ ...answer, values: [own, { ...others, value: 'red' }] }] },
        400,
        'contact_data.encryption_required',
      ],
      [{ answers: good.answers }, 422, 'flows.route_invalid'],
      [{ ...good, leaf: true }, 422, 'flows.route_invalid'],
      // An unconditional edge leads on, so the flow cannot end here.
      [{ answers: good.answers, leaf: true }, 422, 'flows.route_invalid'],
      [{ ...good, ...to('look', 'client') }, 422, 'flows.route_invalid'],
      [{ ...good, ...to('tell', 'client') }, 422, 'flows.route_invalid'],
      [{ ...good, ...to('nowhere', 'owner') }, 422, 'flows.route_invalid'],
    ];
    for (const [body, ...expected] of cases)
      assert.deepEqual(
        await refusal('POST', `${ofPerson(run.id)}/answers`, person.token, body),
        expected,
        JSON.stringify(body).slice(0, 200),
      );
    const { answers, ...members } = (await call('GET', ofCompany(run.id), token)).body;
    assert.deepEqual([answers, members.status], [[], 'awaiting_client']);
    proves('error:flows.answer_unknown', 'error:flows.copies_missing', 'error:flows.route_invalid');
  });

  test('a submit that arrives twice is answered by the run as it stands; of two devices at once the first counts', async () => {
    const { person, run } = await started();
    const path = `${ofPerson(run.id)}/answers`;
    const one = await submitOf(run, { colour: 'red', weight: '1' }, to('look', 'owner'));
    const other = await submitOf(run, { weight: '2', colour: 'green' }, to('look', 'owner'));
    const both = await Promise.all([one, other].map((body) => call('POST', path, person.token, body)));
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    const kept = await Promise.all(both.map(({ body }) => texts(body)));
    assert.deepEqual(kept[0], kept[1]);
    const again = await call('POST', path, person.token, one);
    assert.deepEqual([again.status, again.body.status], [200, 'awaiting_owner']);
    assert.deepEqual(await texts(again.body), kept[0]);
    // Another submit is no repetition of one in a turn that has passed.
    const different = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    assert.deepEqual(await refusal('POST', path, person.token, different), [409, 'flows.not_your_turn']);
    assert.equal((await events(person)).length, 2);
  });

  test('the answers of one step lead to another step of the same party', async () => {
    const { person, run } = await started();
    const path = `${ofPerson(run.id)}/answers`;
    const first = await submitOf(run, { colour: 'red', weight: '200' }, to('more', 'client'));
    await platform().must('POST', path, { token: person.token, body: first });
    const again = await call('POST', path, person.token, first);
    assert.deepEqual([again.status, again.body.current_node], [200, 'more']);
    const second = await submitOf(run, { reason: 'heavy' }, to('look', 'owner'));
    const answered = await call('POST', path, person.token, second);
    proves('route:POST /api/person/flow-runs/{runId}/answers');
    assert.deepEqual([answered.status, answered.body.status], [200, 'awaiting_owner']);
    assert.deepEqual(
      (await texts(answered.body)).map(([slug]) => slug),
      ['colour', 'weight', 'reason'],
    );
  });

  test('the company reads which step was answered when; a repetition is no step', async () => {
    const { person, run } = await started();
    const steps = () =>
      call('GET', `/api/services/${service.id}/flows/${flowId}/runs/${run.id}/steps`, company.token);
    assert.deepEqual((await steps()).body, { steps: [] });
    const answer = async (texts: Record<string, string>, route: Parameters<typeof submitOf>[2]) =>
      platform().must('POST', `${ofPerson(run.id)}/answers`, {
        token: person.token,
        body: await submitOf(run, texts, route),
      });
    await answer({ colour: 'red', weight: '200' }, to('more', 'client'));
    const first = platform().clock.now();
    await answer({ colour: 'red', weight: '200' }, to('more', 'client'));
    platform().clock.advance(60_000);
    await answer({ reason: 'heavy' }, to('look', 'owner'));
    platform().clock.advance(60_000);
    await platform().must('POST', `${ofCompany(run.id)}/answers`, {
      token,
      body: await submitOf(run, {}, leaf),
    });
    const at = (minutes: number) => new Date(first + minutes * 60_000).toISOString();
    const { status, body } = await steps();
    proves('route:GET /api/services/{id}/flows/{flowId}/runs/{runId}/steps');
    assert.deepEqual(
      [status, body.steps],
      [
        200,
        [
          { node: 'tell', party: 'client', answered_at: at(0) },
          { node: 'more', party: 'client', answered_at: at(1) },
          { node: 'look', party: 'owner', answered_at: at(2) },
        ],
      ],
    );
    const other = await registerCompany(platform());
    const path = `/api/services/${service.id}/flows/${flowId}/runs`;
    assert.equal((await call('GET', `${path}/${run.id}/steps`, other.token)).status, 404);
    const list = `/api/services/${service.id}/flows/${NOBODY}/runs`;
    assert.deepEqual(await refusal('GET', list, company.token), [404, 'flows.not_found']);
    assert.equal((await call('GET', path, other.token)).status, 404);
    // A flow of one's own, in the address of a service that is not: nothing is there, although the flow has runs.
    const foreign = await createService(platform(), other);
    const beside = await createService(platform(), company);
    for (const { id } of [foreign, beside])
      assert.deepEqual(await refusal('GET', `/api/services/${id}/flows/${flowId}/runs`, company.token), [
        404,
        'flows.not_found',
      ]);
    assert.deepEqual(await refusal('GET', `${path}/${NOBODY}/steps`, company.token), [
      404,
      'flows.run_not_found',
    ]);
  });

  test('a company cancels, a person declines; what is completed stays', async () => {
    const { person, run } = await started();
    const cancelled = await call('POST', `${ofCompany(run.id)}/cancel`, token);
    assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
    assert.deepEqual(
      (await call('POST', `${ofPerson(run.id)}/decline`, person.token)).body.status,
      'cancelled',
    );
    const submit = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    assert.deepEqual(await refusal('POST', `${ofPerson(run.id)}/answers`, person.token, submit), [
      409,
      'flows.not_your_turn',
    ]);
    assert.deepEqual(
      (await events(person)).map(([event]) => event),
      ['flow_run_turn', 'flow_completed'],
    );

    const second = await started();
    const declined = await call('POST', `${ofPerson(second.run.id)}/decline`, second.person.token);
    proves('route:POST /api/person/flow-runs/{runId}/decline');
    assert.deepEqual([declined.status, declined.body.status], [200, 'cancelled']);

    const third = await started();
    await platform().must('POST', `${ofPerson(third.run.id)}/answers`, {
      token: third.person.token,
      body: await submitOf(third.run, { colour: 'red' }, to('look', 'owner')),
    });
    await platform().must('POST', `${ofCompany(third.run.id)}/answers`, {
      token,
      body: await submitOf(third.run, {}, leaf),
    });
    const ended = [409, 'flows.run_ended'];
    assert.deepEqual(await refusal('POST', `${ofCompany(third.run.id)}/cancel`, token), ended);
    assert.deepEqual(await refusal('POST', `${ofPerson(third.run.id)}/decline`, third.person.token), ended);
    proves('error:flows.run_ended');
  });

  test('a start binds every party to the company or to a connected customer, or writes nothing', async () => {
    const { person, connectionId } = await setUp();
    const stranger = await registerPerson(platform());
    const good = startFor(person, connectionId);
    const wrong = [422, 'flows.bindings_invalid'];
    const cases: [object, (string | number)[]][] = [
      [{ ...good, bindings: { client: stranger.id, owner: company.id } }, wrong],
      [{ ...good, bindings: { client: NOBODY, owner: company.id } }, wrong],
      [{ ...good, bindings: { client: person.id } }, wrong],
      [{ ...good, bindings: [] }, wrong],
      [{ ...good, bindings: { ...good.bindings, more: person.id } }, wrong],
      [{ ...good, bindings: { client: company.id, owner: person.id } }, wrong],
      [{ ...good, target: { connection_id: NOBODY } }, [404, 'company_data.connection_not_found']],
      [{ ...good, flow_version: 2 }, [409, 'flows.version_changed']],
    ];
    const list = async () => (await call('GET', '/api/company-data/flow-runs', token)).body.total;
    const before = await list();
    for (const [body, expected] of cases)
      assert.deepEqual(await refusal('POST', runsPath(), token, body), expected, JSON.stringify(body));
    assert.deepEqual(await refusal('POST', `/api/company-data/flows/${NOBODY}/runs`, token, good), [
      404,
      'flows.not_found',
    ]);
    assert.equal(await list(), before);
    // Some languages write an empty map as a list.
    assert.equal((await call('POST', runsPath(), token, { ...good, tag_values: [] })).status, 201);
    proves('error:flows.bindings_invalid', 'error:flows.version_changed');
  });

  test('a run starts with the version that was read, or not at all', async (t) => {
    const { person, connectionId } = await setUp();
    const other = await publishFlow(platform(), service);
    const path = `/api/services/${service.id}/flows/${other}`;
    beforeNextWrite(t, platform(), () =>
      platform().must('POST', `${path}/publish`, { token: company.token }),
    );
    const start = startFor(person, connectionId);
    const at = `/api/company-data/flows/${other}/runs`;
    assert.deepEqual(await refusal('POST', at, token, start), [409, 'flows.version_changed']);
    assert.equal((await call('POST', at, token, start)).body.flow_version, 2);
  });

  test('runs that were started with a customer are bounded, also those in which only the company takes part', async () => {
    const { connectionId } = await setUp();
    const body = { ...startFor(company, connectionId), bindings: { client: company.id, owner: company.id } };
    const { id } = await platform().must('POST', runsPath(), { token, body });
    const { database, ids } = platform().context;
    await database.write(async (writer) => {
      const row = await writer
        .selectFrom('flow_runs')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      for (let count = 1; count < limits.openFlowRunsMost; count += 111) {
        const copies = Array.from({ length: 111 }, () => ({ ...row, id: ids.uuid() }));
        await writer.insertInto('flow_runs').values(copies).execute();
      }
    });
    assert.deepEqual(await refusal('POST', runsPath(), token, body), [409, 'flows.runs_limit']);
    await call('POST', `${ofCompany(id)}/cancel`, token);
    assert.equal((await call('POST', runsPath(), token, body)).status, 201);
    proves('error:flows.runs_limit', 'limit:openFlowRunsMost');
  });

  test('what a run holds, and how many values of tags a start brings, is bounded', async () => {
    const { person, connectionId, run } = await started();
    const submit = await submitOf(run, { weight: '20', colour: 'blue' }, to('look', 'owner'));
    const bytes = submit.answers
      .flatMap(({ values }) => values)
      .reduce((sum, { value }) => sum + JSON.stringify(value).length, 0);
    const holding = (held: number) =>
      platform().context.database.write((writer) =>
        writer.updateTable('flow_runs').set({ bytes: held }).where('id', '=', run.id).execute(),
      );
    await holding(limits.flowRunBytesMost);
    assert.deepEqual(await refusal('POST', `${ofPerson(run.id)}/answers`, person.token, submit), [
      409,
      'flows.run_too_large',
    ]);
    await holding(limits.flowRunBytesMost - 2 * bytes);
    assert.equal((await call('POST', `${ofPerson(run.id)}/answers`, person.token, submit)).status, 200);
    proves('error:flows.run_too_large', 'limit:flowRunBytesMost');

    const withTags = (count: number) => ({
      ...startFor(person, connectionId),
      tag_values: {
        [person.id]: { public_tags: Array.from({ length: count }, (_, index) => `client.tag_${index}`) },
      },
    });
    assert.deepEqual(await refusal('POST', runsPath(), token, withTags(limits.flowTagsMost + 1)), [
      400,
      'request.invalid',
    ]);
    assert.notEqual((await call('POST', runsPath(), token, withTags(limits.flowTagsMost))).status, 400);
    proves('limit:flowTagsMost');
  });
});
