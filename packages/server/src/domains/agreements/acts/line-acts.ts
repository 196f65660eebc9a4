import type { SealedFacts } from '@symbolon/pdf';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import type { BlobRef } from '../../../core/large-text.ts';
import { fileText } from '../../../core/stored-file.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { RaisedTogether, StatusChange } from '../documents/document-events.ts';
import { type ListedDocument, putFile, updateDocument } from '../documents/store.ts';
import type { DocumentRow } from '../documents/tables.ts';
import type { SignedRuns } from '../ports.ts';
import {
  type CopyChange,
  changeOf,
  isLast,
  type Line,
  type LineAct,
  type LineCopy,
  nextOf,
  openStatus,
  signerOf,
} from '../run-copies/lines.ts';
import type { RunCopies } from '../run-copies/run-copies.ts';
import { updateRunCopy } from '../run-copies/store.ts';
import type { SealedPdf, Seals } from '../seal/seals.ts';
import { OF_EACH_PROCESS, OF_ONE_COMPANY } from './completion.ts';
import { sealedCopy } from './sealed-copy.ts';
import { companyOf, type Parties, partiesOf } from './store.ts';

/** The sealed file of a line, stored for each party, that no row names yet. */
export interface SealedLine {
  readonly sealed: Pick<SealedPdf, 'level' | 'sha256'>;
  readonly service: { readonly key: string; readonly blob: BlobRef };
  /** By the ids of the documents. */
  readonly customers: ReadonlyMap<string, { readonly key: string; readonly blob: BlobRef }>;
}

/** What an act on one copy changes of the others. */
export interface Advanced {
  readonly changes: readonly StatusChange[];
  readonly raised: RaisedTogether;
}

/** The documents whose customers hear of a change. */
export const toldOf = (changes: readonly StatusChange[]): ListedDocument[] =>
  changes.filter(({ onlyService }) => !onlyService).map(({ document }) => document);

interface Deps extends Pick<Core, 'config' | 'database' | 'ids'> {
  readonly blobs: Blobs;
  readonly seals: Seals;
  readonly runCopies: RunCopies;
  readonly signedRuns: SignedRuns;
}

const NOTHING: RaisedTogether = { events: [], onAccounts: [] };

/** What acts on the documents of runs have beside: a line of copies that are sealed together (wire 13.14). */
export class LineActs {
  readonly #deps: Deps;
  readonly #turns: FairTurns;

  constructor(deps: Deps) {
    this.#deps = deps;
    const inAll = deps.config.seal.processes * OF_EACH_PROCESS;
    this.#turns = new FairTurns({ ...OF_ONE_COMPANY, inAll });
  }

  /**
   * Seals the file for all parties.
   * @param act the last one, on the copy `documentId`
   * @throws {PlatformError} documents.pdf_unsupported, documents.seal_unavailable, rate_limit.exceeded
   */
  async seal(line: Line, documentId: string, act: LineAct, file: Buffer): Promise<SealedLine> {
    const { blobs, database, seals } = this.#deps;
    const [first] = line;
    if (first === undefined) throw new Error('A line has copies.');
    const company = await companyOf(database.reader, first.row);
    const parties = await this.#parties(database.reader, line);
    if (company === undefined) throw new PlatformError('documents.not_found');
    const facts = factsOf(line, { documentId, act, companyName: company.name, parties });
    const { bytes, ...sealed } = await this.#turns.run(first.row.company_id, () => seals.seal(file, facts));
    const pdf = { bytes, name: `${first.row.name}.pdf` };
    const keep = async (key: string) => ({ key, blob: await blobs.keepStream(await sealedCopy(pdf, key)) });
    const customers = new Map<string, Awaited<ReturnType<typeof keep>>>();
    for (const [id, { customerKey }] of parties) customers.set(id, await keep(customerKey));
    return { sealed, service: await keep(company.serviceKey), customers };
  }

  /** Whether the copies still are for the keys that the parties have, and for these parties. */
  async isCurrent(writer: Writer, line: Line, sealed: SealedLine): Promise<boolean> {
    const [first] = line;
    const company = first && (await companyOf(writer, first.row));
    const parties = await this.#parties(writer, line);
    return (
      company?.serviceKey === sealed.service.key &&
      parties.size === sealed.customers.size &&
      [...parties].every(([id, { customerKey }]) => sealed.customers.get(id)?.key === customerKey)
    );
  }

