import { PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { refusal } from '../../../core/turns.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { type GivenName, nameIsVerified } from '../../people/index.ts';
import { type CustomersDocument, customersDocument } from '../documents/customer-store.ts';
import { lastSigner, raiseStatusChanges } from '../documents/document-events.ts';
import { insertAct, type ListedDocument, partsOf, updateDocument } from '../documents/store.ts';
import type { DocumentActRow } from '../documents/tables.ts';
import { type DocumentParts, partsFor } from '../documents/views.ts';
import { type Line, lineOf, signerOf } from '../run-copies/lines.ts';
import { type ActContent, type ActEffect, effectOf, standingAct } from './act-rules.ts';
import type { Completion, SealedDocument } from './completion.ts';
import { type LineActs, type SealedLine, toldOf } from './line-acts.ts';
import { plainFileOf } from './plain-pdf.ts';

/** What a customer does with a document. */
export interface GivenAct extends ActContent {
  /** How the server found that it is the customer; null where nothing was to be proved. */
  readonly method: DocumentActRow['method'];
  /** Of a signature. */
  readonly name?: GivenName;
  /** The file, base64, where the act completes the document. */
  readonly pdf: LargeText | undefined;
  /** Notes it elsewhere, in its transaction. */
  readonly record?: (writer: Writer, row: DocumentActRow) => Promise<void>;
}

/** Another change came first so many times: the customer tries again later. */
export const ATTEMPTS = 3;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
  readonly completion: Completion;
  readonly lineActs: LineActs;
}

/** What an attempt found. */
interface Found {
  readonly document: CustomersDocument;
  readonly parts: DocumentParts;
  /** Of a document of a run. */
  readonly line: Line | undefined;
}

/** A sealed file, of a document by itself or of one that a run made for several. */
type Sealed = { readonly alone: SealedDocument } | { readonly together: SealedLine };

/**
 * Signing and accepting (wire 11.3). An act happens once: repeated, also from another device, it finds the one that stands. The
 * act that completes a document with a digest seals its file and commits everything in one transaction: however it ends, the
 * document is as before or sealed for all parties.
 */
export class Acts {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Refuses what the act would be refused for, before a proof is used up for it.
   * @param admit refuses a caller whose copy is elsewhere, before anything about the document shows
   * @returns the document when the act is to be done; else that it stands already, or that the document is unknown here
   * @throws {PlatformError} documents.not_signable, documents.not_acceptable, documents.content_mismatch,
   *   documents.content_required
   */
  async look(
    customerId: string,
    id: string,
    act: Pick<GivenAct, 'action' | 'contentSha256' | 'pdf'>,
    admit?: () => Promise<unknown>,
  ): Promise<'stands' | 'unknown' | CustomersDocument> {
    const found = await this.#find(this.#deps.database.reader, customerId, id);
    if (found === undefined) return 'unknown';
    await admit?.();
    if (standingAct(found.parts.acts, act.action) !== undefined) return 'stands';
    if (effectIn(found, act).seals) textOf(act);
    return found.document;
  }

  /**
   * Does it, unless it stands already. The caller has checked the proof.
   * @throws {PlatformError} documents.not_found, what `look` throws, documents.invalid_payload, documents.too_large,
   *   documents.pdf_unsupported, documents.seal_unavailable, platform.busy
   */
  async perform(customerId: string, id: string, act: GivenAct): Promise<void> {
    let file: Buffer | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const found = await this.#require(this.#deps.database.reader, customerId, id);
      if (standingAct(found.parts.acts, act.action) !== undefined) return;
      const effect = effectIn(found, act);
      const row = await this.#rowOf(found.document, act, effect);
      let sealed: Sealed | undefined;
      if (effect.seals) {
        file ??= await plainFileOf(textOf(act), found.document.plain_sha256 ?? '');
        sealed = await this.#seal(found, row, file);
      }
      if (await this.#commit(customerId, row, { act, effect, sealed })) return;
    }
    throw refusal();
  }

