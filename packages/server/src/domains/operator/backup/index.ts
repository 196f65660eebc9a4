import type { ProofOptions, RestoredBeside } from './prove.ts';

export {
  checkRecipients,
  createKeyPair,
  decrypted,
  decryptFile,
  encrypted,
  identitiesIn,
  isEncrypted,
  type KeyPair,
} from './age.ts';
export { besideOf, regionOf } from './fits.ts';
export { BackupError, checkBackup, line, type Manifest, takeBlobs } from './format.ts';
export { lastBackups, MADE, PROVED } from './last.ts';
export { copyPostgres, copySqlite, measure } from './make.ts';
export { type BackupPlace, isBackup, openPlace, PROOF } from './places.ts';
export { type FindProgram, findProgram, lackOfPrograms } from './postgres-programs.ts';
export type { Proof, ProofOptions } from './prove.ts';

/** Loads what restores, and the driver of PostgreSQL with it, only when it is called: a server starts sooner without. */
export async function restoreInto(...args: Parameters<typeof import('./restore.ts').restoreInto>) {
  return (await import('./restore.ts')).restoreInto(...args);
}

/** Restores a backup on trial, in this thread. */
export async function proveBackup(...args: Parameters<typeof import('./prove.ts').proveBackup>) {
  return (await import('./prove.ts')).proveBackup(...args);
}

/** Restores a backup beside an installation, for some work. */
export async function restoreBeside<T>(
  options: ProofOptions,
  work: (restored: RestoredBeside) => Promise<T>,
): Promise<T> {
  return (await import('./prove.ts')).restoreBeside(options, work);
}

/** Refuses a PostgreSQL database that anybody is connected to. @throws {BackupError} */
export async function refuseUsed(databaseUrl: string): Promise<void> {
  return (await import('./restore.ts')).refuseUsed(databaseUrl);
}
