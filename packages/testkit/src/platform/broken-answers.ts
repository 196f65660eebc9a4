import type { ServerResponse } from 'node:http';
import type { App } from '../../../server/src/http/app.ts';

/** Resets each connection at the moment its answer is written; the returned function ends that. */
export function breakAnswers({ app }: { app: Pick<App, 'server'> }): () => void {
  const listener = (_request: unknown, response: ServerResponse) => {
    const { end } = response;
    response.end = ((...parts: Parameters<typeof end>) => {
      response.socket?.resetAndDestroy();
      return end.apply(response, parts);
    }) as typeof response.end;
  };
  app.server.prependListener('request', listener);
  return () => app.server.off('request', listener);
}
