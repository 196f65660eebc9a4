import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import type { TestCompany, TestService } from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/** A customer tells of itself, and the company looks at it. */
function gathering(name = 'Gathering'): FlowDefinition {
  return {
    name,
    output_mode: 'data_only',
    entry: 'tell',
    parties: [
      { key: 'client', label: 'Client' },
      { key: 'company', label: 'Company', type: 'owner' },
    ],
    nodes: [
      {
        key: 'tell',
        party: 'client',
        title: 'Tell us',
        elements: [
          { kind: 'text', body: 'Dear {{ client.first_name }}, this is {{ company.company_name }}.' },
          { kind: 'field', slug: 'colour', field_type: 'text', label: 'Colour', required: true },
          { kind: 'field', slug: 'born', field_type: 'date', label: 'Born', required: false },
        ],
      },
      { key: 'look', party: 'company', title: 'Look', elements: [] },
    ],
    edges: [{ from: 'tell', to: 'look', condition: null }],
  };
}

onPlatform('flows', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  before(async () => {
    ({ company, service, token } = await openShop(platform(), [
      { slug: 'colour', label: 'Colour', type: 'email' },
    ]));
  });
  const call = (method: string, path: string, body?: unknown, as = company.token) =>
    platform().call(method, path, { token: as, ...(body === undefined ? {} : { body }) });
  const must = (method: string, path: string, body?: unknown, as = company.token) =>
    platform().must(method, path, { token: as, ...(body === undefined ? {} : { body }) });
  const pathOf = (of = service) => `/api/services/${of.id}/flows`;
  const refused = async (
    expected: readonly [number, string],
    method: string,
    path: string,
    body?: unknown,
    as?: string,
  ) => {
    const answer = await call(method, path, body, as);
    assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text);
    return answer.body;
  };

  test('a draft is created, read, saved and listed', async () => {
    const empty = (await call('POST', pathOf(), {})).body;
    assert.deepEqual(
      [empty.name, empty.definition.nodes, empty.version, empty.changed],
      ['New flow', [], null, true],
    );
    const created = (await call('POST', pathOf(), { definition: gathering() })).body;
    proves('route:POST /api/services/{id}/flows');
    assert.deepEqual(created.definition, gathering());
    const path = `${pathOf()}/${created.id}`;
    proves('route:GET /api/services/{id}/flows/{flowId}');
    assert.deepEqual((await call('GET', path)).body, created);
    const definition = { ...gathering('Other name'), nodes: [] };
    const saved = (await call('PUT', path, { revision: 1, definition })).body;
    proves('route:PUT /api/services/{id}/flows/{flowId}');
    assert.deepEqual([saved.revision, saved.name, saved.definition], [2, 'Other name', definition]);
    const stale = await refused([409, 'flows.draft_changed'], 'PUT', path, { revision: 1, definition });
    assert.equal(stale.revision, 2);
    proves('error:flows.draft_changed');
    const renamed = (await call('PUT', path, { revision: 2, name: 'Third name' })).body;
    assert.deepEqual(
      [renamed.name, renamed.definition.name, renamed.revision],
      ['Third name', 'Third name', 3],
    );
    const { flows } = (await call('GET', pathOf())).body;
    assert.deepEqual(
      flows.map((flow: { id: string; name: string }) => [flow.id, flow.name]),
      [
        [empty.id, 'New flow'],
        [created.id, 'Third name'],
      ],
    );
    assert.equal((await call('DELETE', path)).status, 204);
    await refused([404, 'flows.not_found'], 'GET', path);
    proves('error:flows.not_found');
  });

  test('publishing appends versions that never change', async () => {
    const { id } = await must('POST', pathOf(), { definition: gathering() });
    const path = `${pathOf()}/${id}`;
    const published = `/api/company-data/flows/${id}/published`;
    await refused([404, 'flows.not_published'], 'GET', published, undefined, token);
    proves('error:flows.not_published');
    assert.deepEqual((await call('POST', `${path}/publish`)).body, { version: 1 });
    assert.equal((await must('GET', path)).changed, false);
    const second = {
      ...gathering(),
      nodes: gathering().nodes.map((node) => ({ ...node, title: 'Changed' })),
    };
    const saved = await must('PUT', path, { revision: 1, definition: second });
    assert.equal(saved.changed, true);
    await refused([409, 'flows.draft_changed'], 'POST', `${path}/publish`, { revision: 1 });
    assert.deepEqual((await call('POST', `${path}/publish`, { revision: 2 })).body, { version: 2 });
    const { versions } = (await call('GET', `${path}/versions`)).body;
    proves('route:GET /api/services/{id}/flows/{flowId}/versions');
    assert.deepEqual(
      versions.map(({ version }: { version: number }) => version),
      [2, 1],
    );
    proves('route:GET /api/services/{id}/flows/{flowId}/versions/{version}');
    assert.deepEqual((await call('GET', `${path}/versions/1`)).body.definition, gathering());
    assert.deepEqual((await call('GET', `${path}/versions/2`)).body.definition, second);
    await refused([404, 'flows.version_not_found'], 'GET', `${path}/versions/3`);
    proves('error:flows.version_not_found');
    const answer = (await call('GET', published, undefined, token)).body;
    proves('route:GET /api/company-data/flows/{id}/published');
    assert.deepEqual(answer, {
      version: 2,
      definition: { ...second, constants: [] },
      request_field_types: { colour: 'email' },
    });
    const list = (await call('GET', '/api/company-data/flows', undefined, token)).body;
    assert.deepEqual(
      list.items.map((flow: { id: string; version: number }) => [flow.id, flow.version]),
      [[id, 2]],
    );
    await must('DELETE', path);
  });

  test('a draft with issues is saved, checked, and not published', async () => {
    const definition = { ...gathering(), edges: [{ from: 'tell', to: 'nowhere', condition: null }] };
    const { id } = await must('POST', pathOf(), { definition });
    const path = `${pathOf()}/${id}`;
    const { issues, warnings } = (await call('POST', `${path}/check`)).body;
    const codes = issues.map(({ code, path: at }: { code: string; path: string }) => [code, at]);
    assert.deepEqual(codes[0], ['reference_unknown', '/edges/0/to']);
    assert.deepEqual(warnings, []);
    const body = await refused([422, 'flows.definition_invalid'], 'POST', `${path}/publish`);
    assert.deepEqual(body.issues, issues);
    proves('error:flows.definition_invalid');
    const shapeless = await refused([422, 'flows.definition_invalid'], 'POST', pathOf(), {
      definition: { name: 'x' },
    });
    assert.ok(shapeless.issues.every(({ code }: { code: string }) => code === 'shape_invalid'));
    await must('DELETE', path);
  });

  test('fields of published flows stand before the rows that the service asks for', async () => {
    const { id } = await must('POST', pathOf(), { definition: gathering('Found by name') });
    await must('POST', `${pathOf()}/${id}/publish`);
    const { request_fields: rows } = await must('GET', '/api/company-data/request-fields', undefined, token);
    assert.deepEqual(
      rows.map((row: { slug: string; type: string; flow_name?: string; flow_version?: number }) => [
        row.slug,
        row.type,
        row.flow_name,
        row.flow_version,
      ]),
      [
        ['colour', 'text', 'Found by name', 1],
        ['born', 'date', 'Found by name', 1],
        // Clients keep the last type that they see for a slug.
        ['colour', 'email', undefined, undefined],
      ],
    );
    assert.equal(rows[0].flow_id, id);
    assert.equal(rows[0].mandatory_provide, false);
    await must('DELETE', `${pathOf()}/${id}`);
    const after = await must('GET', '/api/company-data/request-fields', undefined, token);
    assert.equal(after.request_fields.length, 1);
  });

  test('what was checked is what is published: a draft that changes meanwhile is not', async (t) => {
    const { id } = await must('POST', pathOf(), { definition: gathering() });
    const path = `${pathOf()}/${id}`;
    beforeNextWrite(t, platform(), () => must('PUT', path, { revision: 1, name: 'Meanwhile' }));
    const { revision } = await refused([409, 'flows.draft_changed'], 'POST', `${path}/publish`);
    assert.equal(revision, 2);
    assert.equal((await must('GET', `${path}/versions`)).versions.length, 0);
  });
});
