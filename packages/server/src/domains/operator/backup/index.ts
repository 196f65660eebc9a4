export { BackupError, checkBackup, line, type Manifest } from './format.ts';
export { copyPostgres, copySqlite, measure } from './make.ts';
export { type FindProgram, findProgram } from './postgres-programs.ts';
export { type Restored, restoreInto } from './restore.ts';
