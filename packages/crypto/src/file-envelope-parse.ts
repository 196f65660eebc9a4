import { decodeBase64 } from './base64.ts';
import type { Bytes } from './bytes.ts';
import { splitDataUri } from './data-uri.ts';
import { CryptoError } from './errors.ts';

/** What a sealed file holds once opened. Tell the three apart by `kind`. */
export type FileEnvelope = PhotoEnvelope | SingleFileEnvelope | PagesEnvelope;

export type PhotoEnvelope = { kind: 'photo'; full: EnvelopeFile; thumb?: EnvelopeFile };
export type SingleFileEnvelope = {
  kind: 'file';
  file: EnvelopeFile;
  name?: string;
  entries: EnvelopeEntries;
};
export type PagesEnvelope = { kind: 'pages'; pages: EnvelopePage[]; entries: EnvelopeEntries };
export type EnvelopePage = EnvelopeFile & { label: PageLabel; originalName: string };
export type PageLabel = (typeof PAGE_LABELS)[number];

/** Declared metadata beside the file, by key. Has no prototype: `constructor` and `__proto__` are legal keys. */
export type EnvelopeEntries = Readonly<Record<string, string>>;

export type EnvelopeFile = {
  /** The type in the envelope, else the type of the data URI. Check the bytes before you trust it. */
  mimeType: string;
  /** The number of decoded bytes, whatever the envelope declares. */
  size: number;
  originalName?: string;
  /** Decodes again on every call. Never throws. */
  bytes(): Bytes;
};

/**
 * Reads the plaintext of a file in any of its three shapes. The whole text is checked now; the bytes are decoded on
 * demand. A member that is `null` counts as absent.
 *
 * @throws CryptoError `envelope_malformed`
 */
export function parseFileEnvelope(text: string): FileEnvelope {
  const members = readObject(parseJson(text));
  if (members.has('full')) return readPhoto(members);
  if (members.has('pages')) return readPages(members);
  return readSingleFile(members);
}

/** Whether a metadata entry may have this key: it must not be a member of the envelope. */
export function isEntryKey(key: string, kind: 'file' | 'pages'): boolean {
  return /^[a-z0-9_]{1,40}$/.test(key) && !OWN_MEMBERS[kind].includes(key) && !DISCRIMINATORS.includes(key);
}

export function isPageLabel(label: unknown): label is PageLabel {
  return PAGE_LABELS.some((known) => known === label);
}

function readPhoto(members: Members): PhotoEnvelope {
  onlyMembers(members, ['full', 'thumb']);
  const thumb = optionalText(members, 'thumb');
  const full = lazyFile(requiredText(members, 'full'));
  return { kind: 'photo', full, ...(thumb !== undefined && { thumb: lazyFile(thumb) }) };
}

function readSingleFile(members: Members): SingleFileEnvelope {
  const name = optionalText(members, 'name');
  const file = readFile(members);
  return { kind: 'file', file, ...(name !== undefined && { name }), entries: readEntries(members, 'file') };
}

function readPages(members: Members): PagesEnvelope {
  const pages = members.get('pages');
  if (!Array.isArray(pages) || pages.length === 0) throw new CryptoError('envelope_malformed');
  return { kind: 'pages', pages: pages.map(readPage), entries: readEntries(members, 'pages') };
}

function readPage(value: unknown): EnvelopePage {
  const members = readObject(value);
  onlyMembers(members, ['label', 'file', 'original_name', 'mime_type', 'size']);
  const label = members.get('label');
  if (!isPageLabel(label)) throw new CryptoError('envelope_malformed');
  return { ...readFile(members), label, originalName: requiredText(members, 'original_name') };
}

function readFile(members: Members): EnvelopeFile {
  const declaredSize = members.get('size') ?? 0;
  if (!Number.isSafeInteger(declaredSize) || Number(declaredSize) < 0) {
    throw new CryptoError('envelope_malformed');
  }
  const originalName = optionalText(members, 'original_name');
  const file = lazyFile(requiredText(members, 'file'), optionalText(members, 'mime_type'));
  return { ...file, ...(originalName !== undefined && { originalName }) };
}

function lazyFile(dataUri: string, declaredType?: string): EnvelopeFile {
  const { mimeType, base64, size } = splitDataUri(dataUri);
  return { mimeType: declaredType || mimeType, size, bytes: () => decodeBase64(base64) };
}

function readEntries(members: Members, kind: 'file' | 'pages'): EnvelopeEntries {
  const entries: Record<string, string> = Object.create(null);
  for (const key of members.keys()) {
    if (OWN_MEMBERS[kind].includes(key)) continue;
    if (!isEntryKey(key, kind)) throw new CryptoError('envelope_malformed');
    const text = optionalText(members, key);
    if (text !== undefined) entries[key] = text;
  }
  return entries;
}

function requiredText(members: Members, name: string): string {
  const text = optionalText(members, name);
  if (text === undefined) throw new CryptoError('envelope_malformed');
  return text;
}

function optionalText(members: Members, name: string): string | undefined {
  const value = members.get(name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw new CryptoError('envelope_malformed');
  return value;
}

function onlyMembers(members: Members, names: string[]): void {
  for (const name of members.keys()) if (!names.includes(name)) throw new CryptoError('envelope_malformed');
}

function readObject(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CryptoError('envelope_malformed');
  }
  return new Map(Object.entries(value));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CryptoError('envelope_malformed');
  }
}

type Members = ReadonlyMap<string, unknown>;

const PAGE_LABELS = ['front', 'back', 'additional'] as const;
const DISCRIMINATORS = ['full', 'pages', 'file'];
const OWN_MEMBERS = {
  file: ['file', 'original_name', 'mime_type', 'size', 'name'],
  pages: ['pages'],
};
