import { PLUGIN_TYPE, type RequestFieldInput } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { PluginUses } from '../../participation.ts';
import type { PluginSpecs } from '../../plugins/index.ts';
import type { ServiceRef } from './services.ts';
import { rowsOfPlugins } from './store.ts';
import type { RequestFieldRow } from './tables.ts';

export type PluginColumns = Pick<RequestFieldRow, 'plugin_id' | 'plugin'>;
export const NO_PLUGIN: PluginColumns = { plugin_id: null, plugin: null };

/** A row that a plugin answers is asked of people, for a snapshot, unless it says something else, which is refused. */
export const withPluginDefaults = (input: RequestFieldInput): RequestFieldInput =>
  input.type === PLUGIN_TYPE ? { audience: 'person', one_time: true, ...input } : input;

/**
 * What the plugins of rows say of their field types now, by the slug of the row. The plugins stay until the transaction ends.
 * @throws {PlatformError} services.request_field_plugin_invalid with the reason
 */
export async function pluginsOfRows(
  specs: PluginSpecs,
  writer: Writer,
  { companyId }: ServiceRef,
  inputs: readonly RequestFieldInput[],
  present: ReadonlyMap<string, RequestFieldRow>,
): Promise<ReadonlyMap<string, PluginColumns>> {
  const found = new Map<string, PluginColumns>();
  for (const input of inputs) {
    const wrong = wrongOf(input, present.get(input.slug));
    if (wrong !== undefined) throw invalid(input, wrong);
    if (!input.plugin) continue;
    const { plugin_id, field_type } = input.plugin;
    const plugin = await specs.use(writer, companyId, plugin_id, field_type);
    if (plugin === undefined) throw invalid(input, 'names a plugin that has not described this field type');
    if (plugin.snapshot.inputs.some(({ required }) => required))
      throw invalid(input, 'names a field type with a required input, which only a flow can fill');
    found.set(input.slug, { plugin_id, plugin: JSON.stringify(plugin) });
  }
  return found;
}

function wrongOf(input: RequestFieldInput, before: RequestFieldRow | undefined): string | undefined {
  if (input.type !== PLUGIN_TYPE) return input.plugin ? 'names a plugin, but is of another type' : undefined;
  if (!input.plugin) return 'needs a plugin';
  if (input.one_time !== true) return 'must be one_time: nothing follows what a plugin answered';
  if (input.audience !== 'person') return 'must have the audience person';
  if (input.verified === true) return 'cannot be verified';
  if (before?.plugin == null) return undefined;
  const { field_type } = JSON.parse(before.plugin) as { field_type: string };
  const isOther = before.plugin_id !== input.plugin.plugin_id || field_type !== input.plugin.field_type;
  return isOther ? 'has another plugin or field type; use another slug' : undefined;
}

const invalid = ({ slug }: RequestFieldInput, reason: string) =>
  new PlatformError('services.request_field_plugin_invalid', { text: `The row ${slug} ${reason}.` });

/** Request rows use plugins. */
export const rowPluginUses: PluginUses = {
  async of(reader, companyId) {
    const rows = await rowsOfPlugins(reader, companyId);
    return rows.flatMap(({ id, service_id, slug, plugin_id }) =>
      plugin_id === null ? [] : [{ plugin_id, kind: 'request_field' as const, id, name: slug, service_id }],
    );
  },
};
