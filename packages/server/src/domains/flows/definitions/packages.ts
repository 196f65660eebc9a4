import type { Readable } from 'node:stream';
import type { Flow } from '@symbolon/protocol';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { Services } from '../../services/index.ts';
import type { Assets, KeptPdf } from './assets.ts';
import type { By, Flows } from './flows.ts';
import type { LargeDefinitions } from './large-definitions.ts';
import { readLong } from './long-reads.ts';
import { readPackage } from './package-file.ts';
import type { PublishedFlows } from './published.ts';
import type { SentDefinitions } from './sent-definitions.ts';
import { assetsOf, type FlowRef, type ServiceRef } from './store.ts';
import { DRAFT, type FlowAssetHead } from './tables.ts';
import { viewFlow } from './views.ts';
import { packedAssets, writePackage } from './write-package.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly assets: Assets;
  readonly blobs: Blobs;
  readonly flows: Flows;
  readonly largeDefinitions: LargeDefinitions;
  readonly published: PublishedFlows;
  readonly sent: SentDefinitions;
  readonly services: Services;
}

/** Flows as files (wire 13.9): written from a draft or a version, read as a new draft. */
export class Packages {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Makes a draft of a package.
   * @throws {PlatformError} services.not_found, flows.package_invalid, flows.asset_invalid, flows.definition_invalid,
   *   flows.limit_reached, request.too_large
   */
  async import(service: ServiceRef & By, bytes: Buffer): Promise<Flow> {
    const { assets, database, flows, sent, services } = this.#deps;
    await services.require(database.reader, service);
    const { definition, assets: packed } = await readPackage(bytes, (manifest) => sent.manifest(manifest));
    const draft = await flows.take(definition);
    const kept: [string, KeptPdf][] = [];
    for (const { key, originalName: name, bytes: content } of packed)
      kept.push([key, await assets.keep(service.companyId, { bytes: content, name })]);
    const made = await writeLocked(database, 'services', service.serviceId, async (writer) => {
      await services.require(writer, service);
      const row = await flows.insert(writer, service, draft);
      const rows: FlowAssetHead[] = [];
      for (const [key, pdf] of kept)
        rows.push(await assets.add(writer, { ...service, flowId: row.id }, key, pdf));
      await flows.log(writer, service, 'Flow imported', { flow: row.id, name: row.name });
      return { row, rows };
    });
    return viewFlow(made.row, made.rows);
  }

  /**
   * The package of a version, or of the draft.
   * @throws {PlatformError} flows.not_found, flows.version_not_found
   */
  async export(ref: FlowRef, version?: number): Promise<{ name: string; content: Readable }> {
    const { blobs, database, flows, largeDefinitions, published } = this.#deps;
    const { reader } = database;
    const text = await readLong(async () => {
      const { draft } = await flows.requireDraft(reader, ref);
      return version === undefined ? draft : published.text(reader, { ...ref, version });
    });
    const rows = await assetsOf(reader, { ...ref, version: version ?? DRAFT });
    const { name, json } = await largeDefinitions.do('manifest', { text, assets: packedAssets(rows) });
    return { name, content: await writePackage(json, rows, ({ hash }) => blobs.open(hash)) };
  }
}
