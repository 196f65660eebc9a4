import type { DocumentStatus, FlowRunDocument } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import type { CallPresence } from '../../../access/presence.ts';
import { PlatformError } from '../../../core/errors.ts';
import { refusal } from '../../../core/turns.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { raiseStatusChanges } from '../documents/document-events.ts';
import type { ListedDocument } from '../documents/store.ts';
import {
  changeOf,
  isDone,
  isLast,
  type Line,
  type LineAct,
  type LineCopy,
  lineOf,
  openStatus,
  signerOf,
} from '../run-copies/lines.ts';
import type { RunCopies, RunRef } from '../run-copies/run-copies.ts';
import { updateRunCopy } from '../run-copies/store.ts';
import type { ActAction } from './act-rules.ts';
import { ATTEMPTS, textOf } from './acts.ts';
import { type LineActs, type SealedLine, toldOf } from './line-acts.ts';
import { plainFileOf } from './plain-pdf.ts';
import { type AcceptBody, methodOf, type SignBody } from './proven-acts.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
  readonly presence: CallPresence;
  readonly lineActs: LineActs;
  readonly runCopies: RunCopies;
}

/** The owning company's own copy of a document of a run. */
export interface OwnersCopy extends RunRef {
  readonly documentId: string;
  /** Notes the act elsewhere, in its transaction. */
  readonly record: (writer: Writer) => Promise<void>;
}

interface Found {
  readonly line: Line;
  readonly copy: LineCopy;
}

/** How the owner of a company signs and accepts the company's own copies of documents of runs (wire 13.14). */
export class OwnerActs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws {PlatformError} flows.no_document, documents.not_signable, documents.content_mismatch, documents.content_required,
   *   those of sealing and of proofs
   */
  async sign(request: FastifyRequest, own: OwnersCopy, body: SignBody): Promise<FlowRunDocument> {
    const name = `sign document ${own.documentId} ${body.content_sha256}`;
    return this.#perform(request, own, { ...body, action: 'signed', name });
  }

  /** @throws {PlatformError} as `sign`, documents.not_acceptable */
  async accept(request: FastifyRequest, own: OwnersCopy, body: AcceptBody): Promise<FlowRunDocument> {
    const name = `accept document ${own.documentId} ${body.content_sha256 ?? '-'}`;
    return this.#perform(request, own, { ...body, action: 'accepted', name });
  }

  async #perform(
    request: FastifyRequest,
    own: OwnersCopy,
    given: (SignBody | AcceptBody) & { readonly action: ActAction; readonly name: string },
  ): Promise<FlowRunDocument> {
    const { clock, database, lineActs, presence } = this.#deps;
    const { action, proof, pdf } = given;
    const first = await this.#require(database.reader, own);
    if (!stands(first, action)) {
      refuseUnasked(first, action, given.content_sha256);
      if (sealsWith(first, action)) textOf({ pdf });
      if (proof?.kind === 'challenge') throw new PlatformError('documents.challenge_invalid');
      const method = proof === undefined ? null : await methodOf(presence, request, given.name, proof);
      const act: LineAct = {
        ...{ action, method, content_sha256: first.copy.row.plain_sha256, created_at: clock.now() },
        signer_first_name: 'first_name' in given ? given.first_name : null,
        signer_last_name: 'last_name' in given ? given.last_name : null,
        // The identity of a company's owner is not verified.
        signer_name_verified: 'first_name' in given ? 0 : null,
      };
      let file: Buffer | undefined;
      for (let attempt = 1; ; attempt++) {
        if (attempt > ATTEMPTS) throw refusal();
        const found = await this.#require(database.reader, own);
        if (stands(found, action)) break;
        let sealed: SealedLine | undefined;
        if (sealsWith(found, action)) {
          file ??= await plainFileOf(textOf({ pdf }), found.copy.row.plain_sha256);
          sealed = await lineActs.seal(found.line, own.documentId, act, file);
        }
        if (await this.#commit(own, act, sealed)) break;
      }
    }
    return this.#view(own);
  }

  /** @returns false when another act came first so that this one has another effect */
  async #commit(own: OwnersCopy, act: LineAct, sealed: SealedLine | undefined): Promise<boolean> {
    const { database, lineActs } = this.#deps;
    const told = await writeLocked(database, 'services', own.serviceId, async (writer) => {
      const found = await this.#require(writer, own);
      const action = act.action as ActAction;
      if (stands(found, action)) return [];
      refuseUnasked(found, action, act.content_sha256);
      if (sealsWith(found, action) !== (sealed !== undefined)) return undefined;
      if (sealed !== undefined && !(await lineActs.isCurrent(writer, found.line, sealed))) return undefined;
      const at = act.created_at;
      const seal = sealed && (await lineActs.store(writer, found.line, sealed, at));
      const done = withAct(found, action);
      const acts = [...found.copy.acts, act];
      const change = { ...seal, status: statusAfter(done, sealed !== undefined), updated_at: at };
      const { status, updated_at } = change;
      await updateRunCopy(writer, found.copy.row, { acts: JSON.stringify(acts), status, updated_at });
      await own.record(writer);
      const { line, copy } = await this.#require(writer, own);
      const others = isDone(done)
        ? await lineActs.advance(writer, line, { documentId: own.documentId, seal, at })
        : { changes: [], raised: undefined };
      const isChanged = status !== found.copy.status;
      const ours = isChanged ? changeOf(copy, change, line, signerOf(line)) : [];
      const changes = [...ours, ...others.changes];
      await raiseStatusChanges(this.#deps, writer, changes, others.raised);
      return toldOf(others.changes);
    });
    for (const document of told ?? []) this.#tell(document);
    return told !== undefined;
  }

  #tell({ id, customer_id, customer_type, customer_region }: ListedDocument): void {
    if (customer_id === null || customer_type !== 'person') return;
    this.#deps.personSignals.tell(customer_id, { kind: 'document', id, push: true }, customer_region);
  }

  async #require(reader: Reader, own: OwnersCopy): Promise<Found> {
    const line = await lineOf(reader, own.documentId);
    const copy = line?.find(({ row }) => row.document_id === own.documentId);
    if (line === undefined || copy === undefined || !isOf(copy, own))
      throw new PlatformError('flows.no_document');
    return { line, copy };
  }

  async #view({ runId, documentId }: OwnersCopy): Promise<FlowRunDocument> {
    const { database, runCopies } = this.#deps;
    const documents = (await runCopies.ofRuns(database.reader, [runId])).get(runId);
    const document = documents?.find(({ document_id }) => document_id === documentId);
    if (document === undefined) throw new PlatformError('flows.no_document');
    const { party_key: _, ...view } = document;
    return view;
  }
}

