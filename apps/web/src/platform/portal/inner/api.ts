import { AuthenticationError, type Call, jsonOf, Transport } from '@symbolon/sdk/device';
import { FILE_CALL_MS } from '../../inner/api.ts';
import { CALL_MS } from '../../inner/prefetch.ts';

/** The session of a company's login is another one than that of a person: both can be open in one browser. */
let antiForgeryToken: string | undefined;
let signedOut: () => void = () => undefined;
let acted: () => void = () => undefined;

const transport = new Transport({ timeoutMs: CALL_MS });
const fileTransport = new Transport({ timeoutMs: FILE_CALL_MS });
const ENDED: ReadonlySet<string> = new Set(['auth.invalid', 'auth.expired']);

export function setPortalToken(token: string | undefined): void {
  antiForgeryToken = token;
}

/** For a worker that calls in the name of this page. */
export const portalTokenOf = (): string | undefined => antiForgeryToken;

/** Notes what a call found. */
export function portalEndedBy(error: unknown): void {
  if (error instanceof AuthenticationError && ENDED.has(error.errorKey)) signedOut();
}

/** Calls back when a call finds that the session has ended. */
export function whenPortalEnds(callback: () => void): void {
  signedOut = callback;
}

/** An act beside the page: it changes something as a call of the page does. */
export async function portalActing<T>(act: Promise<T>): Promise<T> {
  const answer = await act;
  acted();
  return answer;
}

/** Calls back when a call has changed something, or may have. */
export function whenPortalActed(callback: () => void): void {
  acted = callback;
}

async function send(sent: Call, by: Transport) {
  const headers: Record<string, string> = { ...sent.headers };
  if (sent.method !== 'GET' && antiForgeryToken !== undefined) headers['x-csrf-token'] = antiForgeryToken;
  try {
    const answer = await by.send('', { ...sent, headers });
    if (sent.method !== 'GET') acted();
    return answer;
  } catch (error) {
    portalEndedBy(error);
    throw error;
  }
}

/** Calls the platform as the login that is signed in to the portal. @throws SymbolonError */
export async function portalCall<T>(method: Call['method'], path: string, json?: unknown): Promise<T> {
  return jsonOf(await send({ method, path, ...(json !== undefined && { json }) }, transport)) as T;
}

/** A call that carries a file, or is answered with one. @throws SymbolonError */
export const portalFileCall = (sent: Call) => send(sent, fileTransport);
