import { type Verification, verifyPdf } from '@symbolon/pdf/verify';
import type { SealCertificateList } from '@symbolon/protocol';
import { call } from './api.ts';

/** Larger files are no documents of the platform, and a phone may not have the memory for them. */
export const FILE_MOST = 64 * 2 ** 20;

/**
 * Verifies a file in this browser, against the roots of this platform. The file is sent nowhere.
 * @throws SymbolonError when the roots cannot be fetched
 */
export async function verifyFile(file: File): Promise<Verification> {
  return verifyBytes(new Uint8Array(await file.arrayBuffer()));
}

/** The same for a file that was opened here. @throws SymbolonError when the roots cannot be fetched */
export async function verifyBytes(bytes: Uint8Array): Promise<Verification> {
  const { roots } = await call<SealCertificateList>('GET', '/api/seal/certificates');
  return verifyPdf(bytes, { roots: roots.map(({ pem }) => derOf(pem)) });
}

function derOf(pem: string): Uint8Array {
  const base64 = pem.replace(/-----[^-]+-----|\s/g, '');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
