/** A thread that carries the log of a SQLite database over into its file, each time it is asked to. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync((workerData as { path: string }).path, { timeout: 5000 });
// The log has to be on the disk before what it says is in the file, and the file before the log is used from its start again.
database.exec('pragma synchronous = full; pragma cache_size = -2048');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (message: 'checkpoint' | 'stop') => {
  if (message === 'stop') {
    database.close();
    parentPort?.close();
    return;
  }
  try {
    checkpoint.get();
  } catch {
    // Commits report a full or missing disk; the log stays, and the next checkpoint carries it over.
  }
  parentPort?.postMessage('done');
});
