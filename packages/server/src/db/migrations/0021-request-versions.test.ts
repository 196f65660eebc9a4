import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';
import { openBefore } from '@symbolon/testkit/platform/places';
import { type Kysely, sql } from 'kysely';
import { openConsents } from '../../domains/sharing/connections/customer-links.ts';
import { openDatabase } from '../open.ts';

/* Consents from before they followed from versions: what was pending stays pending, what was decided stays decided. */

interface Customer {
  readonly id: string;
  readonly type: 'person' | 'company';
}

/** Customers and publishes in the order in which they came; the clock of the publishes jumps back between them. */
const HISTORY: readonly (Customer | { publish: Record<string, string>; at: number })[] = [
  { id: 'early', type: 'person' },
  { id: 'firm', type: 'company' },
  { publish: { first: 'both', second: 'person' }, at: 100 },
  { id: 'middle', type: 'person' },
  { publish: { third: 'both' }, at: 50 },
  { publish: { fourth: 'company' }, at: 200 },
  { id: 'late', type: 'person' },
  { id: 'last', type: 'company' },
];
/** What was decided before the upgrade. */
const DECIDED: Readonly<Record<string, readonly string[]>> = {
  early: ['second'],
  middle: ['third'],
  firm: ['fourth', 'first'],
};

async function fill(db: Kysely<unknown>) {
  await sql`
    insert into companies (id, name, email, code, account_public_key, account_public_key_sha256, account_private_key,
      recovery_public_key, recovery_private_key, level, created_at, card_version)
    values ('company', 'Acme', 'a@acme.example', 'ACME22', '', '', '', '', '', 'free', 1, 1)
  `.execute(db);
  await sql`
    insert into services (company_id, id, name, share_code, admin_email, audience, require_2fa, number_matching, public_key,
      public_key_sha256, encrypted_private_key, request_version, share_version, connection_count, connections_ended,
      created_at, updated_at)
    values ('company', 'service', 'Shop', 'SHOP', 'a@acme.example', 'both', 0, 0, '', '', '', 9, 1, 5, 0, 1, 1)
  `.execute(db);
  const customers: Customer[] = [];
  let position = 0;
  for (const event of HISTORY) {
    if ('id' in event) {
      await sql`
        insert into connections (company_id, service_id, id, customer_id, customer_type, connected_at)
        values ('company', 'service', ${event.id}, ${`customer ${event.id}`}, ${event.type}, 1)
      `.execute(db);
      customers.push(event);
      continue;
    }
    for (const [slug, audience] of Object.entries(event.publish)) {
      await sql`
        insert into request_fields (company_id, service_id, id, slug, label, type, one_time, mandatory_provide,
          mandatory_connected, verified, audience, position)
        values ('company', 'service', ${slug}, ${slug}, ${slug}, 'text', 0, 0, 0, 0, ${audience}, ${position++})
      `.execute(db);
      for (const { id, type } of customers) {
        if (audience !== 'both' && audience !== type) continue;
        const state = DECIDED[id]?.includes(slug) === true ? 'declined' : 'pending';
        await sql`
          insert into consent_rows (company_id, connection_id, request_field_id, consent_id, state, created_at, decided_at)
          values ('company', ${id}, ${slug}, 'the open consent', ${state}, ${event.at},
            ${sql.lit(state === 'pending' ? null : 1)})
        `.execute(db);
      }
    }
  }
}

for (const engine of engines) {
  test(`rows from before the upgrade stay pending or decided (${engine})`, async () => {
    await using place = await openBefore(engine, '0021', fill);
    const database = await openDatabase(place);
    await using _open = { [Symbol.asyncDispose]: () => database.stop() };
    const open = async (id: string) =>
      (await openConsents(database.reader, `customer ${id}`)).map(({ consent }) => [
        consent.id,
        consent.createdAt,
        consent.rows.map((row) => row.slug),
      ]);
    assert.deepEqual(await open('early'), [['the open consent', 100, ['first', 'third']]]);
    assert.deepEqual(await open('middle'), []);
    assert.deepEqual(await open('firm'), [['the open consent', 50, ['third']]]);
    assert.deepEqual(await open('late'), []);
    assert.deepEqual(await open('last'), []);
    const decisions = await database.reader.selectFrom('consent_rows').selectAll().execute();
    assert.deepEqual(
      decisions.map((row) => `${row.connection_id} ${row.request_field_id} ${row.state}`).sort(),
      Object.entries(DECIDED)
        .flatMap(([id, slugs]) => slugs.map((slug) => `${id} ${slug} declined`))
        .sort(),
    );
    // A publish after the upgrade asks all who are connected.
    await database.write(async (writer) => {
      await writer
        .updateTable('services')
        .set({ request_version: 10, asked_version: 10, consent_id: 'the next consent' })
        .execute();
      await writer
        .updateTable('request_fields')
        .set({ people_since: 10, companies_since: 10, asked_at: 300 })
        .where('id', '=', 'third')
        .execute();
    });
    assert.deepEqual(await open('late'), [['the next consent', 300, ['third']]]);
    assert.deepEqual(await open('last'), [['the next consent', 300, ['third']]]);
  });
}
