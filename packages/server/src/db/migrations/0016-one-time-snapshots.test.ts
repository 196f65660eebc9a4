import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import type { Kysely } from 'kysely';
import { oneTimeSnapshots } from './0016-one-time-snapshots.ts';

onEachEngine('answers from before one-time rows made snapshots', (platform) => {
  test('become snapshots where their row asks for one, and stay live elsewhere', async () => {
    const { database } = platform().context;
    const service = await createService(platform(), await registerCompany(platform()), [
      { slug: 'once', label: 'Once', type: 'text' },
      { slug: 'live', label: 'Live', type: 'text' },
    ]);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, { type: 'text', slug: 'mine', value: 'x' });
    const answer = { field, value: 'x' };
    await connect(platform(), person, service, { once: answer, live: answer });
    await database.write(async (writer) => {
      await writer
        .updateTable('request_fields')
        .set({ one_time: 1 })
        .where('id', '=', service.rows.once ?? '')
        .execute();
      await oneTimeSnapshots().up(writer as unknown as Kysely<unknown>);
    });
    const slots = await database.reader
      .selectFrom('slot_values')
      .select(['request_field_id', 'live', 'field_version'])
      .execute();
    assert.deepEqual(
      Object.fromEntries(slots.map((slot) => [slot.request_field_id, [slot.live, slot.field_version]])),
      { [service.rows.once ?? '']: [0, null], [service.rows.live ?? '']: [1, 1] },
    );
  });
});
