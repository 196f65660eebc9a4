import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { type FlowCondition, type FlowDefinition, flowLimits, limits } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  registerCompany,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { damageReport, textPdf } from '@symbolon/testkit/actors/flow-packages';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/** One step, and as many more as asked; each has a field. */
function longFlow(nodes: number): FlowDefinition {
  const key = (index: number) => `n${index}`;
  return {
    name: 'Long',
    output_mode: 'data_only',
    entry: key(0),
    parties: [{ key: 'client', label: 'Client' }],
    nodes: Array.from({ length: nodes }, (_, index) => ({
      key: key(index),
      party: 'client',
      title: key(index),
      elements: [{ kind: 'field', slug: `f${index}`, field_type: 'text', label: 'F', required: false }],
    })),
    edges: Array.from({ length: nodes - 1 }, (_, index) => ({ from: key(index), to: key(index + 1) })),
  };
}

function deep(levels: number): FlowCondition {
  let condition: FlowCondition = { op: 'answered', field: 'f0' };
  for (let level = 1; level < levels; level++) condition = { op: 'and', children: [condition] };
  return condition;
}

onPlatform('bounds of flows', (platform) => {
  let company: TestCompany;
  let service: TestService;
  before(async () => {
    company = await registerCompany(platform());
  });
  beforeEach(async () => {
    service = await createService(platform(), company);
  });
  const path = () => `/api/services/${service.id}/flows`;
  const call = (method: string, at: string, body?: unknown, token = company.token) =>
    platform().call(method, at, { token, ...(body === undefined ? {} : { body }) });
  const refused = async (expected: readonly [number, string], method: string, at: string, body?: unknown) => {
    const answer = await call(method, at, body);
    assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text.slice(0, 300));
  };
  const full = [409, 'flows.limit_reached'] as const;
  const write = (
    change: (writer: Parameters<Parameters<typeof database.write>[0]>[0]) => Promise<unknown>,
  ) => {
    return database.write(async (writer) => void (await change(writer)));
  };
  let database: ReturnType<typeof platform>['context']['database'];
  before(() => {
    database = platform().context.database;
  });

  test('a definition as large and as deep as it may be goes in, is published, and comes out', async () => {
    const definition = longFlow(limits.flowElementsOfServiceMost);
    definition.edges[0] = { from: 'n0', to: 'n1', condition: deep(flowLimits.depthMost) };
    const created = await call('POST', path(), { definition });
    assert.equal(created.status, 201, created.text.slice(0, 300));
    assert.deepEqual((await call('POST', `${path()}/${created.body.id}/publish`)).body, { version: 1 });
    const { definition: read } = (await call('GET', `${path()}/${created.body.id}/versions/1`)).body;
    assert.ok(JSON.stringify(read) === JSON.stringify(definition));
    const deeper = {
      ...longFlow(2),
      edges: [{ from: 'n0', to: 'n1', condition: deep(1.5 * flowLimits.depthMost) }],
    };
    const tooDeep = (await call('POST', path(), { definition: deeper })).body;
    const { issues } = (await call('POST', `${path()}/${tooDeep.id}/publish`)).body;
    assert.deepEqual(
      issues.map(({ code }: { code: string }) => code),
      ['too_deep'],
    );
    const deepest = {
      ...longFlow(2),
      edges: [{ from: 'n0', to: 'n1', condition: deep(1.6 * flowLimits.depthMost) }],
    };
    await refused([400, 'request.malformed'], 'POST', path(), { definition: deepest });
    const second = (await call('POST', path(), { definition: longFlow(1) })).body;
    await refused(full, 'POST', `${path()}/${second.id}/publish`);
    proves('limit:flowElementsOfServiceMost', 'error:flows.limit_reached');
    const text = 'x'.repeat(limits.flowDefinitionBytes);
    await refused([413, 'request.too_large'], 'POST', path(), { definition: { ...longFlow(1), more: text } });
    proves('limit:flowDefinitionBytes');
  });

  test('a service has a bounded number of flows, versions and bytes of them', async () => {
    const { id } = (await call('POST', path(), { definition: damageReport.definition })).body;
    const flow = `${path()}/${id}`;
    await call('POST', `${flow}/publish`);
    const [row] = await database.reader.selectFrom('flows').selectAll().where('id', '=', id).execute();
    const [version] = await database.reader
      .selectFrom('flow_versions')
      .selectAll()
      .where('flow_id', '=', id)
      .execute();
    assert.ok(row && version);
    await write(async (writer) => {
      for (let more = 2; more <= limits.flowVersionsMost; more++)
        await writer
          .insertInto('flow_versions')
          .values({ ...version, version: more })
          .execute();
    });
    await refused(full, 'POST', `${flow}/publish`);
    proves('limit:flowVersionsMost');
    await write((writer) =>
      writer.deleteFrom('flow_versions').where('version', '>', 1).where('flow_id', '=', id).execute(),
    );
    await write(async (writer) => {
      for (let more = 1; more < limits.flowsMost; more++)
        await writer
          .insertInto('flows')
          .values({ ...row, id: platform().context.ids.uuid() })
          .execute();
    });
    await refused(full, 'POST', path(), {});
    proves('limit:flowsMost');
    await write((writer) =>
      writer.deleteFrom('flows').where('service_id', '=', service.id).where('id', '!=', id).execute(),
    );
    // Text of a few megabytes for each of many versions.
    const definition = `"${'x'.repeat(2 ** 22)}"`;
    await write(async (writer) => {
      for (let more = 2; more <= limits.flowTextBytesMost / 2 ** 22 + 1; more++)
        await writer
          .insertInto('flow_versions')
          .values({ ...version, definition, version: more })
          .execute();
    });
    await refused(full, 'PUT', flow, { revision: 1, name: 'Other' });
    proves('limit:flowTextBytesMost');
  });

  test('a draft has a bounded number of files, and a service of their bytes', async () => {
    const { id } = (await call('POST', path(), {})).body;
    const flow = `${path()}/${id}`;
    const put = (key: string) =>
      platform().call('PUT', `${flow}/assets/${key}`, {
        token: company.token,
        headers: { 'content-type': 'application/pdf' },
        body: textPdf(['Text']),
      });
    assert.equal((await put('first')).status, 200);
    const [row] = await database.reader
      .selectFrom('flow_assets')
      .selectAll()
      .where('flow_id', '=', id)
      .execute();
    assert.ok(row);
    await write((writer) =>
      writer
        .insertInto('flow_assets')
        .values({ ...row, asset_key: 'large', hash: 'other', bytes: limits.flowAssetBytesMost, value: '' })
        .execute(),
    );
    assert.equal((await put('second')).body.error_key, 'flows.limit_reached');
    proves('limit:flowAssetBytesMost');
    await write(async (writer) => {
      await writer.deleteFrom('flow_assets').where('asset_key', '=', 'large').execute();
      for (let more = 1; more < limits.flowAssetsMost; more++)
        await writer
          .insertInto('flow_assets')
          .values({ ...row, asset_key: `more ${more}`, value: '' })
          .execute();
    });
    assert.equal((await put('second')).body.error_key, 'flows.limit_reached');
    proves('limit:flowAssetsMost');
    assert.equal((await put('first')).status, 200);
  });

  test('developers and clients that manage services change flows, viewers read them; each act is on record', async () => {
    const viewer = await addDelegate(platform(), company, 'viewer');
    const client = await createAccountClient(platform(), company, ['service_management']);
    const created = await call('POST', path(), { definition: damageReport.definition }, client.token);
    const flow = `${path()}/${created.body.id}`;
    const refusedAs = async (token: string, method: string, at: string, body: unknown, key: string) =>
      assert.equal((await call(method, at, body, token)).body.error_key, key);
    await refusedAs(viewer.token, 'POST', path(), {}, 'auth.role_forbidden');
    await refusedAs(viewer.token, 'PUT', flow, { revision: 1, name: 'x' }, 'auth.role_forbidden');
    assert.equal((await call('GET', flow, undefined, viewer.token)).status, 200);
    await refusedAs(viewer.token, 'POST', `${flow}/check`, undefined, 'auth.role_forbidden');
    const other = await createAccountClient(platform(), company, ['company_profile_fields']);
    await refusedAs(other.token, 'GET', flow, undefined, 'auth.client_endpoint_forbidden');
    const stranger = await registerCompany(platform());
    await refusedAs(stranger.token, 'GET', flow, undefined, 'flows.not_found');
    await refusedAs(stranger.token, 'GET', path(), undefined, 'services.not_found');
    await refusedAs(stranger.token, 'POST', `${flow}/publish`, {}, 'flows.not_found');
    await call('PUT', flow, { revision: 1, name: 'Renamed' }, client.token);
    await call('POST', `${flow}/publish`, undefined, client.token);
    await call('DELETE', flow, undefined, client.token);
    const audit = await database.reader
      .selectFrom('audit_log')
      .select(['details', 'actor_kind'])
      .where('target', '=', service.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      audit.map(({ details, actor_kind }) => [JSON.parse(details).act, actor_kind]).slice(-4),
      ['Flow created', 'Flow renamed', 'Flow published', 'Flow deleted'].map((act) => [
        act,
        'account_client',
      ]),
    );
  });

  test('a service takes its flows with it', async () => {
    const { id } = (await call('POST', path(), { definition: damageReport.definition })).body;
    await call('POST', `${path()}/${id}/publish`);
    await platform().must('PUT', `${path()}/${id}/assets/x`, {
      token: company.token,
      headers: { 'content-type': 'application/pdf' },
      body: textPdf(['Text']),
    });
    await platform().must('DELETE', `/api/services/${service.id}`, { token: company.token });
    await platform().context.jobWorker.run();
    for (const table of ['flows', 'flow_versions', 'flow_assets'] as const) {
      const rows = database.reader
        .selectFrom(table)
        .select('company_id')
        .where('service_id', '=', service.id);
      assert.deepEqual(await rows.execute(), [], table);
    }
  });
});
