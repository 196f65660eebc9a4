import { PluginFields } from '@symbolon/sdk/device';
import { call } from './inner/api.ts';
import type { PassFor } from './plugin-pass.ts';

/** The plugin that answers a field, as this browser asks it. */
export const pluginsWith = (passFor: PassFor) =>
  new PluginFields(() => call('POST', '/api/person/plugin-pass', passFor));
