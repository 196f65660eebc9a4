import { type Verification, verifyPdf } from '@symbolon/pdf/verify';
import type { SealCertificateList } from '@symbolon/protocol';
import { call } from './api.ts';

/**
 * Tells whether this platform sealed a file: under its roots others may have certificates too. The file is sent nowhere.
 * @throws SymbolonError when the certificates cannot be fetched
 */
export async function verifyBytes(bytes: Uint8Array): Promise<Verification> {
  const { certificates, roots } = await call<SealCertificateList>('GET', '/api/seal/certificates');
  return verifyPdf(bytes, {
    roots: roots.map(({ pem }) => derOf(pem)),
    // By name, too: a certificate that was renewed keeps it. One of another name stands among the roots itself.
    signers: [
      ...certificates.flatMap(({ name, sha256 }) => [name, sha256]),
      ...roots.map(({ sha256 }) => sha256),
    ],
  });
}

function derOf(pem: string): Uint8Array {
  const base64 = pem.replace(/-----[^-]+-----|\s/g, '');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
