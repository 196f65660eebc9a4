import type {
  AddedPlugin,
  Plugin,
  PluginFieldType,
  PluginList,
  PluginPass,
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
export const pluginName = ({ name, base_url: url, id }: Plugin): string =>
  name ?? (url !== null && URL.canParse(url) ? new URL(url).host : id);

/** A kind of field that a plugin of the company answers. */
export interface PluginOffer {
  readonly pluginId: string;
  readonly pluginName: string;
  readonly type: PluginFieldType;
}

export const pluginOffers: Query<readonly PluginOffer[]> = {
  key: portalKeys.plugins,
  part: 'offers',
  read: async () =>
    (await listPlugins()).flatMap((plugin) =>
      plugin.field_types.map((type) => ({ pluginId: plugin.id, pluginName: pluginName(plugin), type })),
    ),
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
