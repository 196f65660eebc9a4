import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition, FlowRun } from '@symbolon/protocol';
import { createAccountClient, registerCompany } from '@symbolon/testkit/actors/actors';
import { askAndLook, leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

/** The customer is the party `company`: its turn is none of the company that owns the flow. */
const withOddKey = (): FlowDefinition =>
  JSON.parse(JSON.stringify(askAndLook()).replaceAll('"client"', '"company"'));

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';

onEachEngine('the board of runs', (platform) => {
  /** A flow, with runs that wait for a customer under two keys, for the company, and that have ended in both ways. */
  async function stand() {
    const { company, service, token } = await openShop(platform());
    const flowId = await publishFlow(platform(), service);
    const { person, connectionId: connection_id } = await connectedPerson(platform(), service);
    const start = (party = 'client'): Promise<FlowRun> =>
      platform().must('POST', `/api/company-data/flows/${flowId}/runs`, {
        token,
        body: { target: { connection_id }, bindings: { [party]: person.id, owner: company.id } },
      });
    const answered = async () => {
      const run = await start();
      const body = await submitOf(run, { colour: 'red' }, to('look', 'owner'));
      await platform().must('POST', `/api/person/flow-runs/${run.id}/answers`, { token: person.token, body });
      return run;
    };
    const customer = [await start(), await start()];
    const asked = [await answered(), await answered(), await answered()];
    const [done] = asked.splice(1, 1);
    const ofRun = `/api/company-data/flow-runs/${done?.id}`;
    await platform().must('POST', `${ofRun}/answers`, {
      token,
      body: await submitOf(done as FlowRun, {}, leaf),
    });
    const ended = await start();
    await platform().must('POST', `/api/company-data/flow-runs/${ended.id}/cancel`, { token });
    const path = `/api/services/${service.id}/flows/${flowId}`;
    const { revision } = await platform().must('GET', path, { token: company.token });
    const draft = { revision, definition: withOddKey() };
    await platform().must('PUT', path, { token: company.token, body: draft });
    await platform().must('POST', `${path}/publish`, { token: company.token });
    customer.push(await start('company'), await start('company'));
    const ids = (runs: readonly (FlowRun | undefined)[]) => runs.map((run) => run?.id ?? '').reverse();
    return {
      company,
      board: `${path}/run-board`,
      columns: { customer: ids(customer), company: ids(asked), done: ids([done]), ended: ids([ended]) },
    };
  }

  test('one call has the newest runs of each column, and how many there are; another one those that follow in one', async () => {
    const { company, board, columns } = await stand();
    const read = (query: string) => platform().must('GET', `${board}${query}`, { token: company.token });
    const totals = { customer: 4, company: 2, generating: 0, signature: 0, done: 1, ended: 1 };
    const idsOf = ({ items }: { items: FlowRun[] }) => items.map(({ id }) => id).sort();
    const { items: all, ...counted } = await read('');
    assert.deepEqual(counted, totals);
    assert.deepEqual(idsOf({ items: all }), Object.values(columns).flat().sort());
    proves('route:GET /api/services/{id}/flows/{flowId}/run-board');

    const { items: first, ...counts } = await read('?limit=1');
    assert.deepEqual(counts, totals);
    assert.deepEqual(
      idsOf({ items: first }),
      Object.values(columns)
        .map(([newest]) => newest)
        .sort(),
    );
    for (const [column, ids] of Object.entries(columns)) {
      const seen: string[] = [];
      for (let page: string[] | undefined; page === undefined || page.length > 0; ) {
        const { items, ...again } = await read(`?limit=1&column=${column}&before=${seen.at(-1) ?? ''}`);
        assert.deepEqual(again, totals);
        page = idsOf({ items });
        seen.push(...page);
      }
      assert.deepEqual(seen, ids, column);
    }
    assert.deepEqual((await read('?column=generating')).items, []);
  });

  test('the runs of one customer are read newest first, and page by page', async () => {
    const { service, token, company } = await openShop(platform());
    const flowId = await publishFlow(platform(), service);
    const start = async ({
      person,
      connectionId: connection_id,
    }: Awaited<ReturnType<typeof connectedPerson>>) => {
      const { id } = await platform().must('POST', `/api/company-data/flows/${flowId}/runs`, {
        token,
        body: { target: { connection_id }, bindings: { client: person.id, owner: company.id } },
      });
      return id as string;
    };
    const [ada, ben, zoe] = [
      await connectedPerson(platform(), service),
      await connectedPerson(platform(), service),
      await connectedPerson(platform(), service),
    ];
    const ids = [await start(ada), await start(ada)];
    await start(ben);
    ids.push(await start(ada));
    ids.reverse();
    const path = (connectionId: string) => `/api/services/${service.id}/customers/${connectionId}/flow-runs`;
    const read = async (connectionId: string, query = '') => {
      const { runs } = await platform().must('GET', `${path(connectionId)}${query}`, {
        token: company.token,
      });
      return runs.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await read(ada.connectionId), ids);
    assert.deepEqual(await read(ada.connectionId, '?limit=2'), ids.slice(0, 2));
    assert.deepEqual(await read(ada.connectionId, `?before=${ids[1]}`), ids.slice(2));
    assert.deepEqual(await read(zoe.connectionId), []);
    proves('route:GET /api/services/{id}/customers/{connectionId}/flow-runs');
    const stranger = await registerCompany(platform());
    for (const [id, by] of [
      [NOBODY, company.token],
      [ada.connectionId, stranger.token],
    ] as const)
      assert.deepEqual(await refusalOf(platform().call('GET', path(id), { token: by })), [
        404,
        'company_data.connection_not_found',
      ]);
  });

  test('is for the portal of the company, and refuses what is no column, no place and no flow', async () => {
    const { company, board } = await stand();
    const refusal = (path: string, token: string) => refusalOf(platform().call('GET', path, { token }));
    for (const query of ['?column=nothing', '?before=nothing', '?limit=0', '?limit=101'])
      assert.deepEqual(await refusal(`${board}${query}`, company.token), [400, 'request.invalid'], query);
    const stranger = await registerCompany(platform());
    assert.deepEqual(await refusal(board, stranger.token), [404, 'flows.not_found']);
    const unknown = board.replace(/flows\/[^/]+/, `flows/${NOBODY}`);
    assert.deepEqual(await refusal(unknown, company.token), [404, 'flows.not_found']);
    const client = await createAccountClient(platform(), company, ['service_management']);
    assert.equal((await refusal(board, client.token))[0], 403);
  });
});
