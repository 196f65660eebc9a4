import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { RateLimits } from '../../../access/rate-limits.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Ids } from '../../../core/ids.ts';
import { errorBody } from '../../../http/error-body.ts';
import type { TokenGrant } from './grant.ts';

const PATH = '/oauth2/token';
const FORM_BYTES = 16 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the common case of the token route before the web framework, which takes longer over a request than the grant
 * does. What is out of the ordinary in any way is left to the route, which stays the definition of what is answered.
 */
export function serveTokensLeanly(
  server: Server,
  deps: { grant: Pick<TokenGrant, 'grant'>; rateLimits: RateLimits; ids: Ids; log: FastifyBaseLogger },
): void {
  const [framework] = server.listeners('request') as Handler[];
  if (framework === undefined) throw new Error('The framework does not serve yet.');
  server.off('request', framework);
  server.on('request', (request, response) => {
    if (isOrdinary(request)) readForm(request, (form) => void answer(form, request, response, deps));
    else framework(request, response);
  });
}

/** A plain form of known length, with its credentials inside. */
function isOrdinary({ method, url, headers }: IncomingMessage): boolean {
  return (
    url === PATH &&
    method === 'POST' &&
    headers['content-type'] === FORM_TYPE &&
    Number(headers['content-length']) <= FORM_BYTES &&
    headers.authorization === undefined &&
    headers.expect === undefined
  );
}

/** A client that goes away in the middle gets no answer. */
function readForm(request: IncomingMessage, then: (form: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()));
  request.on('error', () => {});
}

async function answer(
  form: string,
  request: IncomingMessage,
  response: ServerResponse,
  deps: { grant: Pick<TokenGrant, 'grant'>; rateLimits: RateLimits; ids: Ids; log: FastifyBaseLogger },
): Promise<void> {
  const id = deps.ids.uuid();
  const headers: Record<string, string | number> = {
    'x-request-id': id,
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'content-type': 'application/json; charset=utf-8',
  };
  let status = 200;
  let body: string;
  try {
    await deps.rateLimits.consume('token', request.socket.remoteAddress ?? '');
    body = JSON.stringify(await deps.grant.grant({ form: new URLSearchParams(form), basic: undefined }));
  } catch (caught) {
    const error = caught instanceof PlatformError ? caught : new PlatformError('internal', { cause: caught });
    if (error.status >= 500 && error.status !== 503)
      deps.log.error({ reqId: id, err: error.cause ?? error, key: error.key }, 'request failed');
    Object.assign(headers, error.headers);
    status = error.status;
    body = JSON.stringify(errorBody(error));
  }
  headers['content-length'] = Buffer.byteLength(body);
  response.writeHead(status, headers).end(body);
}
