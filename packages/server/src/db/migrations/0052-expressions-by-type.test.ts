import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { leaseContract } from '@symbolon/testkit/actors/flow-packages';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import type { Kysely } from 'kysely';
import { expressionsByType } from './0052-expressions-by-type.ts';

const FLOWS = 9;

onEachEngine('flows whose expressions are told apart by kind', (platform) => {
  test('are told apart by type afterwards, in drafts and in versions', async () => {
    const { database } = platform().context;
    const company = await registerCompany(platform());
    const { id } = await createService(platform(), company);
    const nodes = leaseContract.definition.nodes.map(({ outputs: _, ...node }) => node);
    const body = { definition: { ...leaseContract.definition, output_mode: 'data_only', nodes } };
    for (let count = 0; count < FLOWS; count++) {
      const path = `/api/services/${id}/flows`;
      const { body: flow } = await platform().call('POST', path, { token: company.token, body });
      await platform().must('POST', `${path}/${flow.id}/publish`, { token: company.token, body: {} });
    }
    const stored = async () => [
      ...(await database.reader.selectFrom('flows').select(['draft as text', 'revision']).execute()),
      ...(await database.reader
        .selectFrom('flow_versions')
        .select(['definition as text', 'version as revision'])
        .execute()),
    ];
    const before = await stored();
    assert.equal(before.length, 2 * FLOWS);
    await database.write(async (writer) => {
      for (const { company_id, service_id, id: flow_id, draft } of await writer
        .selectFrom('flows')
        .selectAll()
        .execute()) {
        const older = draft.replace('"type":"math"', '"kind":"math"').replace('"type":"ref"', '"kind":"ref"');
        assert.notEqual(older, draft);
        await writer
          .updateTable('flows')
          .set({ draft: older })
          .where('company_id', '=', company_id)
          .where('service_id', '=', service_id)
          .where('id', '=', flow_id)
          .execute();
        await writer
          .updateTable('flow_versions')
          .set({ definition: older })
          .where('company_id', '=', company_id)
          .where('flow_id', '=', flow_id)
          .execute();
      }
    });
    assert.notDeepEqual(await stored(), before);
    await database.write((writer) => expressionsByType().up(writer as unknown as Kysely<unknown>));
    assert.deepEqual(await stored(), before);
  });
});
