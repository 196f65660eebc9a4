export { BackupError, checkBackup, type Manifest } from './format.ts';
export { type Restored, restoreInto } from './restore.ts';
