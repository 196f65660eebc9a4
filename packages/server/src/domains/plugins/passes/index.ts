import type { KeyRing } from '../../../core/key-ring.ts';
import type { Core } from '../../domain.ts';
import { Passes } from './passes.ts';

export type { PassContent, PassedPlugin, Passes, PluginReport } from './passes.ts';

export const createPasses = (core: Pick<Core, 'clock' | 'ids'> & { readonly keys: KeyRing }) =>
  new Passes(core);
