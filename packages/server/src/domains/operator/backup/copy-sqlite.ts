/**
 * A thread that checks a SQLite database and copies it while it is in use: what one snapshot of it holds, without the space it wastes. The
 * check is of the database itself: a copy is made of what can be read, and is sound where that is not all.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { countTables, damageOf } from './sqlite-tables.ts';

const { source, target } = workerData as { source: string; target: string };
const from = new DatabaseSync(source, { timeout: 10_000 });
const damage = damageOf(from);
if (damage === undefined) from.prepare('vacuum into ?').run(target);
from.close();
parentPort?.postMessage(damage === undefined ? contentOf(target) : { damage });

function contentOf(path: string) {
  const copy = new DatabaseSync(path, { readOnly: true });
  const blobs = copy.prepare('select key, hash, size from blobs where refs > 0 order by key').all();
  const content = { tables: countTables(copy), blobs };
  copy.close();
  return content;
}
