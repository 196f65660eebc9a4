import type { ErrorKey } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

/** Says of a PDF that cannot be used what it was to be used for. */
export async function invalidAs<T>(key: ErrorKey, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.key !== 'documents.pdf_unsupported') throw error;
    throw new PlatformError(key, { text: error.message, details: error.details ?? {} });
  }
}
