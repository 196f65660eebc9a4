import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

/** Apps without a server call these from any page; what they answer is no secret from the page that asks. */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/oauth2/token',
  '/oauth2/result',
  '/oauth2/jwks',
  '/api/oauth/userinfo',
  // Of the forwarder, in a region's process and in one of its own.
  '/forwarder/registry',
  '/forwarder/call',
  '/registry',
  '/call',
]);
const OPEN_FOLDER = '/.well-known/';

const EXPOSED = 'etag, retry-after, www-authenticate, x-request-id';
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'accept, authorization, content-type, if-none-match',
  'access-control-max-age': '600',
} as const;

/**
 * Lets pages of other origins read answers (the CORS protocol of the Fetch standard): of the open paths any page, of the rest
 * the pages of the configured origins. Cookies are never allowed, so a page can do no more than its own token allows.
 */
export function allowOrigins(app: App, origins: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined) {
      done();
      return;
    }
    const allowed = allowedFor(request, origin, origins);
    if (allowed !== undefined) allow(reply, allowed);
    if (allowed !== undefined && isPreflight(request)) {
      reply.code(204).headers(PREFLIGHT).send();
      return;
    }
    done();
  });
}

function allowedFor(
  { url }: FastifyRequest,
  origin: string,
  origins: ReadonlySet<string>,
): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  if (OPEN_PATHS.has(path) || path.startsWith(OPEN_FOLDER)) return '*';
  return origins.has(origin) ? origin : undefined;
}

function allow(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
  if (origin !== '*') reply.header('vary', 'Origin');
}

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
