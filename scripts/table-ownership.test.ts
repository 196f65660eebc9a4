import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableUses, wrongUses } from './checks/table-ownership.ts';

const FILE = 'packages/server/src/domains/sharing/store.ts';
const NAMES = ['services', 'persons', 'companies', 'clients'];

const usesIn = (source: string) =>
  Object.fromEntries(tableUses(FILE, source, NAMES).map(({ table, writes }) => [table, writes]));

test('queries of the query builder are found, and whether they write', () => {
  const source = `
    reader.selectFrom('services').innerJoin('persons as p', 'p.id', 'services.id');
    writer.updateTable('companies').set({}); // .selectFrom('clients')
    other('clients');`;
  assert.deepEqual(usesIn(source), { services: false, persons: false, companies: true });
});

test('queries by key are found, and whether they write', () => {
  const source = `
    rowBy(reader, 'services', { id }, ['name']);
    for (const table of ['persons', 'companies'] as const) await deleteBy(writer, table, { id });
    updateBy(writer, 'clients', { id }, { name: 'persons' });`;
  assert.deepEqual(usesIn(source), { services: false, persons: true, companies: true, clients: true });
});

test('queries written as SQL are found', () => {
  const source =
    'sql`delete from services where id in (select id from persons join companies)`; "from clients"';
  assert.deepEqual(usesIn(source), { services: true, persons: false, companies: false, clients: false });
});

test('a table that a variable names is found by the type or the values of the variable', () => {
  const source = `
function queue(table: 'services' | 'persons') {
  return reader.selectFrom(table);
}
async function clear() {
  const tables = ['clients'] as const;
  for (const table of tables) await writer.deleteFrom(table);
}`;
  assert.deepEqual(usesIn(source), { services: false, persons: false, clients: true });
});

test('a query stands in the domain of the owner or in one that the owner names for it', () => {
  const table = { name: 'persons', readBy: ['sharing'] } as const;
  const read = { file: FILE, table: 'persons', writes: false };
  assert.deepEqual(wrongUses('identity', table, [read]), []);
  assert.deepEqual(wrongUses('sharing', { name: 'persons' }, [read]), []);
  assert.deepEqual(wrongUses('identity', table, [read, { ...read, writes: true }]), [
    `${FILE}: writes persons, which identity owns and does not share for that`,
  ]);
  assert.deepEqual(wrongUses('identity', { name: 'persons' }, [read]), [
    `${FILE}: reads persons, which identity owns and does not share for that`,
  ]);
});

test('a domain that is named and has no such query is an error', () => {
  const table = { name: 'persons', readBy: ['delivery'], writtenBy: ['sharing'] } as const;
  assert.deepEqual(wrongUses('identity', table, [{ file: FILE, table: 'persons', writes: false }]), [
    'persons: readBy names delivery, which has no query that reads it',
    'persons: writtenBy names sharing, which has no query that writes it',
  ]);
});
