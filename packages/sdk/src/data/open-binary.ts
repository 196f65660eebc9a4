import { hash, type KeyObject } from 'node:crypto';
import { CryptoError, parseFileEnvelope } from '@symbolon/crypto';
import { matchesAttestationSync, openTextSync } from '@symbolon/crypto/node';
import type { Api } from '../http/api.ts';
import { DecryptionError, GoneError, TransportError } from '../http/errors.ts';
import type { Transfer } from '../http/progress.ts';
import { type Answer, jsonOf } from '../http/transport.ts';
import { type BinaryContent, contentOfEnvelope, noEntries } from './binary-handle.ts';

export type BinarySource = {
  path: string | null;
  expiredAt: string | null;
  attestation: { salt: string; hash: string } | undefined;
};

/** Fetches a file and recognises its three shapes by content type and `encrypted` (wire 4.3). */
export async function openBinary(
  api: Api,
  key: KeyObject | undefined,
  source: BinarySource,
  { digestHeader, ...transfer }: { digestHeader: string } & Transfer,
): Promise<BinaryContent> {
  const call = { method: 'GET', path: pathOf(source), accept: '*/*', ...transfer } as const;
  const answer = await api.send(call);
  const announced = answer.headers.get(digestHeader)?.toLowerCase() ?? null;
  const mimeType = answer.headers.get('content-type') ?? 'application/octet-stream';
  if (!/^application\/json\b/i.test(mimeType)) {
    checkDigest(announced, [answer.bytes]);
    const file = { label: null, name: null, mimeType, bytes: answer.bytes };
    return { source: 'raw', files: [file], entries: noEntries(), verified: false, contentSha256: announced };
  }
  const { encrypted, value } = structured(answer);
  // The digest covers the text of the value; for a wrapper that is an object it covers the body.
  checkDigest(announced, typeof value === 'string' ? [value, answer.bytes] : [answer.bytes]);
  const text = encrypted ? unseal(value, key) : String(value);
  const { salt, hash: expected } = source.attestation ?? {};
  return {
    source: encrypted ? 'encrypted' : 'envelope',
    ...contentOfEnvelope(parse(text)),
    verified: salt !== undefined && expected !== undefined && matchesAttestationSync(text, salt, expected),
    contentSha256: announced,
  };
}

/** Accepts only a path on this platform, because the token is sent with the request. */
function pathOf({ path, expiredAt }: BinarySource): string {
  if (path === null) {
    const details = { expired_at: expiredAt };
    const message = 'This share-once file has expired.';
    throw new GoneError({ errorKey: 'company_data.file_expired', message, status: 410, details });
  }
  if (/^\/(?![/\\])/.test(path)) return path;
  throw new TransportError({
    errorKey: 'sdk.unexpected_answer',
    message: 'The value_url is not a path on the platform.',
  });
}

function structured(answer: Answer): { encrypted: boolean; value: unknown } {
  const body = jsonOf(answer);
  if (typeof body === 'object' && body !== null && 'encrypted' in body && 'value' in body) {
    if (typeof body.encrypted === 'boolean') return { encrypted: body.encrypted, value: body.value };
  }
  throw new TransportError({
    errorKey: 'sdk.unexpected_answer',
    message: 'The shape of the file answer is not known.',
  });
}

function unseal(value: unknown, key: KeyObject | undefined): string {
  if (!key) {
    const message = 'This file is sealed; the client has no private key.';
    throw new DecryptionError({ errorKey: 'sdk.key_missing', message });
  }
  try {
    return openTextSync(typeof value === 'string' ? value : JSON.stringify(value), key);
  } catch {
    throw unreadable('The configured key does not open this file.');
  }
}

function parse(text: string) {
  try {
    return parseFileEnvelope(text);
  } catch (error) {
    if (error instanceof CryptoError) throw unreadable('The file does not have the shape of an envelope.');
    throw error;
  }
}

function unreadable(message: string): DecryptionError {
  return new DecryptionError({ errorKey: 'sdk.unreadable', message });
}

function checkDigest(announced: string | null, served: (string | Uint8Array)[]): void {
  if (announced === null || served.some((bytes) => hash('sha256', bytes, 'hex') === announced)) return;
  const message = 'The file is not the one whose digest the platform announced.';
  throw new TransportError({ errorKey: 'sdk.digest_mismatch', message });
}
