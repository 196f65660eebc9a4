import type { ServerResponse } from 'node:http';

/** The caller of the work has disconnected. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The caller has closed the connection.');
  }
}

/**
 * Aborts when the caller closes the connection before the answer is written. What still waits in a queue is dropped then; what
 * was begun is finished.
 */
export function hangUpSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const close = () => {
    if (!response.writableFinished) gone.abort(new CallerGone());
  };
  if (response.closed) close();
  else response.once('close', close);
  return gone.signal;
}
