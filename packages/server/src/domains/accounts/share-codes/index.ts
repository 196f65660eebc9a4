import type { Core } from '../../domain.ts';
import { CustomShareCodes } from './share-codes.ts';
import { shareCodeTables } from './tables.ts';

export { assignShareCode, CustomShareCodes } from './share-codes.ts';
export type { ShareCodeRow } from './tables.ts';

export function createShareCodes(core: Core) {
  return { customShareCodes: new CustomShareCodes(core), domain: { tables: shareCodeTables } };
}