const isOf = ({ row }: LineCopy, own: OwnersCopy): boolean =>
  row.is_owner === 1 &&
  row.company_id === own.companyId &&
  row.service_id === own.serviceId &&
  row.flow_id === own.flowId &&
  row.run_id === own.runId;

const stands = ({ copy }: Found, action: ActAction): boolean =>
  copy.acts.some((act) => act.action === action);

/** The copy as it is when the act is done. */
function withAct({ copy }: Found, action: ActAction): LineCopy {
  return { ...copy, acts: [...copy.acts, { action } as LineAct] };
}

function statusAfter(copy: LineCopy, isSealed: boolean): DocumentStatus {
  // Until the other parties have acted, the copy stays as it was.
  if (isDone(copy)) return isSealed ? 'active' : copy.status;
  return copy.acts.some(({ action }) => action === 'signed') ? 'offering' : openStatus(copy.row);
}

/** Whether everybody has done everything with this act. */
const sealsWith = (found: Found, action: ActAction): boolean =>
  isDone(withAct(found, action)) && isLast(found.line, found.copy.row.document_id);

/** @throws {PlatformError} documents.not_signable, documents.not_acceptable, documents.content_mismatch */
function refuseUnasked({ copy }: Found, action: ActAction, digest: string | null | undefined): void {
  const { row, status } = copy;
  const isAsked = action === 'signed' ? row.requires_signature : row.requires_acceptance;
  if (isAsked !== 1 || (status !== 'ready_to_sign' && status !== 'offering'))
    throw new PlatformError(action === 'signed' ? 'documents.not_signable' : 'documents.not_acceptable');
  if (digest !== row.plain_sha256) throw new PlatformError('documents.content_mismatch');
}
