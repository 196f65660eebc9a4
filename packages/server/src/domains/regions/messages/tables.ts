import type { GeneratedAlways } from 'kysely';
import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    region_messages: RegionMessageTable;
    region_lanes: RegionLaneRow;
    region_marks: RegionMarkRow;
  }
}

/** A message that waits to be sent, or was not long ago; in the order of `seq` within a lane. */
export interface RegionMessageTable {
  seq: GeneratedAlways<number>;
  to_region: string;
  lane: number;
  kind: string;
  /** The id of the person or company it is about; messages of one subject keep their order. */
  subject: string;
  /** JSON. */
  body: string;
  at: number;
}

/** How far a lane to another region has come. */
export interface RegionLaneRow {
  to_region: string;
  lane: number;
  /** Through this one the other region has applied the messages. */
  arrived: number;
  /** Through this one they are no longer kept here. */
  deleted: number;
}

/** The last message of another region's lane that was applied here. */
export interface RegionMarkRow {
  from_region: string;
  lane: number;
  seq: number;
}

export const messageTables = defineTables({
  region_messages: {
    key: ['seq'],
  },
  region_lanes: {
    key: ['to_region', 'lane'],
  },
  region_marks: {
    key: ['from_region', 'lane'],
  },
});
