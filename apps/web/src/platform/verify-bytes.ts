import type { SealCertificateList } from '@symbolon/protocol';
import { type Verification, verifyDocument } from '@symbolon/sdk/verify';
import { call } from './inner/api.ts';

/**
 * Tells whether this platform sealed a file, which is sent nowhere.
 * @throws SymbolonError when the certificates cannot be fetched
 */
export async function verifyBytes(bytes: Uint8Array): Promise<Verification> {
  const platform = await call<SealCertificateList>('GET', '/api/seal/certificates');
  return verifyDocument(bytes, { platform });
}
