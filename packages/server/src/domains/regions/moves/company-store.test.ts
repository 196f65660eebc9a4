import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { sql } from 'kysely';
import { fileText } from '../../../core/stored-file.ts';
import { namesBlob } from './company-store.ts';
import { copyRows } from './copy.ts';
import { shapesOf } from './table-store.ts';

/** A value of a company, which no other row refers to. */
const row = (value: string, companyId: string) => ({
  company_id: companyId,
  connection_id: randomUUID(),
  request_field_id: randomUUID(),
  field_id: null,
  live: 0 as const,
  value,
  private: 0 as const,
  verification: null,
  updated_at: 1,
  field_version: null,
  registration: null,
});
const file = (hash: string) => fileText({ id: randomUUID(), hash, bytes: 1, form: 'raw', type: 'image/png' });

onEachEngine('the blobs of a company', (platform) => {
  test('are found by their hash, by an index, and only those of the company', async () => {
    const { database } = platform().context;
    const hashes = Array.from({ length: 50 }, () => randomBytes(32).toString('hex'));
    await database.write(async (writer) => {
      for (const hash of hashes)
        await writer
          .insertInto('slot_values')
          .values(row(file(hash), 'one'))
          .execute();
    });
    for (const hash of hashes.slice(0, 3)) {
      assert.equal(await namesBlob(database.reader, 'one', hash), true);
      assert.equal(await namesBlob(database.reader, 'two', hash), false);
    }
    assert.equal(await namesBlob(database.reader, 'one', randomBytes(32).toString('hex')), false);
    if (platform().engine !== 'sqlite') return;
    const plan = await sql<{ detail: string }>`explain query plan select company_id from slot_values
      where company_id = 'one' and substr(value, 1, 9) = '{"file":{' and substr(value, 62, 64) = ${hashes[0]}`.execute(
      database.schema,
    );
    assert.match(plan.rows[0]?.detail ?? '', /slot_values_blobs \(company_id=\? AND <expr>=\?\)/);
  });
});

onEachEngine('the rows of a company', (platform) => {
  test('are copied no further once the copying must end', async () => {
    const { database, tables } = platform().context;
    const { id: companyId } = await registerCompany(platform());
    const sent: string[] = [];
    const copying = copyRows(await shapesOf(database, tables), {
      reader: database.reader,
      companyId,
      send: async (chunks) => void sent.push(...chunks.map(({ table }) => table)),
      check: async () => Promise.reject(new Error('another process goes on with it')),
    });
    await assert.rejects(copying, /another process goes on/);
    assert.deepEqual(sent, []);
  });

  test('are copied one chunk after the other, in the order of the rows', async () => {
    const { database, tables } = platform().context;
    const { id: companyId } = await registerCompany(platform());
    await database.write(async (writer) => {
      for (let n = 0; n < 4; n++)
        await writer
          .insertInto('slot_values')
          .values(row('x'.repeat(700_000), companyId))
          .execute();
    });
    let underway = 0;
    const most: number[] = [];
    const { rows } = await copyRows(await shapesOf(database, tables), {
      reader: database.reader,
      companyId,
      send: async () => {
        most.push(++underway);
        await new Promise(setImmediate);
        underway--;
      },
      check: async () => {},
    });
    assert.ok(rows > 1 && most.length > 1);
    assert.deepEqual(new Set(most), new Set([1]));
    assert.equal(underway, 0, 'all of it has arrived');
  });
});