  /** Puts the sealed copies in the place of what the parties had. @returns what changes of each customer's copy */
  async store(
    writer: Writer,
    line: Line,
    { sealed, service, customers }: SealedLine,
    at: number,
  ): Promise<Pick<DocumentRow, 'sealed_at' | 'sealed_sha256' | 'seal_level'>> {
    const { blobs } = this.#deps;
    for (const { blob } of [service, ...customers.values()]) await blobs.holdOn(writer, blob.hash);
    for (const { row, document } of line) {
      if (row.is_owner === 1) await updateRunCopy(writer, row, { value: this.#text(service.blob) });
      const own = customers.get(row.document_id);
      if (document === undefined || own === undefined) continue;
      for (const [party, blob] of [
        ['customer', own.blob],
        ['service', service.blob],
      ] as const)
        await putFile(writer, {
          ...{ company_id: row.company_id, service_id: row.service_id, document_id: row.document_id, party },
          ...{ value: this.#text(blob), original_name: null, created_at: at },
        });
    }
    return { sealed_at: at, sealed_sha256: sealed.sha256, seal_level: sealed.level };
  }

  /**
   * Opens the next copy when one is done, or makes all others active with their seal.
   * @param line as it is with the act
   */
  async advance(
    writer: Writer,
    line: Line,
    { documentId, seal, at }: { documentId: string; seal: Partial<DocumentRow> | undefined; at: number },
  ): Promise<Advanced> {
    const { runCopies, signedRuns } = this.#deps;
    if (!isLast(line, documentId)) {
      const next = nextOf(line, documentId);
      if (next?.status !== 'waiting') return { changes: [], raised: NOTHING };
      const change = { status: openStatus(next.row), updated_at: at };
      await this.#change(writer, next, change);
      return { changes: changeOf(next, change, line), raised: NOTHING };
    }
    const change = { ...seal, status: 'active', updated_at: at } as const;
    const others = line.filter((copy) => copy.row.document_id !== documentId);
    for (const copy of others) await this.#change(writer, copy, change);
    const changes = others.flatMap((copy) => changeOf(copy, change, line, signerOf(line)));
    const [{ row }] = line as [LineCopy];
    const all = (await runCopies.ofRuns(writer, [row.run_id])).get(row.run_id) ?? [];
    const isWhole = all.every(
      ({ document_id, document_status }) => document_id === documentId || document_status === 'active',
    );
    const run = { companyId: row.company_id, serviceId: row.service_id, runId: row.run_id };
    return { changes, raised: isWhole ? await signedRuns.completed(writer, run) : NOTHING };
  }

  async #change(writer: Writer, { row, document }: LineCopy, change: CopyChange): Promise<void> {
    const { status, updated_at } = change;
    if (row.is_owner === 1) await updateRunCopy(writer, row, { status, updated_at });
    else if (document !== undefined) await updateDocument(writer, document, change);
  }

  /** Of the customers, by the ids of their documents. */
  async #parties(reader: Reader, line: Line): Promise<Map<string, Parties>> {
    const found = new Map<string, Parties>();
    for (const { document } of line) {
      const parties = document && (await partiesOf(reader, document));
      if (document !== undefined && parties !== undefined) found.set(document.id, parties);
    }
    return found;
  }

  #text({ hash, bytes }: BlobRef): string {
    return fileText({ id: this.#deps.ids.uuid(), hash, bytes, form: 'sealed' });
  }
}

function factsOf(
  line: Line,
  last: {
    documentId: string;
    act: LineAct;
    companyName: string;
    parties: ReadonlyMap<string, Parties>;
  },
): SealedFacts {
  const [{ row }] = line as [LineCopy];
  const acts = line.flatMap((copy) => {
    const own = copy.row.document_id === last.documentId ? [...copy.acts, last.act] : copy.acts;
    const name = last.parties.get(copy.row.document_id)?.customerName ?? last.companyName;
    const isCompany = copy.row.is_owner === 1 || copy.document?.customer_type === 'company';
    const viewedAt = copy.document?.viewed_at ?? null;
    return own.flatMap((act) =>
      act.action === 'cancelled'
        ? []
        : {
            action: act.action,
            name: nameOf(act) ?? name,
            nameVerified: act.signer_name_verified === 1,
            ...(isCompany && { onBehalfOf: name }),
            ...(act.method !== null && { method: act.method }),
            at: act.created_at,
            ...(viewedAt !== null && { viewedAt }),
          },
    );
  });
  return {
    documentName: row.name,
    sha256: row.plain_sha256,
    sentBy: last.companyName,
    sentAt: row.created_at,
    sealedAt: last.act.created_at,
    acts: acts.sort((a, b) => a.at - b.at),
  };
}

function nameOf({ signer_first_name: first, signer_last_name: last }: LineAct): string | undefined {
  return first === null || last === null ? undefined : `${first} ${last}`;
}
