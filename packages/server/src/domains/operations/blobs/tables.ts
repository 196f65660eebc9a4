import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    blobs: BlobRow;
    doomed_blobs: DoomedBlobRow;
    blob_ref_changes: BlobRefChangeRow;
  }
}

/** A blob that is kept. */
export interface BlobRow {
  /** SHA-256 of its bytes, lower-case hex. */
  hash: string;
  /** Where the store has it; never used twice. */
  key: string;
  size: number;
  /** How many rows name it. */
  refs: number;
  /** Until then it is kept although no row may name it yet. */
  held_until: number;
}

/** What the store still has of a blob that is no longer kept. */
interface DoomedBlobRow {
  key: string;
}

/** Rows that name a blob have come or gone, and the blob does not know yet; triggers write it. */
interface BlobRefChangeRow {
  hash: string;
  n: number;
}

export const blobTables = defineTables({
  blobs: {
    key: ['hash'],
    readBy: ['operator'],
  },
  doomed_blobs: {
    key: ['key'],
  },
  blob_ref_changes: {
    key: [],
  },
});
