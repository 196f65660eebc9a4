import { DatabaseSync } from 'node:sqlite';
import type { Context } from '../../../packages/server/src/context.ts';
import type { Adversary } from './adversary.ts';

type Core = Context['core'];

/** Adds every key that the server derives from its secret. */
export function holdKeys(holder: Adversary, { secrets: { keys } }: Core): void {
  for (const version of keys.versions)
    for (const purpose of ['key encryption', 'access token', 'pepper', 'peer', 'check'] as const)
      holder.add(keys.key(purpose, version).export());
}

/** Adds every row of every table, with what the server can decrypt decrypted. */
export function holdDatabase(holder: Adversary, path: string, { tables, secrets }: Core): void {
  using database = new DatabaseSync(path, { readOnly: true });
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
  for (const { name } of names) {
    const rows = database.prepare(`select * from "${name}"`).all();
    holder.add(rows);
    const table = tables.find((declared) => declared.name === name);
    for (const column of table?.encrypted ?? []) {
      for (const row of rows) {
        const stored = row[column];
        if (typeof stored !== 'string' || table === undefined) continue;
        const id = table.key.map((key) => String(row[key]));
        holder.add(secrets.decrypt(stored, { table: table.name, column, id }));
      }
    }
  }
}
