import type { Core } from '../../domain.ts';
import { CustomShareCodes } from './share-codes.ts';

export function createShareCodes(core: Core) {
  return { customShareCodes: new CustomShareCodes(core) };
}