  /** @returns false when the document changed meanwhile so that the act has another effect */
  async #commit(
    customerId: string,
    row: DocumentActRow,
    { act, effect, sealed }: { act: GivenAct; effect: ActEffect; sealed: Sealed | undefined },
  ): Promise<boolean> {
    const { database, lineActs } = this.#deps;
    const done = await database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [row.service_id]);
      const before = await this.#require(writer, customerId, row.document_id);
      if (standingAct(before.parts.acts, act.action) !== undefined) return { told: [] };
      // The connection does not end meanwhile: it cannot once the contract is active.
      await lock(database.engine, writer, 'connections', [before.document.link_id ?? '']);
      const found = await this.#require(writer, customerId, row.document_id);
      const { document } = found;
      const now = effectIn(found, act);
      if (now.seals !== effect.seals || now.status !== effect.status) return undefined;
      if (sealed !== undefined && !(await this.#isCurrent(writer, found, sealed))) return undefined;
      const at = row.created_at;
      const seal = sealed && (await this.#store(writer, found, sealed, at));
      await insertAct(writer, row);
      await act.record?.(writer, row);
      await updateDocument(writer, document, { status: now.status, updated_at: at, ...seal });
      const after = await this.#require(writer, customerId, row.document_id);
      const others =
        after.line && now.isDone
          ? await lineActs.advance(writer, after.line, { documentId: document.id, seal, at })
          : undefined;
      const changes = others?.changes ?? [];
      const signer = after.line ? signerOf(after.line) : lastSigner(after.parts.acts);
      const own = { document: after.document, act: row, signer };
      await raiseStatusChanges(this.#deps, writer, [own, ...changes], others?.raised);
      return { told: [document, ...toldOf(changes)] };
    });
    for (const document of done?.told ?? []) this.#tell(document, document.id !== row.document_id);
    return done !== undefined;
  }

  #tell({ id, customer_id, customer_type, customer_region }: ListedDocument, push: boolean): void {
    if (customer_id === null || customer_type !== 'person') return;
    this.#deps.personSignals.tell(
      customer_id,
      { kind: 'document', id, ...(push && { push }) },
      customer_region,
    );
  }

  async #seal(
    { document, parts, line }: Found,
    row: DocumentActRow,
    file: Buffer,
  ): Promise<Sealed | undefined> {
    const { completion, lineActs } = this.#deps;
    if (line !== undefined) return { together: await lineActs.seal(line, document.id, row, file) };
    const alone = await completion.seal(document, parts, row, file);
    return alone && { alone };
  }

  async #isCurrent(writer: Writer, { document, line }: Found, sealed: Sealed): Promise<boolean> {
    const { completion, lineActs } = this.#deps;
    if ('alone' in sealed) return completion.isCurrent(writer, document, sealed.alone);
    return line !== undefined && lineActs.isCurrent(writer, line, sealed.together);
  }

  async #store(writer: Writer, { document, line }: Found, sealed: Sealed, at: number) {
    const { completion, lineActs } = this.#deps;
    if ('alone' in sealed) return completion.store(writer, document, sealed.alone, at);
    return line && lineActs.store(writer, line, sealed.together, at);
  }

  async #rowOf(
    document: CustomersDocument,
    { action, method, name }: GivenAct,
    { contentSha256 }: ActEffect,
  ): Promise<DocumentActRow> {
    const { clock, database, ids } = this.#deps;
    const at = clock.now();
    const isVerified =
      document.customer_type === 'person' &&
      name !== undefined &&
      (await nameIsVerified(database.reader, document.customer_id ?? '', { name, now: at }));
    return {
      company_id: document.company_id,
      service_id: document.service_id,
      document_id: document.id,
      id: ids.uuid(),
      action,
      method,
      content_sha256: contentSha256,
      plain_sha256: document.plain_sha256,
      signer_first_name: name?.first_name ?? null,
      signer_last_name: name?.last_name ?? null,
      signer_name_verified: name === undefined ? null : flag(isVerified),
      note: null,
      effective_date: null,
      created_at: at,
    };
  }

  async #require(reader: Reader | Writer, customerId: string, id: string): Promise<Found> {
    const found = await this.#find(reader, customerId, id);
    if (found === undefined) throw new PlatformError('documents.not_found');
    return found;
  }

  async #find(reader: Reader, customerId: string, id: string): Promise<Found | undefined> {
    const document = await customersDocument(reader, customerId, id);
    if (document === undefined) return undefined;
    const parts = partsFor(document, await partsOf(reader, [document]));
    return { document, parts, line: await lineOf(reader, id) };
  }
}

const effectIn = ({ document, parts, line }: Found, act: ActContent): ActEffect =>
  effectOf(document, { acts: parts.acts, hasFile: parts.file !== undefined, line }, act);

/** @throws {PlatformError} documents.content_required */
export function textOf({ pdf }: Pick<GivenAct, 'pdf'>): LargeText {
  if (pdf === undefined) throw new PlatformError('documents.content_required');
  return pdf;
}
