import type { PdfErrorCode } from '../errors.ts';
import type { PdfWorker } from '../worker.ts';

export type Call = keyof PdfWorker;

export interface Question<C extends Call = Call> {
  readonly call: C;
  readonly args: Parameters<PdfWorker[C]>;
}

/** The first message of a process: it has loaded what it needs. */
export const READY = 'ready';

export type Answer =
  | { readonly result: unknown }
  | { readonly error: PdfErrorCode; readonly message: string };
