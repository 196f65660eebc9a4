/** A thread that carries the log of a SQLite database over into its file, each time it is asked to. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointTask } from './checkpoints.ts';

const database = new DatabaseSync((workerData as { path: string }).path, { timeout: 5000 });
// The log has to be on the disk before what it says is in the file, and the file before the log is used from its start again.
database.exec('pragma synchronous = full; pragma cache_size = -2048');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (task: CheckpointTask) => {
  if (task === 'stop') {
    database.close();
    parentPort?.close();
    return;
  }
  try {
    checkpoint.get();
    if (task === 'finish') beginAgain();
  } catch {
    // Commits report a full or missing disk; the log stays, and the next checkpoint carries it over.
  }
  parentPort?.postMessage(task);
});

/**
 * Writes the log's new head, which SQLite syncs at once: a commit on Node's thread would wait for the disk. What is written changes nothing.
 */
function beginAgain(): void {
  const { user_version: version } = database.prepare('pragma user_version').get() as { user_version: number };
  database.exec(`pragma user_version = ${version}`);
}
