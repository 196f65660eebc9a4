import type { PluginFieldType, PluginPass, PluginSpec, RowPlugin } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Passes } from '../passes/passes.ts';
import { fieldTypesOf, type Plugins } from '../registry/plugins.ts';
import { claimedPlugin, pluginOf, pluginsOf } from '../registry/store.ts';
import type { PluginRow } from '../registry/tables.ts';

interface Deps extends Pick<Core, 'database' | 'publicUrl'> {
  readonly plugins: Plugins;
  readonly passes: Passes;
}

/** What others ask of plugins: flows, request rows and claims (wire 14.2). */
export class PluginSpecs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The field types that each plugin of a company has described, by the plugin's id. */
  async described(reader: Reader, companyId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await pluginsOf(reader, companyId);
    return new Map(rows.map((row) => [row.id, new Set(fieldTypesOf(row).map(({ key }) => key))]));
  }

  /** What a plugin says of a field type now; undefined when it has not described it. */
  async snapshot(
    reader: Reader,
    companyId: string,
    pluginId: string,
    fieldType: string,
  ): Promise<RowPlugin | undefined> {
    return rowPlugin(await pluginOf(reader, companyId, pluginId), fieldType);
  }

  /**
   * The same for what is about to use the plugin: until the transaction ends, the plugin is not deleted. Nothing that others
   * lock before may be locked after it.
   */
  async use(
    writer: Writer,
    companyId: string,
    pluginId: string,
    fieldType: string,
  ): Promise<RowPlugin | undefined> {
    const { engine } = this.#deps.database;
    const plugin = await claimedPlugin(engine, writer, { companyId, id: pluginId }, 'use');
    return rowPlugin(plugin, fieldType);
  }

  /**
   * A pass to try what a plugin offers, with the keys of its field types in place of slugs.
   * @param host under which the caller reached this process
   * @throws {PlatformError} plugins.not_found
   */
  async trial(companyId: string, pluginId: string, host: string | undefined): Promise<PluginPass> {
    const row = await pluginOf(this.#deps.database.reader, companyId, pluginId);
    if (row === undefined) throw new PlatformError('plugins.not_found');
    const specs = fieldTypesOf(row).map((type): [string, PluginSpec] => {
      const { field_type, snapshot } = describedIn(row, type);
      return [type.key, { plugin_id: pluginId, field_type, snapshot, inputs: {} }];
    });
    return this.pass(companyId, Object.fromEntries(specs), host);
  }

  /**
   * A pass to call the plugins that some fields ask of.
   * @param specs what each field asks, by its slug; those whose plugin is gone are left out
   * @param host under which the caller reached this process
   * @param customerId of a caller who is not the company itself
   */
  async pass(
    companyId: string,
    specs: Readonly<Record<string, PluginSpec>>,
    host: string | undefined,
    customerId?: string,
  ): Promise<PluginPass> {
    const { database, passes, plugins, publicUrl } = this.#deps;
    const wanted = new Set(Object.values(specs).map(({ plugin_id }) => plugin_id));
    const rows = (await pluginsOf(database.reader, companyId)).filter(({ id }) => wanted.has(id));
    const present = new Set(rows.map(({ id }) => id));
    return {
      pass: passes.mint('call', {
        company_id: companyId,
        ...(customerId !== undefined && { caller: passes.callerOf(companyId, customerId) }),
        region_url: publicUrl(),
        plugins: rows.map((row) => plugins.passed(row)),
      }),
      forwarder_url: plugins.forwarderUrl(host),
      plugins: rows.map(({ id, public_key }) => ({ id, public_key })),
      specs: Object.fromEntries(Object.entries(specs).filter(([, { plugin_id }]) => present.has(plugin_id))),
    };
  }
}

function rowPlugin(row: PluginRow | undefined, fieldType: string): RowPlugin | undefined {
  const described = row && fieldTypesOf(row).find(({ key }) => key === fieldType);
  return row && described && describedIn(row, described);
}

/** A field type as its plugin describes it. */
function describedIn(row: PluginRow, { key, label, blocks, inputs, outputs }: PluginFieldType): RowPlugin {
  const plugin_name = row.name ?? '';
  const host = row.base_url === null ? '' : new URL(row.base_url).host;
  return {
    plugin_name,
    field_type: key,
    snapshot: { plugin_name, host, label, blocks, inputs, outputs },
  };
}
