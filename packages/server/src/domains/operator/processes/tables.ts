import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    processes: ProcessRow;
  }
}

/** A process that works on the database, as it last wrote of itself. */
export interface ProcessRow {
  /** Another one after each start. */
  id: string;
  instance: string;
  host: string;
  pid: number;
  /** Separated by commas. */
  roles: string;
  version: string;
  region: string;
  started_at: number;
  seen_at: number;
  /** JSON of `ProcessFigures`; another version may know fewer or more. */
  figures: string;
}

export const processTables = defineTables({ processes: { key: ['id'] } });
