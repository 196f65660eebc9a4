import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';
import { openEmpty } from '@symbolon/testkit/platform/places';
import type { Kysely } from 'kysely';
import { spine } from './0001-spine.ts';
import { accountClients } from './0003-account-clients.ts';

interface Copy {
  company_id: string;
  id: string;
  kind: string;
  service_id: string | null;
  client_id: string | null;
  sealed: string;
  created_at: number;
}

for (const engine of engines) {
  test(`recovery copies live through the change, and one may then belong to no service (${engine})`, async () => {
    await using empty = await openEmpty(engine);
    const { database } = empty;
    const copy = (id: string, service_id: string | null): Copy => ({
      company_id: 'company',
      id,
      kind: service_id === 'b' ? 'service_passphrase' : 'client_secret',
      service_id,
      client_id: service_id === 'b' ? null : `client ${id}`,
      sealed: `{"_enc":1,"k":"${id}"}`,
      created_at: 1_769_851_800_000,
    });
    const old = [copy('1', 'a'), copy('2', 'b'), copy('3', 'a')];
    const recent = copy('4', null);
    await database.write(async (writer) => {
      const db = writer as unknown as Kysely<{ recovery_copies: Copy }>;
      await spine(engine).up(db as unknown as Kysely<unknown>);
      await db.insertInto('recovery_copies').values(old).execute();
      await accountClients(engine).up(db as unknown as Kysely<unknown>);
      await db.insertInto('recovery_copies').values(recent).execute();
    });
    const rows = await database.reader.selectFrom('recovery_copies').selectAll().orderBy('id').execute();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [...old, recent].map((row) => ({ ...row })),
    );
    const again = (writer: unknown) =>
      (writer as Kysely<{ recovery_copies: Copy }>).insertInto('recovery_copies').values(recent).execute();
    await assert.rejects(database.write(again), /unique/i, 'the key of the table stands');
  });
}
