import type { FlowAsset } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { fileText, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { TemplateReader } from '../ports.ts';
import type { By, Flows } from './flows.ts';
import { isPdf } from './pdf-file.ts';
import { assetBytes, assetOf, assetsOf, deleteAssets, type FlowRef, putAsset, updateFlow } from './store.ts';
import { DRAFT, type FlowAssetRow } from './tables.ts';
import { PDF, viewAsset } from './views.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly blobs: Blobs;
  readonly flows: Flows;
  readonly templates: TemplateReader;
}

/** A PDF that is stored, before a row names it. */
export type KeptPdf = Pick<FlowAssetRow, 'original_name' | 'hash' | 'bytes' | 'analysis' | 'plan'>;

/** The PDFs of drafts, from which runs make documents (wire 13.9). */
export class Assets {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Stores a PDF under its key, in the place of the one before.
   * @throws {PlatformError} flows.not_found, flows.asset_invalid, flows.limit_reached
   */
  async put(ref: FlowRef & By, key: string, pdf: { bytes: Buffer; name: string }): Promise<FlowAsset> {
    const { database, flows } = this.#deps;
    await flows.require(database.reader, ref);
    const kept = await this.keep(ref.companyId, pdf);
    return this.#change(ref, async (writer) => {
      const row = await this.add(writer, ref, key, kept);
      await flows.log(writer, ref, 'File of a flow stored', { flow: ref.flowId, asset: key });
      return viewAsset(row);
    });
  }

  /** Stores the bytes for as long as it takes to name them. @throws {PlatformError} flows.asset_invalid, rate_limit.exceeded */
  async keep(companyId: string, { bytes, name }: { bytes: Buffer; name: string }): Promise<KeptPdf> {
    if (!isPdf(bytes)) throw new PlatformError('flows.asset_invalid');
    const read = await this.#deps.templates.analyse(companyId, bytes);
    const hash = await this.#deps.blobs.keep(bytes);
    return {
      original_name: name,
      hash,
      bytes: bytes.length,
      analysis: JSON.stringify(read.analysis),
      plan: JSON.stringify(read.plan),
    };
  }

  /** Names a stored PDF in a draft, in the caller's transaction. @throws {PlatformError} flows.limit_reached */
  async add(writer: Writer, ref: FlowRef, key: string, kept: KeptPdf): Promise<FlowAssetRow> {
    const { blobs, clock, ids } = this.#deps;
    await blobs.holdOn(writer, kept.hash);
    const { hash, bytes } = kept;
    const row: FlowAssetRow = {
      company_id: ref.companyId,
      service_id: ref.serviceId,
      flow_id: ref.flowId,
      version: DRAFT,
      asset_key: key,
      ...kept,
      created_at: clock.now(),
      value: fileText({ id: ids.uuid(), hash, bytes, form: 'raw', type: PDF }),
    };
    await putAsset(writer, row);
    const count = (await assetsOf(writer, { ...ref, version: DRAFT })).length;
    const [most, bytesMost] = [limits.flowAssetsMost, limits.flowAssetBytesMost];
    if (count > most) throw new PlatformError('flows.limit_reached', { details: { most } });
    if ((await assetBytes(writer, ref)) > bytesMost)
      throw new PlatformError('flows.limit_reached', { details: { most: bytesMost } });
    return row;
  }

  /** The PDF of a draft. @throws {PlatformError} flows.not_found, flows.asset_not_found */
  async file(ref: FlowRef, key: string): Promise<{ row: FlowAssetRow; file: StoredFile }> {
    const { reader } = this.#deps.database;
    await this.#deps.flows.require(reader, ref);
    const row = await assetOf(reader, { ...ref, version: DRAFT }, key);
    const file = storedFile(row?.value ?? null);
    if (row === undefined || file === undefined) throw new PlatformError('flows.asset_not_found');
    return { row, file };
  }

  /** Versions keep theirs. @throws {PlatformError} flows.not_found, flows.asset_not_found */
  async delete(ref: FlowRef & By, key: string): Promise<void> {
    await this.#change(ref, async (writer) => {
      if ((await assetOf(writer, { ...ref, version: DRAFT }, key)) === undefined)
        throw new PlatformError('flows.asset_not_found');
      await deleteAssets(writer, ref, key);
      await this.#deps.flows.log(writer, ref, 'File of a flow deleted', { flow: ref.flowId, asset: key });
    });
  }

  /** Changes the files of a draft, which then differs from what was published. */
  #change<T>(ref: FlowRef, work: (writer: Writer) => Promise<T>): Promise<T> {
    const { clock, database, flows } = this.#deps;
    return writeLocked(database, 'services', ref.serviceId, async (writer) => {
      await flows.require(writer, ref);
      await updateFlow(writer, ref, { published_revision: null, updated_at: clock.now() });
      return work(writer);
    });
  }
}
