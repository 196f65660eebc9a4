import type { Verification } from '@symbolon/pdf/verify';
import { onFiles } from './inner/file-acts.ts';

/** Larger files are no documents of the platform, and a phone may not have the memory for them. */
export const FILE_MOST = 64 * 2 ** 20;

/**
 * Verifies a file in this browser, against the roots of this platform. The file is sent nowhere.
 * @throws SymbolonError when the roots cannot be fetched
 */
export async function verifyFile(file: File): Promise<Verification> {
  return onFiles('verifySeal', { bytes: new Uint8Array(await file.arrayBuffer()) });
}
