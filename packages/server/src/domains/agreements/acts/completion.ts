import type { SealedFacts } from '@symbolon/pdf';
import { FairTurns } from '../../../core/fair-turns.ts';
import type { BlobRef } from '../../../core/large-text.ts';
import { fileText, storedFile } from '../../../core/stored-file.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { CustomersDocument } from '../documents/customer-store.ts';
import { putFile } from '../documents/store.ts';
import type { DocumentActRow, DocumentFileRow, DocumentRow } from '../documents/tables.ts';
import { agreedTerms } from '../documents/terms.ts';
import type { DocumentParts } from '../documents/views.ts';
import type { SealedPdf, Seals } from '../seal/seals.ts';
import { isPdf } from './plain-pdf.ts';
import { sealedCopy } from './sealed-copy.ts';
import { type Parties, partiesOf } from './store.ts';

/** A sealed file that is stored for each party and that no row names yet. */
export interface SealedDocument {
  readonly sealed: Pick<SealedPdf, 'level' | 'sha256'>;
  readonly parties: Parties;
  readonly copies: readonly { readonly party: DocumentFileRow['party']; readonly blob: BlobRef }[];
}

/** Documents of one company that are sealed at a time, and that wait: files that take long hold up their company alone. */
export const OF_ONE_COMPANY = { perParty: 2, waitingMost: 32 };
/** For each process that reads files: while one document waits for a timestamp, others are read. */
export const OF_EACH_PROCESS = 4;

interface Deps extends Pick<Core, 'config' | 'database' | 'ids'> {
  readonly blobs: Blobs;
  readonly seals: Seals;
}

/** Seals the file of a document whose last act is under way, and stores what each party gets of it. */
export class Completion {
  readonly #deps: Deps;
  readonly #turns: FairTurns;

  constructor(deps: Deps) {
    this.#deps = deps;
    const inAll = deps.config.seal.processes * OF_EACH_PROCESS;
    this.#turns = new FairTurns({ ...OF_ONE_COMPANY, inAll });
  }

  /**
   * @param act the last one
   * @param file whose digest is the document's
   * @returns undefined for a file that is accepted without a seal: it is no PDF
   * @throws {PlatformError} documents.pdf_unsupported, documents.seal_unavailable, photos.unavailable,
   *   rate_limit.exceeded
   */
  async seal(
    document: CustomersDocument,
    { acts, file: stored }: DocumentParts,
    act: DocumentActRow,
    file: Buffer,
  ): Promise<SealedDocument | undefined> {
    if (document.requires_signature !== 1 && !isPdf(file)) return undefined;
    const { blobs, database, seals } = this.#deps;
    const parties = await partiesOf(database.reader, document);
    if (parties === undefined) throw new Error(`A party of document ${document.id} is gone.`);
    const all = [...acts, act];
    const facts = factsOf(document, parties, stored, all);
    const { bytes, ...sealed } = await this.#turns.run(document.company_id, () => seals.seal(file, facts));
    const pdf = { bytes, name: `${agreedTerms(document).name}.pdf` };
    const copies: SealedDocument['copies'][number][] = [];
    for (const [party, key] of [
      ['customer', parties.customerKey],
      ['service', parties.serviceKey],
    ] as const)
      copies.push({ party, blob: await blobs.keepStream(await sealedCopy(pdf, key)) });
    return { sealed, parties, copies };
  }

  /** Whether the copies still are for the keys that the parties have. */
  async isCurrent(
    writer: Writer,
    document: CustomersDocument,
    { parties }: SealedDocument,
  ): Promise<boolean> {
    const now = await partiesOf(writer, document);
    return now?.serviceKey === parties.serviceKey && now.customerKey === parties.customerKey;
  }

  /** Puts the sealed copies in the place of what the parties had. @returns what changes of the document */
  async store(
    writer: Writer,
    { company_id, service_id, id }: CustomersDocument,
    { sealed, copies }: SealedDocument,
    at: number,
  ): Promise<Pick<DocumentRow, 'sealed_at' | 'sealed_sha256' | 'seal_level'>> {
    const { blobs, ids } = this.#deps;
    for (const { party, blob } of copies) {
      await blobs.holdOn(writer, blob.hash);
      await putFile(writer, {
        company_id,
        service_id,
        document_id: id,
        party,
        value: fileText({ id: ids.uuid(), hash: blob.hash, bytes: blob.bytes, form: 'sealed' }),
        original_name: null,
        created_at: at,
      });
    }
    return { sealed_at: at, sealed_sha256: sealed.sha256, seal_level: sealed.level };
  }
}

function factsOf(
  document: CustomersDocument,
  { customerName }: Parties,
  file: DocumentFileRow | undefined,
  acts: readonly DocumentActRow[],
): SealedFacts {
  const copy = storedFile(file?.value ?? null)?.hash;
  const last = acts.at(-1);
  return {
    documentName: agreedTerms(document).name,
    sha256: document.plain_sha256 ?? '',
    sentBy: document.company_name,
    sentAt: file?.created_at ?? document.created_at,
    sealedAt: last?.created_at ?? document.updated_at,
    acts: acts.flatMap(({ action, method, created_at, ...signer }) =>
      action === 'cancelled'
        ? []
        : {
            action,
            name: nameOf(signer) ?? customerName,
            nameVerified: signer.signer_name_verified === 1,
            ...(document.customer_type === 'company' && { onBehalfOf: customerName }),
            ...(method !== null && { method }),
            at: created_at,
            ...(document.viewed_at !== null && { viewedAt: document.viewed_at }),
            ...(copy !== undefined && { contentSha256: copy }),
          },
    ),
  };
}

/** Undefined when the act has no name: only signatures do. */
function nameOf({
  signer_first_name: first,
  signer_last_name: last,
}: Pick<DocumentActRow, 'signer_first_name' | 'signer_last_name'>): string | undefined {
  return first === null || last === null ? undefined : `${first} ${last}`;
}
