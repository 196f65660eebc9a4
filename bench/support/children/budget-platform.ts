import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { readConfig, serve } from '@symbolon/server';
import { answering, childEnvironment } from './answering.ts';

/** The platform as `symbolon serve` runs it, of which calls of one path can be made slower: a budget must notice that. */
const platform = await serve(readConfig(childEnvironment()));
answering(platform.url, {
  answer: async ({ path, micros }: { path: string; micros: number }) => {
    subscribe('http.server.request.start', (message) => {
      const { request } = message as { request: IncomingMessage };
      if (!request.url?.startsWith(path)) return;
      const until = performance.now() + micros / 1000;
      while (performance.now() < until);
    });
    return true;
  },
  stop: () => platform.stop(),
});
