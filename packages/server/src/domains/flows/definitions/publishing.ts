import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type FieldTypeRow, type FlowCheck, type FlowVersion, limits } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { CallerGone } from '../../../core/caller-gone.ts';
import { callerSignal } from '../../../core/deadline.ts';
import { PlatformError } from '../../../core/errors.ts';
import { anotherFile, fileText, storedFile } from '../../../core/stored-file.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { DescribedPlugins } from '../ports.ts';
import { refuseIssues } from './definition-text.ts';
import type { CheckedDefinition } from './definition-work.ts';
import type { By, Flows } from './flows.ts';
import type { LargeDefinitions } from './large-definitions.ts';
import { readLong } from './long-reads.ts';
import {
  assetOf,
  assetsOf,
  countVersions,
  definitionOf,
  type FlowRef,
  insertVersion,
  latestVersions,
  putAsset,
  updateFlow,
  versionHead,
  versionsOf,
} from './store.ts';
import { DRAFT, type FlowAssetHead, type FlowRow } from './tables.ts';
import { viewVersion, viewVersionHead } from './views.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly flows: Flows;
  readonly largeDefinitions: LargeDefinitions;
  readonly plugins: DescribedPlugins;
  readonly registry: FieldTypeRegistry;
}

/** A draft as it was checked. */
interface Checked extends CheckedDefinition {
  readonly row: FlowRow;
  readonly assets: readonly FlowAssetHead[];
}

/** One with the most issues takes a third of a megabyte. */
const CHECKS_HELD = 50;

/** How a draft becomes a version: checked, numbered, and never changed again (wire 13.2). */
export class Publishing {
  readonly #deps: Deps;
  readonly #held = new LRUCache<
    string,
    { readonly fieldTypes: readonly FieldTypeRow[]; readonly checking: Promise<CheckedDefinition> }
  >({ max: CHECKS_HELD });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What keeps the draft from being published, and what its author should look at. @throws {PlatformError} flows.not_found */
  async check(ref: FlowRef): Promise<FlowCheck> {
    const { issues, warnings } = await this.#checked(this.#deps.database.reader, ref);
    return { issues: [...issues], warnings: [...warnings] };
  }

  /**
   * Makes the draft the next version.
   * @param revision the draft that is meant; the current one when not said
   * @throws {PlatformError} flows.not_found, flows.draft_changed, flows.definition_invalid, flows.limit_reached
   */
  async publish(ref: FlowRef & By, revision?: number): Promise<number> {
    const { clock, database, flows } = this.#deps;
    // Checked before the transaction: others do not wait for it.
    const checked = await this.#checked(database.reader, ref);
    if (revision !== undefined && revision !== checked.row.revision)
      throw new PlatformError('flows.draft_changed', { details: { revision: checked.row.revision } });
    refuseIssues(checked.issues);
    const { fields } = checked;
    return writeLocked(database, 'services', ref.serviceId, async (writer) => {
      const flow = await flows.require(writer, ref);
      const assets = await assetsOf(writer, { ...ref, version: DRAFT });
      if (flow.revision !== checked.row.revision || !areSame(assets, checked.assets))
        throw new PlatformError('flows.draft_changed', { details: { revision: flow.revision } });
      await this.#refuseTooMany(writer, ref, fields.length);
      const version = (flow.version ?? 0) + 1;
      const at = clock.now();
      await insertVersion(writer, {
        company_id: ref.companyId,
        service_id: ref.serviceId,
        flow_id: ref.flowId,
        version,
        name: flow.name,
        output_mode: flow.output_mode,
        field_count: fields.length,
        plugin_ids: flow.plugin_ids,
        published_at: at,
        fields: JSON.stringify(fields),
        definition: checked.row.draft,
      });
      for (const { asset_key } of assets) await this.#copy(writer, ref, asset_key, version, at);
      await updateFlow(writer, ref, { version, published_revision: flow.revision, published_at: at });
      await flows.refuseTooMuch(writer, ref);
      await flows.log(writer, ref, 'Flow published', { flow: flow.id, name: flow.name, version });
      return version;
    });
  }

