import { checkPublicKey, generateKeyPair } from '@symbolon/crypto';
import {
  type AddedPlugin,
  type AddPluginRequest,
  type AuditAction,
  limits,
  type Plugin,
  type PluginFieldType,
  type PluginList,
  type PluginUse,
  type RegistryPass,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { mask } from '../../../core/mask.ts';
import type { StoredPlace } from '../../../core/secrets.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { PluginUses } from '../../participation.ts';
import type { Builtin } from '../builtins/builtin.ts';
import type { Builtins } from '../builtins/builtins.ts';
import type { PassedPlugin, Passes, PluginReport } from '../passes/passes.ts';
import { type AddressRules, readBaseUrl } from './address.ts';
import {
  claimedPlugin,
  countPlugins,
  deletePlugin,
  insertPlugin,
  pluginOf,
  pluginsOf,
  updatePlugin,
} from './store.ts';
import type { PluginRow } from './tables.ts';

/** Who of which company calls, and under which name this process is known to it. */
export interface PluginCall {
  readonly companyId: string;
  readonly actor: Actor;
  readonly host: string | undefined;
}

interface Deps
  extends Pick<Core, 'clock' | 'config' | 'database' | 'ids' | 'publicUrl' | 'secrets' | 'urlFor'> {
  readonly audit: Audit;
  readonly passes: Passes;
  readonly builtins: Builtins;
  /** Complete once every domain is made. */
  readonly uses: readonly PluginUses[];
}

/** The plugins of a company: which there are, and how they described themselves (wire 14.1). */
export class Plugins {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(companyId: string): Promise<PluginList> {
    const { reader } = this.#deps.database;
    const rows = await pluginsOf(reader, companyId);
    const uses = await this.#uses(reader, companyId);
    const enabled = new Set(rows.map((row) => row.builtin_key));
    return {
      plugins: rows.map((row) => this.#view(row, uses.get(row.id))),
      builtin: this.#deps.builtins.list().map(({ key, name }) => ({ key, name, enabled: enabled.has(key) })),
    };
  }

  /** @throws {PlatformError} plugins.url_invalid, plugins.duplicate, plugins.limit_reached */
  async add(call: PluginCall, { base_url, token }: AddPluginRequest): Promise<AddedPlugin> {
    const read = readBaseUrl(base_url, this.addressRules());
    if ('problem' in read) throw new PlatformError('plugins.url_invalid', { text: read.problem });
    const row = this.#newRow(call.companyId);
    return this.#insert(call, {
      ...row,
      base_url: read.base,
      token: token ? this.#encrypted(row, 'token', token) : null,
    });
  }

  /**
   * Switches a plugin of the platform on. The platform makes its key; the forwarder answers for it.
   * @throws {PlatformError} plugins.builtin_unknown, plugins.duplicate, plugins.limit_reached
   */
  async enable(call: PluginCall, key: string): Promise<AddedPlugin> {
    const builtin = this.#deps.builtins.find(key);
    if (builtin === undefined) throw new PlatformError('plugins.builtin_unknown');
    const pair = await generateKeyPair();
    const row = this.#newRow(call.companyId);
    const privateKey = Buffer.from(pair.privateKey).toString('base64');
    return this.#insert(call, {
      ...row,
      ...describedBy(builtin),
      builtin_key: key,
      public_key: pair.publicKey,
      private_key: this.#encrypted(row, 'private_key', privateKey),
      described_at: row.created_at,
    });
  }

  /**
   * Replaces the token: an empty one keeps what is stored, null clears it.
   * @throws {PlatformError} plugins.not_found, plugins.builtin_token_locked
   */
  async setToken(call: PluginCall, id: string, token: string | null): Promise<Plugin> {
    return writeLocked(this.#deps.database, 'companies', call.companyId, async (writer) => {
      const row = await this.#require(writer, call.companyId, id);
      if (row.builtin_key !== null) throw new PlatformError('plugins.builtin_token_locked');
      if (token !== '') {
        row.token = token === null ? null : this.#encrypted(row, 'token', token);
        await updatePlugin(writer, row, { token: row.token, updated_at: this.#deps.clock.now() });
        await this.#record(
          writer,
          call,
          row,
          token === null ? 'plugin.token_cleared' : 'plugin.token_replaced',
        );
      }
      return this.#view(row, (await this.#uses(writer, call.companyId)).get(id));
    });
  }

  /** @throws {PlatformError} plugins.not_found */
  async registryPass({ companyId, host }: Omit<PluginCall, 'actor'>, id: string): Promise<RegistryPass> {
    return this.#registryPass(await this.#require(this.#deps.database.reader, companyId, id), host);
  }

  /** @throws {PlatformError} plugins.not_found, plugins.in_use */
  async delete(call: PluginCall, id: string): Promise<void> {
    const { database } = this.#deps;
    await writeLocked(database, 'companies', call.companyId, async (writer) => {
      const row = await claimedPlugin(database.engine, writer, { companyId: call.companyId, id }, 'delete');
      if (row === undefined) throw new PlatformError('plugins.not_found');
      const in_use = (await this.#uses(writer, call.companyId)).get(id);
      if (in_use !== undefined) throw new PlatformError('plugins.in_use', { details: { in_use } });
      await deletePlugin(writer, row);
      await this.#record(writer, call, row, 'plugin.deleted');
    });
  }

  /** Takes in what the forwarder heard from a plugin, unless a newer report is there. A plugin that is gone is passed over. */
  async reported(report: PluginReport): Promise<void> {
    const { company_id, plugin_id, at, manifest, error } = report;
    if (manifest !== undefined) await checkPublicKey(manifest.public_key);
    await this.#deps.database.write(async (writer) => {
      const row = await pluginOf(writer, company_id, plugin_id);
      if (row === undefined || at < row.updated_at || row.builtin_key !== null) return;
      await updatePlugin(writer, row, {
        ...(manifest === undefined
          ? {}
          : { ...describedBy(manifest), public_key: manifest.public_key, described_at: at }),
        last_error: error ?? null,
        updated_at: at,
      });
    });
  }

  /** A plugin as a pass names it. */
  passed(row: PluginRow): PassedPlugin {
    const { id, builtin_key, base_url, public_key } = row;
    if (builtin_key !== null)
      return { id, builtin: builtin_key, private_key: this.#decrypted(row, 'private_key') ?? '' };
    return { id, base: base_url ?? '', token: this.#decrypted(row, 'token'), public_key };
  }

  /** What decides about addresses of plugins now. */
  addressRules(): AddressRules {
    const { config, publicUrl } = this.#deps;
    return { ...config, ownUrl: publicUrl() };
  }

  /** Where devices call plugins. */
  forwarderUrl(host: string | undefined): string {
    const { config, urlFor } = this.#deps;
    return config.forwarderUrl ?? `${urlFor(host)}/forwarder`;
  }

  #insert(call: PluginCall, row: PluginRow): Promise<AddedPlugin> {
    return writeLocked(this.#deps.database, 'companies', call.companyId, async (writer) => {
      if ((await countPlugins(writer, call.companyId)) >= limits.pluginsMost)
        throw new PlatformError('plugins.limit_reached');
      if (!(await insertPlugin(writer, row))) throw new PlatformError('plugins.duplicate');
      await this.#record(writer, call, row, 'plugin.added');
      return { plugin: this.#view(row, undefined), ...this.#registryPass(row, call.host) };
    });
  }

  #registryPass(row: PluginRow, host: string | undefined): RegistryPass {
    const pass = this.#deps.passes.mint('registry', {
      company_id: row.company_id,
      region_url: this.#deps.publicUrl(),
      plugins: [this.passed(row)],
    });
    return { pass, forwarder_url: this.forwarderUrl(host) };
  }

  #newRow(companyId: string): PluginRow {
    const now = this.#deps.clock.now();
    return {
      company_id: companyId,
      id: this.#deps.ids.uuid(),
      builtin_key: null,
      base_url: null,
      name: null,
      token: null,
      private_key: null,
      public_key: null,
      field_types: '[]',
      described_at: null,
      last_error: null,
      created_at: now,
      updated_at: now,
    };
  }

  async #require(reader: Reader, companyId: string, id: string): Promise<PluginRow> {
    const row = await pluginOf(reader, companyId, id);
    if (row === undefined) throw new PlatformError('plugins.not_found');
    return row;
  }

  /** Who uses the plugins of a company, by the plugin's id. */
  async #uses(reader: Reader, companyId: string): Promise<ReadonlyMap<string, PluginUse[]>> {
    const found = new Map<string, PluginUse[]>();
    for (const uses of this.#deps.uses) {
      for (const { plugin_id, ...use } of await uses.of(reader, companyId))
        found.set(plugin_id, [...(found.get(plugin_id) ?? []), use]);
    }
    return found;
  }

  #record(
    writer: Writer,
    { companyId, actor }: PluginCall,
    row: PluginRow,
    action: AuditAction,
  ): Promise<void> {
    const details = { base_url: row.base_url, builtin_key: row.builtin_key };
    return this.#deps.audit.record(writer, {
      companyId,
      actor,
      action,
      target: row.id,
      details,
    });
  }

  #view(row: PluginRow, in_use: PluginUse[] = []): Plugin {
    return {
      id: row.id,
      name: row.name,
      base_url: row.base_url,
      builtin_key: row.builtin_key,
      token: mask(this.#decrypted(row, 'token')),
      public_key: row.public_key,
      field_types: fieldTypesOf(row),
      last_refresh: row.described_at === null ? null : isoTime(row.described_at),
      last_error: row.last_error,
      in_use,
      created_at: isoTime(row.created_at),
    };
  }

  #encrypted(row: PluginRow, column: SecretColumn, text: string): string {
    return this.#deps.secrets.encrypt(Buffer.from(text), placeOf(row, column));
  }

  #decrypted(row: PluginRow, column: SecretColumn): string | null {
    const stored = row[column];
    return stored === null ? null : this.#deps.secrets.decrypt(stored, placeOf(row, column)).toString();
  }
}

type SecretColumn = 'token' | 'private_key';

const placeOf = (row: PluginRow, column: SecretColumn): StoredPlace => ({
  table: 'plugins',
  column,
  id: [row.company_id, row.id],
});

const describedBy = ({ name, field_types }: Pick<Builtin, 'name' | 'field_types'>) => ({
  name,
  field_types: JSON.stringify(field_types),
});

export const fieldTypesOf = (row: PluginRow) => JSON.parse(row.field_types) as PluginFieldType[];
