import { AuthenticationError, jsonOf, Transport } from '@symbolon/sdk/device';
import { CALL_MS, fetchOnce } from './ahead.ts';

/** What proves that a call comes from this page and not from another site. It is no secret of the person. */
let antiForgeryToken: string | undefined;
let signedOut: () => void = () => undefined;

const transport = new Transport({ timeoutMs: CALL_MS, runtime: { fetch: fetchOnce } });
/** The session itself is over; a wrong password is answered otherwise. */
const ENDED: ReadonlySet<string> = new Set(['auth.invalid', 'auth.expired']);

export function setAntiForgeryToken(token: string | undefined): void {
  antiForgeryToken = token;
}

/** Calls back when a call finds that the session has ended. */
export function whenSignedOut(callback: () => void): void {
  signedOut = callback;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Calls the platform at the page's own address; the browser adds the session's cookie.
 *
 * @throws SymbolonError
 */
export async function call<T>(
  method: Method,
  path: string,
  json?: unknown,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  const headers: Record<string, string> = {};
  if (method !== 'GET' && antiForgeryToken !== undefined) headers['x-csrf-token'] = antiForgeryToken;
  const sent = { method, path, headers, ...(json !== undefined && { json }), ...(signal && { signal }) };
  try {
    return jsonOf(await transport.send('', sent)) as T;
  } catch (error) {
    if (error instanceof AuthenticationError && ENDED.has(error.errorKey)) signedOut();
    throw error;
  }
}
