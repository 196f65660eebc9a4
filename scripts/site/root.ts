import { join } from 'node:path';

/** Of the repository. */
export const ROOT = join(import.meta.dirname, '../..');
