/** A file in the place of a value: what it is, and where its bytes are. */
export interface StoredFile {
  /** No two values have the same: each counts as a reference of its own to the blob. */
  readonly id: string;
  /** The blob: SHA-256 of its bytes, lower-case hex. It is also what the digest header says of the answer. */
  readonly hash: string;
  readonly bytes: number;
  /** What the bytes are: the text of a wrapper, the file itself, or the text of an envelope of files. */
  readonly form: 'sealed' | 'raw' | 'envelope';
  /** The content type of a raw file. */
  readonly type?: string;
}

/** What is left of a file that was kept for a limited time. */
export interface GoneFile {
  readonly sha256: string;
  /** Milliseconds. */
  readonly at: number;
}

/** How the text of a stored file begins; the triggers that count references look for it. */
export const FILE_TEXT = '{"file":{';
/** Where the hash begins in that text, from 1: behind an id of 36 characters. Indexes of the database know it. */
export const HASH_AT = 62;
const GONE_TEXT = '{"gone":{';

/** Whether a value is a file, or was one. */
export function isFileText(value: string): boolean {
  return value.startsWith(FILE_TEXT) || value.startsWith(GONE_TEXT);
}

/** What stands for a file in a column whose values else are wrappers. */
export function fileText(file: StoredFile): string {
  const { id, hash, bytes, form, type } = file;
  return JSON.stringify({ file: { id, hash, bytes, form, type } });
}

export function goneText({ sha256, at }: GoneFile): string {
  return JSON.stringify({ gone: { sha256, at } });
}

/** Undefined when the value is no file, or a file that is gone. */
export function storedFile(value: string | null): StoredFile | undefined {
  return value?.startsWith(FILE_TEXT) ? (JSON.parse(value) as { file: StoredFile }).file : undefined;
}

/** Undefined unless the value was a file. */
export function goneFile(value: string | null): GoneFile | undefined {
  return value?.startsWith(GONE_TEXT) ? (JSON.parse(value) as { gone: GoneFile }).gone : undefined;
}

/** A reference of its own to the same bytes. */
export function anotherFile(file: StoredFile, id: string): StoredFile {
  return { ...file, id };
}
