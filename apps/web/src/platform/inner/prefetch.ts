/** The part of `fetch` by which the pages call the platform. */
type Sent = {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  redirect: 'error';
};

const begun = new Map<string, Promise<Response>>();

/** Begins a call whose answer the page needs first, before the scripts are there that ask for it. */
export function prefetch(method: 'GET' | 'POST', path: string, json?: unknown): void {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (json !== undefined) headers['content-type'] = 'application/json';
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const sent: Sent = { method, headers, ...body, signal: AbortSignal.timeout(CALL_MS), redirect: 'error' };
  const answer = fetch(path, sent);
  // The caller that takes the answer gets the failure.
  answer.catch(() => undefined);
  begun.set(nameOf(path, sent), answer);
}

/** As `fetch`, but a call that was begun ahead is not sent again: its answer is taken, once. */
export function fetchOnce(path: string, sent: Sent): Promise<Response> {
  const name = nameOf(path, sent);
  const answer = begun.get(name);
  begun.delete(name);
  return answer ?? fetch(path, sent);
}

/** For so long the page waits for an answer. */
export const CALL_MS = 30_000;

function nameOf(path: string, { method, body = '' }: Sent): string {
  return `${method} ${path} ${typeof body === 'string' ? body : ''}`;
}
