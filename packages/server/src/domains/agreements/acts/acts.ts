import { PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { refusal } from '../../../core/turns.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import { type GivenName, nameIsVerified, type PersonSignals } from '../../identity/index.ts';
import {
  type CustomersDocument,
  customersDocument,
  type DocumentActRow,
  type DocumentParts,
  insertAct,
  partsFor,
  partsOf,
  raiseStatusChanges,
  updateDocument,
} from '../documents/index.ts';
import { type ActContent, type ActEffect, effectOf, standingAct } from './act-rules.ts';
import type { Completion, SealedDocument } from './completion.ts';
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
const ATTEMPTS = 3;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
  readonly completion: Completion;
}

/** What an attempt found. */
interface Found {
  readonly document: CustomersDocument;
  readonly parts: DocumentParts;
}

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
   * @returns the document when the act is to be done; else that it stands already, or that the document is unknown here
   * @throws {PlatformError} documents.not_signable, documents.not_acceptable, documents.content_mismatch,
   *   documents.content_required
   */
  async look(
    customerId: string,
    id: string,
    act: Pick<GivenAct, 'action' | 'contentSha256' | 'pdf'>,
  ): Promise<'stands' | 'unknown' | CustomersDocument> {
    const found = await this.#find(this.#deps.database.reader, customerId, id);
    if (found === undefined) return 'unknown';
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
      let sealed: SealedDocument | undefined;
      if (effect.seals) {
        file ??= await plainFileOf(textOf(act), found.document.plain_sha256 ?? '');
        sealed = await this.#deps.completion.seal(found.document, found.parts, row, file);
      }
      if (await this.#commit(customerId, row, { act, effect, sealed })) return;
    }
    throw refusal();
  }

  /** @returns false when the document changed meanwhile so that the act has another effect */
  async #commit(
    customerId: string,
    row: DocumentActRow,
    { act, effect, sealed }: { act: GivenAct; effect: ActEffect; sealed: SealedDocument | undefined },
  ): Promise<boolean> {
    const { completion, database, personSignals } = this.#deps;
    const done = await database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [row.service_id]);
      const before = await this.#require(writer, customerId, row.document_id);
      if (standingAct(before.parts.acts, act.action) !== undefined) return { document: undefined };
      // The connection does not end meanwhile: it cannot once the contract is active.
      await lock(database.engine, writer, 'connections', [before.document.link_id ?? '']);
      const { document, parts } = await this.#require(writer, customerId, row.document_id);
      const now = effectIn({ document, parts }, act);
      if (now.seals !== effect.seals || now.status !== effect.status) return undefined;
      if (sealed !== undefined && !(await completion.isCurrent(writer, document, sealed))) return undefined;
      const at = row.created_at;
      const seal = sealed && (await completion.store(writer, document, sealed, at));
      await insertAct(writer, row);
      await act.record?.(writer, row);
      await updateDocument(writer, document, { status: now.status, updated_at: at, ...seal });
      const after = await this.#require(writer, customerId, row.document_id);
      await raiseStatusChanges(this.#deps, writer, [{ document: after.document, act: row }]);
      return { document };
    });
    if (done?.document?.customer_type === 'person')
      personSignals.tell(
        customerId,
        { kind: 'document', id: row.document_id },
        done.document.customer_region,
      );
    return done !== undefined;
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
    return document && { document, parts: partsFor(document, await partsOf(reader, [document])) };
  }
}

const effectIn = ({ document, parts }: Found, act: ActContent): ActEffect =>
  effectOf(document, { acts: parts.acts, hasFile: parts.file !== undefined }, act);

/** @throws {PlatformError} documents.content_required */
function textOf({ pdf }: Pick<GivenAct, 'pdf'>): LargeText {
  if (pdf === undefined) throw new PlatformError('documents.content_required');
  return pdf;
}
