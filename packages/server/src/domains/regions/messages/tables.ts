import type { GeneratedAlways } from 'kysely';
import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    region_messages: RegionMessageTable;
    region_marks: RegionMarkRow;
  }
}

/** What another region is to be told; in the order of `seq` within a lane. */
export interface RegionMessageTable {
  seq: GeneratedAlways<number>;
  to_region: string;
  lane: number;
  kind: string;
  /** Whom it is about; of one subject nothing overtakes. */
  subject: string;
  /** JSON. */
  body: string;
  at: number;
}

/** How far the messages of another region have been taken in. */
export interface RegionMarkRow {
  from_region: string;
  lane: number;
  seq: number;
}

export const messageTables = defineTables({
  region_messages: {
    key: ['seq'],
  },
  region_marks: {
    key: ['from_region', 'lane'],
  },
});
