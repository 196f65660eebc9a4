import { buildDataUri } from './data-uri.ts';
import { CryptoError } from './errors.ts';
import { type EnvelopeEntries, isEntryKey, isPageLabel, type PageLabel } from './file-envelope-parse.ts';

export type FileInput = { bytes: Uint8Array; mimeType: string };
export type NamedFileInput = FileInput & { originalName: string };
export type PageInput = NamedFileInput & { label: PageLabel };

/** The plaintext of a photo: JSON text `{full, thumb?}`, each a data URI. Throws `envelope_malformed`. */
export function buildPhotoEnvelope(photo: { full: FileInput; thumb?: FileInput }): string {
  const { full, thumb } = photo;
  return JSON.stringify({ full: buildDataUri(full), ...(thumb && { thumb: buildDataUri(thumb) }) });
}

/**
 * The plaintext of a file: JSON text `{file, original_name?, mime_type, size, name?, ...entries}`; `size` in bytes.
 *
 * @param input `entries` are what the field type declares beside the file, such as `document_number`
 * @throws CryptoError `envelope_malformed` for an entry named like a member of the envelope
 */
export function buildFileEnvelope(input: {
  file: FileInput & { originalName?: string };
  name?: string;
  entries?: EnvelopeEntries;
}): string {
  const { file, name, entries = {} } = input;
  checkEntries(entries, 'file');
  return JSON.stringify({
    file: buildDataUri(file),
    ...(file.originalName !== undefined && { original_name: file.originalName }),
    mime_type: file.mimeType,
    size: file.bytes.length,
    ...(name !== undefined && { name }),
    ...entries,
  });
}

/**
 * The plaintext of an identity document: JSON text `{pages:[{label, file, original_name, mime_type, size}],
 * ...entries}`.
 *
 * @throws CryptoError `envelope_malformed` without a page, and for an entry named like a member of the envelope
 */
export function buildPagesEnvelope(input: { pages: PageInput[]; entries?: EnvelopeEntries }): string {
  const { pages, entries = {} } = input;
  checkEntries(entries, 'pages');
  if (pages.length === 0) throw new CryptoError('envelope_malformed', 'An identity document needs a page.');
  return JSON.stringify({ pages: pages.map(buildPage), ...entries });
}

function buildPage(page: PageInput): Record<string, unknown> {
  if (!isPageLabel(page.label)) throw new CryptoError('envelope_malformed', 'The page has no known label.');
  return {
    label: page.label,
    file: buildDataUri(page),
    original_name: page.originalName,
    mime_type: page.mimeType,
    size: page.bytes.length,
  };
}

function checkEntries(entries: EnvelopeEntries, kind: 'file' | 'pages'): void {
  for (const [key, value] of Object.entries(entries)) {
    if (!isEntryKey(key, kind) || typeof value !== 'string') {
      throw new CryptoError(
        'envelope_malformed',
        'An entry has a name or a value that an envelope cannot hold.',
      );
    }
  }
}
