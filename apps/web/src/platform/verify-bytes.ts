import { type Verification, verifyPdf } from '@symbolon/pdf/verify';
import type { SealCertificateList } from '@symbolon/protocol';
import { call } from './api.ts';

/** Verifies a file against the roots of this platform. It is sent nowhere. @throws SymbolonError when the roots cannot be fetched */
export async function verifyBytes(bytes: Uint8Array): Promise<Verification> {
  const { roots } = await call<SealCertificateList>('GET', '/api/seal/certificates');
  return verifyPdf(bytes, { roots: roots.map(({ pem }) => derOf(pem)) });
}

function derOf(pem: string): Uint8Array {
  const base64 = pem.replace(/-----[^-]+-----|\s/g, '');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
