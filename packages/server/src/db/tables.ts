import { defineTables } from './table-registry.ts';

/** Stored booleans: both engines keep them as small integers. */
export type Flag = 0 | 1;
export const flag = (value: boolean): Flag => (value ? 1 : 0);

/**
 * The rows of every table; times are integer milliseconds, JSON is text. The feature that owns a table adds it here from its
 * own `tables.ts`.
 */
export interface Tables {
  region_settings: RegionSettingRow;
}

/** What holds for a whole region, whichever process serves it. */
interface RegionSettingRow {
  name: string;
  /** JSON. */
  value: string;
  updated_at: number;
}

export const dbTables = defineTables({
  region_settings: {
    key: ['name'],
    readBy: ['registry'],
  },
});
