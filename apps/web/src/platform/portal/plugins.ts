import type { Plugin, PluginList } from '@symbolon/protocol';
import { NotFoundError } from '@symbolon/sdk/device';
import { portalCall } from './api.ts';

/** The plugins of the company; none where the platform has no plugins. */
export async function listPlugins(): Promise<readonly Plugin[]> {
  try {
    return (await portalCall<PluginList>('GET', '/api/account/plugins')).plugins;
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}
