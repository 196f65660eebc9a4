import { type Call, ForbiddenError, jsonOf, Transport } from '@symbolon/sdk/device';
import { FILE_CALL_MS } from '../../inner/api.ts';
import { isForeign, PageSessions, sendAsOwn } from '../../inner/own-session.ts';
import { CALL_MS } from '../../inner/prefetch.ts';

/** The session of a company's login is another one than that of a person: both can be open in one browser. */
const sessions = new PageSessions();
let factorMissing: () => void = () => undefined;
let acted: () => void = () => undefined;
let isStillIn: () => Promise<boolean> = async () => false;

const transport = new Transport({ timeoutMs: CALL_MS });
const fileTransport = new Transport({ timeoutMs: FILE_CALL_MS });
/** Who is signed in. */
export const PORTAL_SESSION = '/api/portal/session';
const own = {
  token: () => sessions.token,
  sessionPath: PORTAL_SESSION,
  isStillIn: () => isStillIn(),
};

export const setPortalToken = (token: string | undefined): void => sessions.become(token);

/** For a worker that calls in the name of this page. */
export const portalTokenOf = (): string | undefined => sessions.token;

/** Before a call is sent. Tells later what it found. */
export function watchedPortalCall(): (error: unknown) => void {
  const found = sessions.watch();
  return (error) => {
    found(error);
    if (error instanceof ForbiddenError && error.errorKey === 'auth.second_factor_missing') factorMissing();
    if (isForeign(error)) void isStillIn();
  };
}

/** Calls back when a call finds that the session has ended. */
export const whenPortalEnds = (callback: () => void): void => sessions.whenEnded(callback);

/** Calls back when a call finds that the company requires a second factor, which the login does not have. */
export function whenFactorIsMissing(callback: () => void): void {
  factorMissing = callback;
}

/** Asks who is signed in, when a call finds that it is another session. @param ask whether it is one of the same login */
export function whenPortalForeign(ask: () => Promise<boolean>): void {
  isStillIn = ask;
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
  const found = watchedPortalCall();
  try {
    const answer = await sendAsOwn(sent, by, own);
    if (sent.method !== 'GET') acted();
    return answer;
  } catch (error) {
    if (!isForeign(error)) found(error);
    throw error;
  }
}

/** Calls the platform as the login that is signed in to the portal. @throws SymbolonError */
export async function portalCall<T>(method: Call['method'], path: string, json?: unknown): Promise<T> {
  return jsonOf(await send({ method, path, ...(json !== undefined && { json }) }, transport)) as T;
}

/** A call that carries a file, or is answered with one. @throws SymbolonError */
export const portalFileCall = (sent: Call) => send(sent, fileTransport);
