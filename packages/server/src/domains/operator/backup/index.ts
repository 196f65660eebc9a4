export { BackupError, checkBackup, line, type Manifest } from './format.ts';
export { copyPostgres, copySqlite, measure } from './make.ts';
export { type FindProgram, findProgram } from './postgres-programs.ts';

/** Loads what restores, and the driver of PostgreSQL with it, only when it is called: a server starts sooner without. */
export async function restoreInto(...args: Parameters<typeof import('./restore.ts').restoreInto>) {
  return (await import('./restore.ts')).restoreInto(...args);
}