  /** Latest first. @throws {PlatformError} flows.not_found */
  async versions(ref: FlowRef) {
    const { reader } = this.#deps.database;
    await this.#deps.flows.require(reader, ref);
    return (await versionsOf(reader, ref)).map(viewVersionHead);
  }

  /** @throws {PlatformError} flows.not_found, flows.version_not_found */
  async version(ref: FlowRef, version: number): Promise<FlowVersion> {
    const { reader } = this.#deps.database;
    await this.#deps.flows.require(reader, ref);
    const of = { ...ref, version };
    const head = await versionHead(reader, of);
    const text = await readLong(() => definitionOf(reader, of));
    if (head === undefined || text === undefined) throw new PlatformError('flows.version_not_found');
    return viewVersion(head, text, await assetsOf(reader, of));
  }

  /** A draft that did not change is checked once: what it was checked with is the key of the result. */
  async #checked(reader: Reader, ref: FlowRef): Promise<Checked> {
    const { flows, largeDefinitions, plugins, registry } = this.#deps;
    const row = await flows.requireDraft(reader, ref);
    const assets = await assetsOf(reader, { ...ref, version: DRAFT });
    const described = await plugins.described(reader, ref.companyId);
    const input = {
      text: row.draft,
      fieldTypes: registry.rows,
      assets: assets.map(({ asset_key, analysis }) => ({ asset_key, analysis })),
      plugins: [...described].map(([id, types]) => [id, [...types]] as const),
    };
    const files = assets.map(({ asset_key, value }) => [asset_key, value]);
    const known = JSON.stringify([ref.flowId, row.revision, files, input.plugins]);
    const held = this.#held.get(known);
    if (held?.fieldTypes === registry.rows) {
      const checked = await held.checking.catch(ofAnotherCaller);
      return checked === undefined ? this.#checked(reader, ref) : { row, assets, ...checked };
    }
    const checking = largeDefinitions.do('check', input);
    this.#held.set(known, { fieldTypes: registry.rows, checking });
    checking.catch(() => this.#held.delete(known));
    return { row, assets, ...(await checking) };
  }

  async #refuseTooMany(writer: Writer, ref: FlowRef, fields: number): Promise<void> {
    const others = (await latestVersions(writer, ref).execute()).filter(({ id }) => id !== ref.flowId);
    const inAll = others.reduce((sum, { field_count }) => sum + field_count, fields);
    const [most, ofService] = [limits.flowVersionsMost, limits.flowElementsOfServiceMost];
    if ((await countVersions(writer, ref)) >= most)
      throw new PlatformError('flows.limit_reached', { details: { most } });
    if (inAll > ofService) throw new PlatformError('flows.limit_reached', { details: { most: ofService } });
  }

  async #copy(writer: Writer, ref: FlowRef, key: string, version: number, at: number): Promise<void> {
    const asset = await assetOf(writer, { ...ref, version: DRAFT }, key);
    const file = storedFile(asset?.value ?? null);
    if (asset === undefined || file === undefined) throw new Error('A file of a draft has no blob.');
    const value = fileText(anotherFile(file, this.#deps.ids.uuid()));
    await putAsset(writer, { ...asset, version, created_at: at, value });
  }
}

/** Whoever asked for a check first has left before its turn: the next one asks again. */
function ofAnotherCaller(error: unknown): undefined {
  if (!(error instanceof CallerGone) || callerSignal()?.aborted === true) throw error;
}

/** Every upload of a file has an id of its own. */
function areSame(one: readonly FlowAssetHead[], other: readonly FlowAssetHead[]): boolean {
  const idsOf = (assets: readonly FlowAssetHead[]) => assets.map(({ value }) => value).join();
  return idsOf(one) === idsOf(other);
}
