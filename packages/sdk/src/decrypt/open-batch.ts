import type { KeyObject } from 'node:crypto';
import { matchesAttestationSync, openTextSync } from '@symbolon/crypto/node';

/** Sealed values in columns, which are cheaper to copy to a worker than objects. */
export type SealedBatch = {
  /** Each a wrapper as JSON text. */
  wrappers: string[];
  /** Salt and hash of each value's attestation; `null` for a value that has none. */
  salts: (string | null)[];
  hashes: (string | null)[];
};

export type OpenedBatch = {
  /** `null` where the key does not open the wrapper. */
  texts: (string | null)[];
  /** Whether the attestation matches the opened text (wire 2.5). */
  attested: boolean[];
};

/** Opens every value that the key opens. Never throws. */
export function openBatch(batch: SealedBatch, key: KeyObject): OpenedBatch {
  const texts = batch.wrappers.map((wrapper) => openOrNull(wrapper, key));
  const attested = texts.map((text, index) => {
    const salt = batch.salts[index];
    const hash = batch.hashes[index];
    return text !== null && salt != null && hash != null && matchesAttestationSync(text, salt, hash);
  });
  return { texts, attested };
}

function openOrNull(wrapper: string, key: KeyObject): string | null {
  try {
    return openTextSync(wrapper, key);
  } catch {
    return null;
  }
}
