import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createDataClient,
  createService,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { OPERATOR } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';

withRegions('runs of flows across regions', ['eu', 'us'], (regions) => {
  const home = () => regions().region('eu');
  const companys = () => regions().region('us');
  const setUp = async () => {
    const company = await registerCompany(companys());
    const service = await createService(companys(), company);
    const client = await createDataClient(companys(), service);
    const token = await tokenFor(companys(), client.clientId, client.clientSecret);
    const flowId = await publishFlow(companys(), service);
    return { company, service, client, token, flowId };
  };

  test('a person answers at home, with a file, what a company of another region asks', async () => {
    const { company, service, token, flowId } = await setUp();
    const person = await registerPerson(home());
    await regions().settle();
    const connection_id = await connect(home(), person, service);
    const device = await Listener.open(home(), { token: person.token });
    const run = await companys().must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: { target: { connection_id }, bindings: { client: person.id, owner: company.id } },
    });
    assert.deepEqual(await device.heard(1), ['flow_run']);
    device.close();
    const path = `/api/person/flow-runs/${run.id}`;
    const asPerson = (method: string, to: string, body?: unknown) =>
      home().call(method, to, { token: person.token, ...(body === undefined ? {} : { body }) });
    const { runs } = (await asPerson('GET', '/api/person/flow-runs')).body;
    assert.deepEqual(
      runs.map(({ id, status }: { id: string; status: string }) => [id, status]),
      [[run.id, 'awaiting_client']],
    );
    assert.equal((await asPerson('GET', path)).body.definition.name, 'Ask and look');
    // Larger than a body that is no upload may be.
    const paper = 'p'.repeat(2 * 2 ** 20);
    const values = await Promise.all(
      [person.id, company.id].map(async (user) => {
        const body = { slug: 'paper', for_user_id: user, value: await sealed(paper) };
        const uploaded = await asPerson('POST', `${path}/answer-files`, body);
        assert.equal(uploaded.status, 201, uploaded.text);
        return { for_user_id: user, value: { _enc_file: uploaded.body.file } };
      }),
    );
    const submit = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    const answers = [...submit.answers, { slug: 'paper', values }];
    const answered = await asPerson('POST', `${path}/answers`, { ...submit, answers });
    assert.deepEqual([answered.status, answered.body.status], [200, 'awaiting_owner'], answered.text);
    const own = await asPerson('GET', `${path}/answer-files/${values[0]?.value._enc_file}`);
    assert.ok((await openSealed(own.body)) === paper, 'the file comes back through the home');
    const theirs = await companys().must('GET', `/api/company-data/flow-runs/${run.id}`, { token });
    assert.equal(await openSealed(theirs.answers[0].value), 'red');
    assert.equal((await asPerson('POST', `${path}/decline`)).body.status, 'cancelled');
  });

  test('a company as a customer takes part from its own region, and hears of it there', async () => {
    const { company, service, token, flowId } = await setUp();
    const customer = await createCustomer(home());
    await regions().settle();
    const { id, linkId } = await connectCompany(home(), customer, service);
    await regions().settle();
    await drainAll(home(), '/api/customer/changes', customer.token);
    const run = await companys().must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: {
        target: { connection_id: linkId },
        bindings: { client: customer.company.id, owner: company.id },
      },
    });
    await regions().settle();
    const told = await drainAll(home(), '/api/customer/changes', customer.token);
    assert.deepEqual(
      told.map(({ event, flow_run_id }) => [event, flow_run_id]),
      [['flow_run_turn', run.id]],
    );
    const path = `/api/company-connections/${id}/flow-runs`;
    const list = await home().call('GET', path, { token: customer.token });
    assert.deepEqual([list.status, list.body.runs?.length], [200, 1], list.text.slice(0, 300));
    const answered = await home().call('POST', `${path}/${run.id}/answers`, {
      token: customer.token,
      body: await submitOf(run, { colour: 'red' }, to('look', 'owner')),
    });
    assert.deepEqual([answered.status, answered.body.status], [200, 'awaiting_owner'], answered.text);
  });

  test('a run goes on after its company has moved, with its files', async () => {
    const { company, service, client, token, flowId } = await setUp();
    const person = await registerPerson(home());
    await regions().settle();
    const connection_id = await connect(home(), person, service);
    const run = await companys().must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: { target: { connection_id }, bindings: { client: person.id, owner: company.id } },
    });
    const path = `/api/person/flow-runs/${run.id}`;
    const values = await Promise.all(
      [person.id, company.id].map(async (user) => {
        const body = { slug: 'paper', for_user_id: user, value: await sealed('paper') };
        const { file } = await home().must('POST', `${path}/answer-files`, { token: person.token, body });
        return { for_user_id: user, value: { _enc_file: file } };
      }),
    );
    const submit = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
    const answers = [...submit.answers, { slug: 'paper', values }];
    await home().must('POST', `${path}/answers`, { token: person.token, body: { ...submit, answers } });
    await regions().settle();
    const move = await companys().must('POST', `/api/admin/companies/${company.id}/moves`, {
      token: OPERATOR,
      body: { region: 'eu' },
    });
    await companys().context.companyMoves.moveSource.run();
    const { state } = await companys().must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
    assert.equal(state, 'switched');
    const moved = await tokenFor(home(), client.clientId, client.clientSecret);
    const own = `/api/company-data/flow-runs/${run.id}`;
    const read = await home().must('GET', own, { token: moved });
    assert.deepEqual([read.status, read.answers.length], ['awaiting_owner', 2]);
    const file = await home().must('GET', `${own}/slots/paper/file`, { token: moved });
    assert.equal(await openSealed(file.value), 'paper');
    const done = await home().call('POST', `${own}/answers`, {
      token: moved,
      body: await submitOf(run, { verdict: 'good' }, leaf),
    });
    assert.deepEqual([done.status, done.body.status], [200, 'completed'], done.text);
    const { total } = await home().must('GET', '/api/company-data/flow-runs?status=completed', {
      token: moved,
    });
    assert.equal(total, 1);
  });
});
