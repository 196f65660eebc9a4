import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformError } from '../../../core/errors.ts';
import { bestEncoding } from '../../../http/accept.ts';
import type { App } from '../../../http/app.ts';
import { namesTag } from '../../../http/etag.ts';
import { BuiltSite } from './built-site.ts';
import { keptDocument } from './kept-document.ts';
import { errorsPage, START_PAGE } from './pages.ts';

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
/** Of the documentation, which has scripts and forms, and nothing inline. */
const SITE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const READ_ONLY = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } as const;

const schema = { hide: true };

/** The page at the address itself, as programs get it. */
export const startPage = { html: START_PAGE, headers: READ_ONLY } as const;

/**
 * The error catalogue, the OpenAPI document and the documentation.
 * @param options.document of another process; the app's own when left out
 */
export function docsRoutes(app: App, options: { document?: () => Promise<object> } = {}): void {
  const config = { access: 'open', alwaysJson: true } as const;
  app.get('/openapi.json', { config, schema }, async (request, reply) => {
    const kept = await keptDocument(await (options.document?.() ?? app.swagger()));
    // What has not changed is not sent again; asking whether it has costs little.
    reply.headers({ etag: kept.etag, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' });
    if (namesTag(request.headers['if-none-match'], kept.etag)) return reply.code(304).send();
    const encoding = bestEncoding(String(request.headers['accept-encoding'] ?? ''));
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(kept[encoding ?? 'plain'] as never);
  });
  const site = BuiltSite.open();
  const errors = errorsPage(site !== undefined);
  app.get('/errors', { config, schema }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers(READ_ONLY)
      .send(errors as never),
  );
  siteRoutes(app, site);
}

/** The documentation with the reference of the API; where it is not built, only the catalogue of errors above. */
function siteRoutes(app: App, site: BuiltSite | undefined): void {
  const config = {
    access: 'open',
    limit: 'pages',
    alwaysJson: true,
    ignoresQuery: true,
    answersUncounted: true,
  } as const;
  const send = async (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const takesBrotli = bestEncoding(accepted, (each) => each === 'br') === 'br';
    const file = await site?.file(name, takesBrotli);
    if (file === undefined) throw new PlatformError('request.not_found');
    reply.headers({
      'content-security-policy': SITE_POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      etag: file.etag,
    });
    if (namesTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
    if (file.isPacked) reply.header('content-encoding', 'br');
    return reply.type(file.type).send(file.bytes as never);
  };
  // Relative, so that they hold behind a proxy that serves the platform below a path.
  const lead = (from: string, to: string) =>
    app.get(from, { config, schema }, async (_request, reply) => reply.redirect(to, 302));
  lead('/docs', 'docs/');
  lead('/explorer', 'docs/reference/');
  lead('/llms.txt', 'docs/llms.txt');
  app.get('/docs/*', { config: { ...config, isPage: true }, schema }, async (request, reply) =>
    send((request.params as { '*': string })['*'], request, reply),
  );
}
