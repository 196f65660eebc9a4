import type { FileEnvelope } from '@symbolon/crypto';
import type { Transfer } from '../http/progress.ts';

/** One file of a binary answer. */
export type BinaryFile = {
  /** Of a page: `front`, `back` or `additional`; of a photo: `full` or `thumb`. */
  label: string | null;
  name: string | null;
  /** The type that the sender declared. Check the bytes before you trust it. */
  mimeType: string;
  bytes: Uint8Array;
};

/** What a binary answer holds (wire 4.3). */
export type BinaryContent = {
  /** `encrypted` was sealed, `envelope` has declared entries beside the files, `raw` is only the file. */
  source: 'encrypted' | 'envelope' | 'raw';
  files: readonly BinaryFile[];
  /** Declared metadata such as `document_number`. Has no prototype. */
  entries: Readonly<Record<string, string>>;
  /** Computed from the opened envelope; a raw file has no attestation. */
  verified: boolean;
  /** Lower-case hex SHA-256 that the platform sent with the file; it was checked. Null when it sent none. */
  contentSha256: string | null;
};

/** A file answer, fetched only when opened. */
export class BinaryHandle {
  /** Where the file is served, relative to the region's base; null for an expired answer without address. */
  readonly path: string | null;
  /** When a share-once answer expired; opening one gives `GoneError` `company_data.file_expired`. */
  readonly expiredAt: string | null;
  readonly contentSha256: string | null;
  readonly #open: (transfer: Transfer) => Promise<BinaryContent>;

  constructor(
    facts: { path: string | null; expiredAt: string | null; contentSha256: string | null },
    open: (transfer: Transfer) => Promise<BinaryContent>,
  ) {
    this.path = facts.path;
    this.expiredAt = facts.expiredAt;
    this.contentSha256 = facts.contentSha256;
    this.#open = open;
  }

  /**
   * Fetches the file, and decrypts it when it is sealed. Nothing is cached: every call fetches again.
   *
   * @throws GoneError when it expired; DecryptionError `sdk.unreadable` when the key does not open it,
   * `sdk.key_missing` without a key; TransportError `sdk.digest_mismatch` when the bytes are not those announced
   */
  open(transfer: Transfer = {}): Promise<BinaryContent> {
    return this.#open(transfer);
  }
}

/** The files and entries of an opened envelope. */
export function contentOfEnvelope(envelope: FileEnvelope): Pick<BinaryContent, 'files' | 'entries'> {
  switch (envelope.kind) {
    case 'photo': {
      const full = fileOf(envelope.full, 'full');
      return {
        files: envelope.thumb ? [full, fileOf(envelope.thumb, 'thumb')] : [full],
        entries: noEntries(),
      };
    }
    case 'file': {
      const { file, name, entries } = envelope;
      return { files: [fileOf(name === undefined ? file : { originalName: name, ...file }, null)], entries };
    }
    case 'pages':
      return { files: envelope.pages.map((page) => fileOf(page, page.label)), entries: envelope.entries };
  }
}

export function noEntries(): Readonly<Record<string, string>> {
  return Object.freeze(Object.create(null));
}

function fileOf(
  file: { mimeType: string; originalName?: string; bytes(): Uint8Array },
  label: string | null,
): BinaryFile {
  return { label, name: file.originalName ?? null, mimeType: file.mimeType, bytes: file.bytes() };
}
