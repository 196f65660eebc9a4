import type { PdfErrorCode } from '../errors.ts';
import type { PdfWorker } from '../worker.ts';

export type Call = keyof PdfWorker;

export interface Question<C extends Call = Call> {
  readonly call: C;
  readonly args: Parameters<PdfWorker[C]>;
}

export type Answer =
  | { readonly result: unknown }
  | { readonly error: PdfErrorCode; readonly message: string };
