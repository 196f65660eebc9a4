import type { Core } from '../../domain.ts';
import type { Passes } from '../passes/index.ts';
import type { Plugins } from '../registry/index.ts';
import { PluginSpecs } from './plugin-specs.ts';

export type { PluginSpecs } from './plugin-specs.ts';

export const createPluginSpecs = (core: Core, needs: { plugins: Plugins; passes: Passes }) =>
  new PluginSpecs({ ...core, ...needs });
