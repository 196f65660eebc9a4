/** A thread that copies a SQLite database while it is in use: what one snapshot of it holds, without the space it wastes. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { countTables } from './sqlite-tables.ts';

const { source, target } = workerData as { source: string; target: string };
const from = new DatabaseSync(source, { timeout: 10_000 });
from.prepare('vacuum into ?').run(target);
from.close();

const copy = new DatabaseSync(target, { readOnly: true });
const blobs = copy.prepare('select key, hash, size from blobs where refs > 0 order by key').all();
parentPort?.postMessage({ tables: countTables(copy), blobs });
copy.close();
