import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestPlatform } from './platform.ts';

/** The tables and blobs in which a text stands, as it is or as base64. */
export async function placesOf(platform: TestPlatform, text: string): Promise<string[]> {
  const found: string[] = [];
  const forms = [text, ...[0, 1, 2].map((before) => inBase64(text, before))];
  const stands = (content: string) => forms.some((form) => content.includes(form));
  for (const [table, rows] of await storedRows(platform)) if (stands(rows)) found.push(table);
  const folder = join(platform.dataDir, 'blobs');
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile() && stands((await readFile(join(file.parentPath, file.name))).toString('latin1')))
      found.push(file.name);
  return found;
}

/** Every row of each table that a domain declares, as JSON by the table's name. */
export async function storedRows({ context }: TestPlatform): Promise<Map<string, string>> {
  const { database, tables } = context;
  const found = new Map<string, string>();
  for (const { name, onlyOn } of tables) {
    if (onlyOn !== undefined && onlyOn !== database.engine) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database.schema);
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
    found.set(name, JSON.stringify(rows, plain));
  }
  return found;
}

/**
 * What stands in the base64 of anything that contains a text.
 * @param before how many bytes of the text's first group of three come before it
 */
function inBase64(text: string, before: number): string {
  return Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    .toString('base64')
    .slice(4, -4);
}
