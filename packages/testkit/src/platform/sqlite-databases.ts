import { copyFile, rename, rm } from 'node:fs/promises';
import { databasePath } from '../../../server/src/db/database-path.ts';
import { openDatabase } from '../../../server/src/db/open.ts';
import { madeOnce } from './made-once.ts';

/** Puts an embedded database with the schema of today into an empty data folder: copying one is faster than migrating one. */
export async function placeMigratedDatabase(dataDir: string): Promise<void> {
  const template = await madeOnce('migrated.db', migrate);
  if (template !== undefined) await copyFile(template, databasePath(dataDir));
}

async function migrate(path: string): Promise<void> {
  const dataDir = `${path}.data`;
  const database = await openDatabase({ databaseUrl: undefined, dataDir });
  await database.stop();
  await rename(databasePath(dataDir), path);
  await rm(dataDir, { recursive: true });
}
