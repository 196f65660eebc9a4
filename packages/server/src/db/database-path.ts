import { join } from 'node:path';

export const DATABASE_FILE = 'symbolon.db';

/** The embedded database's file. */
export const databasePath = (dataDir: string): string => join(dataDir, DATABASE_FILE);
