import { type CryptoKey, encodeHex, openText, parseFileEnvelope } from '@symbolon/crypto';
import type { CustomerDocument } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import { DecryptionError, TransportError } from '../http/errors.ts';
import type { Transfer } from '../http/progress.ts';
import { jsonOf } from '../http/transport.ts';

/** A file of a document, as its customer holds it. */
export type OpenDocumentFile = { name: string; mimeType: string; bytes: Uint8Array<ArrayBuffer> };

/** What a document holds, with the lower-case hex SHA-256 of the bytes that one signs. */
export type DocumentContent =
  | { kind: 'json'; value: unknown; sha256: string }
  | { kind: 'file'; file: OpenDocumentFile; sha256: string };

type Parts = {
  api: Pick<Api, 'send'>;
  key: () => CryptoKey;
  /** Of the document. */
  address: string;
  /** Whether a file that all customers have comes as the envelope that is sealed otherwise. */
  asEnvelope?: boolean;
  transfer?: Transfer | undefined;
};

/** Reads and opens what a document holds. @throws what `open` of a customer's documents throws */
export async function documentContent(parts: Parts, document: CustomerDocument): Promise<DocumentContent> {
  if (document.payload_kind === 'json') return jsonContent(parts, document);
  const file = await fileOf(parts, document);
  const sha256 = await digestOf(file.bytes);
  const stored = document.sealed_at === null ? document.plain_sha256 : document.sealed_sha256;
  if (stored !== null && stored !== sha256) {
    const message = 'The file is not the one whose digest the platform stored.';
    throw new TransportError({ errorKey: 'sdk.digest_mismatch', message });
  }
  return { kind: 'file', file, sha256 };
}

async function jsonContent(
  { key }: Parts,
  { broadcast, value }: CustomerDocument,
): Promise<DocumentContent & { kind: 'json' }> {
  const text = broadcast ? JSON.stringify(value) : await opened(value, key());
  const sha256 = await digestOf(new TextEncoder().encode(text));
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown, sha256 };
  } catch {
    // The company sealed a text: it is shown as it is.
    return { kind: 'json', value: text, sha256 };
  }
}

async function fileOf(parts: Parts, document: CustomerDocument): Promise<OpenDocumentFile> {
  const { api, key, address, asEnvelope = false, transfer } = parts;
  const answer = await api.send({ method: 'GET', path: `${address}/file`, accept: '*/*', ...transfer });
  if (document.broadcast && !asEnvelope) return plainFile(document, answer.bytes);
  const text = document.broadcast
    ? new TextDecoder().decode(answer.bytes)
    : await opened(valueIn(answer), key());
  try {
    const envelope = parseFileEnvelope(text);
    if (envelope.kind !== 'file') throw new Error('It is no single file.');
    const { originalName: name = document.name, mimeType } = envelope.file;
    return { name, mimeType, bytes: envelope.file.bytes() };
  } catch (cause) {
    const message = 'The file does not have the shape of an envelope.';
    throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
  }
}

const valueIn = (answer: Parameters<typeof jsonOf>[0]) =>
  ((jsonOf(answer) ?? {}) as { value?: unknown }).value;

/** Its type is in the document: an answer names none that contains `json` or `xml`. */
function plainFile({ name, value }: CustomerDocument, bytes: Uint8Array<ArrayBuffer>): OpenDocumentFile {
  const { original_name, mime_type } = Object(value) as { original_name?: unknown; mime_type?: unknown };
  return {
    name: typeof original_name === 'string' ? original_name : name,
    mimeType: typeof mime_type === 'string' ? mime_type : 'application/octet-stream',
    bytes,
  };
}

async function opened(wrapper: unknown, key: CryptoKey): Promise<string> {
  try {
    return await openText(JSON.stringify(wrapper), key);
  } catch (cause) {
    const message = 'The key of the customer does not open this document.';
    throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}
