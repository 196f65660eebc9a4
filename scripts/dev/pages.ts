import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createServer, mergeConfig } from 'vite';
import config from '../../apps/web/vite.config.ts';
import { isPage, pageSettings } from '../../packages/server/src/domains/operator/pages/routes.ts';

const INDEX = join(import.meta.dirname, '../../apps/web/index.html');

/** The pages of apps/web out of their sources. */
export interface DevPages {
  /** Answers what belongs to the pages; anything else is the platform's. */
  answer(asked: IncomingMessage, answer: ServerResponse, platform: () => void): void;
  stop(): Promise<void>;
}

/**
 * Vite for the pages. It knows its own files, and the server which addresses are pages: there is no list here.
 * @param options.server by which open pages learn of changes
 */
export async function servePages(options: {
  server: Server;
  publicUrl: string;
  config: Parameters<typeof pageSettings>[0];
}): Promise<DevPages> {
  const { server, publicUrl } = options;
  const tags = Object.entries(pageSettings(options.config)).map(([name, content]) => ({
    tag: 'meta',
    attrs: { name, content },
  }));
  const vite = await createServer(
    mergeConfig(config, {
      configFile: false,
      appType: 'custom',
      clearScreen: false,
      plugins: [{ name: 'page-settings', transformIndexHtml: () => tags }],
      // The platform says itself what pages of other origins may do.
      server: {
        middlewareMode: true,
        hmr: { server },
        cors: false,
        allowedHosts: [new URL(publicUrl).hostname],
      },
    }),
  );
  const showPage = async (asked: IncomingMessage, answer: ServerResponse) => {
    const html = await vite.transformIndexHtml(asked.url ?? '/', readFileSync(INDEX, 'utf8'));
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    answer.end(html);
  };
  return {
    answer(asked, answer, platform) {
      vite.middlewares(asked, answer, () => {
        const [path = ''] = (asked.url ?? '').split('?', 1);
        if (asked.method !== 'GET' || !isPage(path, asked.headers.accept)) return platform();
        showPage(asked, answer).catch((error: Error) => {
          answer.writeHead(500, { 'content-type': 'text/plain' }).end(`${error.stack}\n`);
        });
      });
    },
    stop: () => vite.close(),
  };
}
