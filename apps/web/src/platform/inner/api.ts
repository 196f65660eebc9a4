import {
  type Answer,
  type Call,
  jsonOf,
  SymbolonError,
  Transport,
  type TransportOptions,
} from '@symbolon/sdk/device';
import { noteAnswered, noteUnanswered } from '../offline.ts';
import { SESSION } from './addresses.ts';
import { isReadOffline, keepAnswer, keptAnswer } from './kept-answers.ts';
import { isForeign, PageSessions, sendAsOwn } from './own-session.ts';
import { CALL_MS, fetchOnce } from './prefetch.ts';
import { together } from './together.ts';

const sessions = new PageSessions();
let acted: () => void = () => undefined;
let isStillIn: () => Promise<boolean> = async () => false;

/** Tries again what was not answered, but where the device has no network: there a second try changes nothing. */
export function patiently(settings: TransportOptions): Pick<Transport, 'send'> {
  const patient = new Transport(settings);
  const once = new Transport({ ...settings, retry: { attempts: 0 } });
  return { send: (...sent) => (navigator.onLine === false ? once : patient).send(...sent) };
}
const transport = together(patiently({ timeoutMs: CALL_MS, runtime: { fetch: fetchOnce } }));
const own = {
  token: () => sessions.token,
  sessionPath: SESSION,
  isStillIn: () => isStillIn(),
};

export const setAntiForgeryToken = (token: string | undefined): void => sessions.become(token);

/** For a worker that calls in the name of this page. */
export const antiForgeryOf = (): string | undefined => sessions.token;

/** Before a worker calls. Tells later what that found. */
export function watchedCall(): (error: unknown) => void {
  const found = sessions.watch();
  return (error) => {
    found(error);
    if (isForeign(error)) void isStillIn();
  };
}

/** Calls back when a call finds that the session has ended. */
export const whenSignedOut = (callback: () => void): void => sessions.whenEnded(callback);

/** Asks who is signed in, when a call finds that it is another session. @param ask whether it is one of the same account */
export function whenForeign(ask: () => Promise<boolean>): void {
  isStillIn = ask;
}

/** An act beside the page: it changes something as a call of the page does. */
export async function acting<T>(act: Promise<T>): Promise<T> {
  const answer = await act;
  acted();
  return answer;
}

/** Calls back when a call has changed something, or may have. */
export function whenActed(callback: () => void): void {
  acted = callback;
}

/** A call that is answered with another session. */
export const replacingSession = <T>(work: () => Promise<T>): Promise<T> => sessions.replacing(work);

/** Calls the platform at the page's own address; the browser adds the session's cookie. @throws SymbolonError */
async function send(sent: Call, by: Pick<Transport, 'send'>): Promise<Answer> {
  const found = sessions.watch();
  try {
    const answer = await sendAsOwn(sent, by, own);
    noteAnswered();
    if (sent.method !== 'GET') acted();
    else if (isReadOffline(addressOf(sent)))
      void keepAnswer(addressOf(sent), answer.bytes, answer.headers.get('content-type') ?? '');
    return answer;
  } catch (error) {
    const kept = await insteadOf(error, sent);
    if (kept !== undefined) return kept;
    found(error);
    throw error;
  }
}

/** What was answered the last time, where nothing is answered now: for reading alone. */
async function insteadOf(error: unknown, sent: Call): Promise<Answer | undefined> {
  if (!(error instanceof SymbolonError)) return undefined;
  if (error.status !== undefined) noteAnswered();
  else if (sent.method === 'GET') {
    const kept = isReadOffline(addressOf(sent)) ? await keptAnswer(addressOf(sent)) : undefined;
    noteUnanswered(kept?.at);
    return kept && { status: 200, headers: new Headers({ 'content-type': kept.type }), bytes: kept.bytes };
  }
  return undefined;
}

function addressOf({ path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? path : `${path}?${search}`;
}

export const apiBy = (by: Pick<Transport, 'send'>) => ({
  send: (sent: Call) => send(sent, by),
  json: async <T>(sent: Call) => jsonOf(await send(sent, by)) as T,
  done: async (sent: Call) => void (await send(sent, by)),
});

/** The platform as parts of the SDK call it. */
export const api = apiBy(transport);
/** For calls that carry files: 15 MiB take some minutes on a slow line. */
export const FILE_CALL_MS = 10 * 60_000;
export const fileApi = apiBy(new Transport({ timeoutMs: FILE_CALL_MS }));

/** @throws SymbolonError */
export function call<T>(
  method: Call['method'],
  path: string,
  json?: unknown,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  return api.json({ method, path, ...(json !== undefined && { json }), ...(signal && { signal }) });
}
