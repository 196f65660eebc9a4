import { type FlowFile, limits } from '@symbolon/protocol';
import { clearsIn, PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { fileText, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { type Caller, requireRun } from './access.ts';
import { turnOf } from './answers.ts';
import { customersOf } from './start-store.ts';
import type { FlowRef } from './starts.ts';
import { bindingsOf, versionOf } from './states.ts';
import { copyById, copyFor } from './store.ts';
import type { FlowRunCopyRow, FlowRunUploadRow } from './tables.ts';
import { fullUntil, insertUpload } from './upload-store.ts';

/** How long an upload waits for the act that names it. */
const WAIT_MS = 60 * 60_000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly blobs: Blobs;
  readonly flows: PublishedFlows;
}

type Named = Pick<FlowRunUploadRow, 'company_id' | 'service_id' | 'uploader_id'> &
  Partial<Pick<FlowRunUploadRow, 'flow_id' | 'run_id' | 'slug' | 'user_id'>>;

/** Sealed files of runs: copies that the start or an answer names, and what the parties read of them (wire 13.12). */
export class RunFiles {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Keeps a copy of a file for the start of a run.
   * @param sourceUserId whose file it is; else that of the user bound to the party of its source
   * @throws {PlatformError} flows.not_found, flows.source_user_invalid, flows.uploads_limit, contact_data.encryption_required
   */
  async uploadSource(flow: FlowRef, sourceUserId: string | null, value: LargeText): Promise<FlowFile> {
    const { database, flows } = this.#deps;
    await flows.published(database.reader, flow);
    if (sourceUserId !== null && sourceUserId !== flow.companyId) {
      const which = { connectionId: '', customerIds: [sourceUserId] };
      const [customer] = await customersOf(database.reader, flow, which);
      if (customer === undefined) throw new PlatformError('flows.source_user_invalid');
    }
    return this.#upload(value, {
      company_id: flow.companyId,
      service_id: flow.serviceId,
      uploader_id: flow.companyId,
      flow_id: flow.flowId,
      user_id: sourceUserId,
    });
  }

  /**
   * Keeps a copy of a file that the answer to the step of the caller names.
   * @throws {PlatformError} flows.run_not_found, flows.not_your_turn, flows.answer_unknown, flows.copies_missing,
   *   flows.uploads_limit, contact_data.encryption_required
   */
  async uploadAnswer(
    caller: Caller,
    runId: string,
    { slug, for_user_id: userId, value }: { slug: string; for_user_id: string; value: LargeText },
  ): Promise<FlowFile> {
    const { database, flows } = this.#deps;
    const { run } = await requireRun(database.reader, caller, runId);
    const nodeKey = turnOf(run, caller.userId);
    const definition = await flows.definition(database.reader, versionOf(run));
    const node = definition.nodes.find(({ key }) => key === nodeKey);
    if (node?.elements.some((element) => element.kind !== 'text' && element.slug === slug) !== true)
      throw new PlatformError('flows.answer_unknown');
    if (![...bindingsOf(run).values()].includes(userId)) throw new PlatformError('flows.copies_missing');
    return this.#upload(value, {
      company_id: run.company_id,
      service_id: run.service_id,
      uploader_id: caller.userId,
      run_id: run.id,
      slug,
      user_id: userId,
    });
  }

  /** The caller's copy of an answer or a source. @throws {PlatformError} flows.run_not_found, flows.file_not_found */
  async byKey(
    caller: Caller,
    runId: string,
    kind: Exclude<FlowRunCopyRow['kind'], 'tags'>,
    key: string,
  ): Promise<StoredFile> {
    const { reader } = this.#deps.database;
    const { run } = await requireRun(reader, caller, runId);
    return fileOf(await copyFor(reader, { runId: run.id, userId: caller.userId, kind, key }));
  }

  /** The caller's copy of an answer or a source, by its id. @throws {PlatformError} as `byKey` does */
  async byId(caller: Caller, runId: string, id: string): Promise<StoredFile> {
    const { reader } = this.#deps.database;
    const { run } = await requireRun(reader, caller, runId);
    return fileOf(await copyById(reader, run, { userId: caller.userId, id }));
  }

  async #upload(value: LargeText, named: Named): Promise<FlowFile> {
    const { blobs, clock, database, ids } = this.#deps;
    if (!value.sealed) throw new PlatformError('contact_data.encryption_required');
    const blob = await value.store();
    const id = ids.uuid();
    const row: FlowRunUploadRow = {
      flow_id: null,
      run_id: null,
      slug: null,
      user_id: null,
      ...named,
      id,
      value: fileText({ id, hash: blob.hash, bytes: blob.bytes, form: 'sealed' }),
      expires_at: clock.now() + WAIT_MS,
    };
    await database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [row.service_id]);
      await this.#checkRoom(writer, row);
      await blobs.holdOn(writer, blob.hash);
      await insertUpload(writer, row);
    });
    return { file: id };
  }

  async #checkRoom(writer: Writer, { service_id, uploader_id }: FlowRunUploadRow): Promise<void> {
    const now = this.#deps.clock.now();
    const by = { serviceId: service_id, uploaderId: uploader_id };
    const until = await fullUntil(writer, by, limits.flowFilesMost, now);
    if (until !== undefined)
      throw new PlatformError('flows.uploads_limit', { details: clearsIn(until - now) });
  }
}

/** @throws {PlatformError} flows.file_not_found */
function fileOf(copy: FlowRunCopyRow | undefined): StoredFile {
  const file = storedFile(copy?.value ?? null);
  if (file === undefined) throw new PlatformError('flows.file_not_found');
  return file;
}
