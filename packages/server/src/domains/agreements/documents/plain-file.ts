import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { base64Length } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { LargeSource } from '../../../core/large-text.ts';

/** The media types of files that documents for all customers may have, by the extensions of their names. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.pdf', 'application/pdf'],
  ['.doc', 'application/msword'],
  ['.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['.xls', 'application/vnd.ms-excel'],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
]);
const ANY_TYPE = 'application/octet-stream';
/** The part of a data URI in front of its bytes. */
const HEAD = /^data:([\w.+-]{1,60}\/[\w.+-]{1,120})(?:;[\w.+-]{1,60}=[\w.+%-]{0,200})*;base64,/;
const HEAD_MOST = 600;

/** A file as it is, from the text of its data URI. */
export interface PlainFile extends LargeSource {
  readonly type: string;
}

/**
 * Reads the file in a data URI, in pieces.
 * @param name what the file is called: its extension says what it may be
 * @throws {PlatformError} documents.invalid_payload, documents.bad_mime, documents.too_large
 */
export async function plainFile(text: LargeSource, name: string): Promise<PlainFile> {
  const head = await headOf(text);
  const type = TYPES.get(extname(name).toLowerCase());
  const told = head.type.toLowerCase();
  if (type === undefined || (told !== type && told !== ANY_TYPE))
    throw new PlatformError('documents.bad_mime');
  const open = () => Readable.from(decoded(text.open(), head.length), { objectMode: false });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of open()) {
    bytes += (piece as Buffer).length;
    if (bytes > limits.fileBytes) throw new PlatformError('documents.too_large');
    hash.update(piece as Buffer);
  }
  if (bytes === 0) throw new PlatformError('documents.invalid_payload');
  return { type, bytes, sha256: hash.digest('hex'), open };
}

async function headOf(text: LargeSource): Promise<{ type: string; length: number }> {
  let head = '';
  for await (const piece of text.open()) {
    head += (piece as Buffer).subarray(0, HEAD_MOST - head.length).toString('latin1');
    if (head.length >= HEAD_MOST || head.includes(',')) break;
  }
  const [all, type] = HEAD.exec(head) ?? [];
  if (all === undefined || type === undefined) throw new PlatformError('documents.invalid_payload');
  return { type, length: all.length };
}

/**
 * Decodes strict base64, in pieces.
 * @param skipped how much stands in front of it
 * @throws {PlatformError} documents.invalid_payload
 */
export async function* decoded(text: Readable, skipped = 0): AsyncGenerator<Buffer> {
  let toSkip = skipped;
  // Padding may stand in the last group alone, and any group may be the last.
  let rest = '';
  for await (const piece of text) {
    const bytes = piece as Buffer;
    const from = Math.min(toSkip, bytes.length);
    toSkip -= from;
    const groups = rest + bytes.toString('latin1', from);
    const end = Math.max(0, Math.ceil(groups.length / 4) - 1) * 4;
    rest = groups.slice(end);
    const ready = groups.slice(0, end);
    if (ready.endsWith('=')) throw new PlatformError('documents.invalid_payload');
    if (ready !== '') yield bytesOf(ready);
  }
  if (rest !== '') yield bytesOf(rest);
}

function bytesOf(groups: string): Buffer {
  if (base64Length(groups) === undefined) throw new PlatformError('documents.invalid_payload');
  return Buffer.from(groups, 'base64');
}

/**
 * The content type under which a file is served: clients take an answer whose type contains `json` or `xml` anywhere for
 * structured (wire 4.3).
 */
export const servedType = (type: string): string => (/json|xml/i.test(type) ? ANY_TYPE : type);
