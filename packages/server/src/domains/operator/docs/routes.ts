import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bestEncoding } from '../../../http/accept.ts';
import type { App } from '../../../http/app.ts';
import { namesTag } from '../../../http/etag.ts';
import { keptDocument } from './kept-document.ts';
import { ERRORS_PAGE, START_PAGE } from './pages.ts';

const EXPLORER = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Symbolon API explorer</title>
    <link rel="stylesheet" href="/explorer/swagger-ui.css" />
  </head>
  <body>
    <main id="explorer"></main>
    <script src="/explorer/swagger-ui-bundle.js"></script>
    <script src="/explorer/start.js"></script>
  </body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#explorer', deepLinking: true, tryItOutEnabled: true });\n`;
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
const READ_ONLY = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } as const;

/** The page at the address itself, as programs get it. */
export const startPage = { html: START_PAGE, headers: READ_ONLY } as const;

/**
 * The error catalogue, the OpenAPI document and the page to explore it with.
 * @param options.document of another process; the app's own when left out
 */
export function docsRoutes(app: App, options: { document?: () => Promise<object> } = {}): void {
  const config = { access: 'open', alwaysJson: true } as const;
  const page = (url: string, type: string, body: () => Promise<Buffer | string>, caching = {}) =>
    app.get(url, { config, schema: { hide: true } }, async (_request, reply) =>
      reply
        .type(type)
        .headers({ ...READ_ONLY, ...caching })
        .send((await body()) as never),
    );
  const cached = { 'cache-control': 'public, max-age=3600' };
  const asset = (name: string) => {
    let bytes: Promise<Buffer> | undefined;
    return () => {
      const root = join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');
      bytes ??= readFile(join(root, name));
      return bytes;
    };
  };

  app.get('/openapi.json', { config, schema: { hide: true } }, async (request, reply) => {
    const kept = await keptDocument(await (options.document?.() ?? app.swagger()));
    // What has not changed is not sent again; asking whether it has costs little.
    reply.headers({ etag: kept.etag, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' });
    if (namesTag(request.headers['if-none-match'], kept.etag)) return reply.code(304).send();
    const encoding = bestEncoding(String(request.headers['accept-encoding'] ?? ''));
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(kept[encoding ?? 'plain'] as never);
  });
  page('/errors', 'text/html; charset=utf-8', async () => ERRORS_PAGE);
  page('/explorer', 'text/html; charset=utf-8', async () => EXPLORER);
  page('/explorer/start.js', 'text/javascript; charset=utf-8', async () => START);
  page('/explorer/swagger-ui.css', 'text/css; charset=utf-8', asset('swagger-ui.css'), cached);
  page(
    '/explorer/swagger-ui-bundle.js',
    'text/javascript; charset=utf-8',
    asset('swagger-ui-bundle.js'),
    cached,
  );
}
