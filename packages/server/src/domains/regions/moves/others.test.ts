import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import type { Writer } from '../../../db/database.ts';
import { digestOfOthers } from './others.ts';

onEachEngine('the rows of others', (platform) => {
  test('are told apart by any change of one, and not by one of the company itself', async () => {
    const { database, tables } = platform().context;
    const [own, other] = [await registerCompany(platform()), await registerCompany(platform())];
    const service = await createService(platform(), other);
    const person = await registerPerson(platform());
    const [of, gone] = [
      { companyId: own.id, people: [] },
      { companyId: own.id, people: [person.id] },
    ];
    const digest = (but: typeof of | typeof gone) =>
      database.write((writer) => digestOfOthers(database.engine, writer, tables, but));
    const rename = async (table: 'companies' | 'services', id: string) =>
      database.write((writer: Writer) =>
        writer.updateTable(table).set({ name: 'Renamed' }).where('id', '=', id).execute(),
      );
    const first = await digest(of);
    await rename('companies', own.id);
    assert.deepEqual(await digest(of), first);
    await rename('services', service.id);
    const second = await digest(of);
    assert.notDeepEqual(second.get('services'), first.get('services'));
    assert.deepEqual(second.get('companies'), first.get('companies'));
    await rename('companies', other.id);
    assert.notDeepEqual((await digest(of)).get('companies'), first.get('companies'));
    const rows = (which: Awaited<ReturnType<typeof digest>>) => which.get('persons')?.rows ?? 0;
    assert.equal(rows(await digest(gone)), rows(second) - 1);
  });
});
