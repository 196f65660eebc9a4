import type {
  AddedPlugin,
  Plugin,
  PluginFieldType,
  PluginList,
  PluginPass,
  PluginSnapshot,
  RegistryPass,
} from '@symbolon/protocol';
import { NotFoundError, PluginFields, Transport } from '@symbolon/sdk/device';
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

/** What the address says until the plugin has said its name. */
export const pluginName = (plugin: Plugin): string => plugin.name ?? hostOf(plugin) ?? plugin.id;

const hostOf = ({ base_url: url }: Plugin): string | undefined =>
  url !== null && URL.canParse(url) ? new URL(url).host : undefined;

/** A kind of field that a plugin of the company answers. */
export interface PluginOffer {
  readonly plugin: Plugin;
  readonly type: PluginFieldType;
}

export const offersOf = (plugins: readonly Plugin[]): PluginOffer[] =>
  plugins.flatMap((plugin) => plugin.field_types.map((type) => ({ plugin, type })));

/** What a flow keeps of a kind of field: how it looks, and whose it is. */
export function snapshotOf(plugin: Plugin, type: PluginFieldType): PluginSnapshot {
  const { label, blocks, inputs, outputs } = type;
  const host = hostOf(plugin);
  return {
    plugin_name: pluginName(plugin),
    ...(host !== undefined && { host }),
    ...{ label, blocks, inputs, outputs },
  };
}

export const pluginOffers: Query<readonly PluginOffer[]> = {
  key: portalKeys.plugins,
  part: 'offers',
  read: async () => offersOf(await listPlugins()),
};

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

/** What a plugin offers, by the keys of its field types, asked from this browser as people ask it. */
export const pluginToTry = (id: string) =>
  new PluginFields(() => portalCall<PluginPass>('POST', `${PATH}/${id}/trial-pass`));

export const deletePlugin = (id: string) => portalCall<void>('DELETE', `${PATH}/${id}`);
