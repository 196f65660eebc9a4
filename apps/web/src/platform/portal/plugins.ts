import type { AddedPlugin, Plugin, PluginList, RegistryPass } from '@symbolon/protocol';
import { NotFoundError, Transport } from '@symbolon/sdk/device';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const PATH = '/api/account/plugins';
/** The forwarder waits for the plugin, and for one that is slow no longer than this. */
const forwarder = new Transport({ timeoutMs: 15_000 });

const readPlugins = () => portalCall<PluginList>('GET', PATH);
export const pluginsQuery: Query<PluginList> = { key: portalKeys.plugins, read: readPlugins };

/** The plugins of the company; none where the platform has no plugins. */
export async function listPlugins(): Promise<readonly Plugin[]> {
  try {
    return (await readPlugins()).plugins;
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

export const addPlugin = (baseUrl: string, token: string) =>
  portalCall<AddedPlugin>('POST', PATH, { base_url: baseUrl, ...(token !== '' && { token }) });

export const switchOn = (key: string) => portalCall<AddedPlugin>('POST', `${PATH}/builtin/${key}`);

/** @param token null takes it away */
export const replaceToken = (id: string, token: string | null) =>
  portalCall<Plugin>('PUT', `${PATH}/${id}`, { token });

/** Has the forwarder ask the plugin what it offers now. @throws SymbolonError */
export async function describePlugin({ pass, forwarder_url: url }: RegistryPass): Promise<void> {
  await forwarder.send(url, { method: 'POST', path: '/registry', json: { pass } });
}

export const refreshPlugin = async (id: string) =>
  describePlugin(await portalCall<RegistryPass>('POST', `${PATH}/${id}/registry-pass`));

export const deletePlugin = (id: string) => portalCall<void>('DELETE', `${PATH}/${id}`);
