import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';

/** Ends one of them, with what the disk says. */
export type Synced = (error: Error | null) => void;

/** Until `letSyncsGo`, syncs of files in this process wait until they are told to end: a disk as slow as the test wants it. */
export function holdSyncs(): Synced[] {
  const waiting: Synced[] = [];
  mock.method(fs, 'fdatasync', (_file: number, synced: Synced) => void waiting.push(synced));
  syncBuiltinESMExports();
  return waiting;
}

export function letSyncsGo(): void {
  mock.restoreAll();
  syncBuiltinESMExports();
}
