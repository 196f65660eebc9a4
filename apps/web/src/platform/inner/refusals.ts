import {
  DecryptionError,
  errorOfStatus,
  SymbolonError,
  UnconfirmedKeyError,
  ValueError,
} from '@symbolon/sdk/device';

/** What is wrong on the device itself: pages tell these apart by their class, which does not come out of a worker. */
const CLASSES = { decryption: DecryptionError, unconfirmedKey: UnconfirmedKeyError, value: ValueError };
const KINDS = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

/** An error on its way out of a worker. */
export type Refusal = {
  errorKey: string;
  message: string;
  details: Readonly<Record<string, unknown>>;
  kind?: keyof typeof CLASSES | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
};

export function refusalOf(error: unknown): Refusal {
  if (error instanceof SymbolonError) {
    const { errorKey, message, details, status, requestId } = error;
    const kind = KINDS.find((name) => error instanceof CLASSES[name]);
    return { errorKey, message, details, kind, status, requestId };
  }
  const errorKey = error instanceof Error && 'code' in error ? `crypto.${String(error.code)}` : 'page.failed';
  return { errorKey, message: error instanceof Error ? error.message : '', details: {} };
}

export function errorOf({ kind, status, ...init }: Refusal): SymbolonError {
  if (kind !== undefined) return new CLASSES[kind](init);
  return status === undefined ? new SymbolonError(init) : errorOfStatus({ ...init, status });
}
