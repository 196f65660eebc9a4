import type { Core, Domain } from '../../domain.ts';
import { Blobs } from './blobs.ts';
import { blobTables } from './tables.ts';

export type { Blobs } from './blobs.ts';

export function createBlobs(core: Core) {
  const blobs = new Blobs({ ...core, store: core.blobStore });
  const domain: Domain = {
    tables: blobTables,
    sweeps: [{ name: 'blobs', run: (stopping) => blobs.sweep(stopping) }],
  };
  return { blobs, domain };
}
