import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { limits } from '@symbolon/protocol';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type onSendHookHandler,
  type RawServerDefault,
} from 'fastify';

import { callerId } from '../access/principal.ts';
import { authorise, requireAccessRule } from '../access/rules.ts';
import type { Availability } from '../core/availability.ts';
import { CallerGone } from '../core/caller-gone.ts';
import { PlatformError } from '../core/errors.ts';
import type { Ids } from '../core/ids.ts';
import type { Instruments } from '../core/instruments.ts';
import type { Timers } from '../core/timers.ts';
import { callerAddress, type TrustedProxies } from '../core/trusted-proxies.ts';
import { answerJson } from '../core/written-json.ts';
import { unavailable } from '../db/paused-writes.ts';
import { takesHtml } from './accept.ts';
import { type AdmissionDeps, admission, isCounted } from './admission.ts';
import { BodyAdmission } from './body-admission.ts';
import { endInOrder } from './closing.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { allowOrigins } from './cors.ts';
import { inTime, setDeadlines } from './deadlines.ts';
import { addDefaultHeaders, defaultHeaders } from './default-headers.ts';
import { errorBody } from './error-body.ts';
import { HTML, PLAIN_POLICY, refusalPage } from './html-page.ts';
import { readJsonBody } from './json-body.ts';
import { LargeBody, type LargeBodyDeps, largeMembersOf } from './large-bodies.ts';
import { LargeXml } from './large-xml.ts';
import { sendAnswers } from './long-answers.ts';
import { hasUsedProof, tellUsedProof } from './proof-used.ts';
import { checkError, checkResponses } from './response-check.ts';
import { RouteTable } from './route-table.ts';
import { createTlsServer } from './secure-server.ts';
import type { SecurityLog } from './security-log.ts';
import { checkSignedBodies } from './signed-bodies.ts';
import { observeRequests } from './telemetry.ts';
import { compileValidator, InvalidRequest } from './validation.ts';

/** The web framework with our schema types. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

interface Deps extends Omit<AdmissionDeps, 'bodies'> {
  readonly ids: Ids;
  readonly log: FastifyBaseLogger;
  readonly instruments: Instruments;
  readonly securityLog: SecurityLog;
  /** The address of the platform, that of the front door where there is one; empty as long as it is not known. */
  readonly issuer: () => string;
  /** Of pages that may call every route. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly trustedProxies: TrustedProxies | undefined;
  readonly connections: ConnectionLimits;
  readonly availability: Pick<Availability, 'failed'>;
  readonly timers: Timers;
  readonly largeBodies: LargeBodyDeps;
  /** What the server shows to speak TLS itself; undefined: it speaks plain HTTP. */
  readonly tls?: SecureContextOptions | undefined;
  /** Milliseconds until answers begin; the platform's own bound when not said. */
  readonly answersWithin?: number | undefined;
  /** Checks every response against its schema: for tests. */
  readonly checkResponses: boolean;
}

const TIMEOUTS = {
  keepAliveTimeout: 72_000,
  // Of a whole request: 32 MiB over a slow line. Bodies that drip are ended sooner (see `Connections`).
  requestTimeout: 300_000,
};
/** Node would answer without a body: `requireHost` refuses in the shape of every other error. */
const OWN_WORDS = { requireHostHeader: false };

/**
 * The server with everything that is the same for every route: authenticate → authorise → limit → validate → handler →
 * serialise. Features add their routes to it.
 */
export function createApp(deps: Deps): App {
  const { tls } = deps;
  const app = fastify({
    // Handed over here, so that those of the framework are not even loaded.
    schemaController: {
      compilersFactory: {
        buildValidator: () => compileValidator,
        buildSerializer: () => (deps.checkResponses ? checkResponses : () => answerJson),
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    // With a logger of its own the framework listens to every response and makes a logger for every request. Those that
    // fail name their request themselves.
    childLoggerFactory: () => deps.log,
    bodyLimit: limits.jsonBodyBytes,
    genReqId: () => deps.ids.uuid(),
    requestIdHeader: false,
    // HEAD is served wherever GET is, except where GET takes something away.
    exposeHeadRoutes: true,
    // Believing the whole header is safe: the first hook leaves nothing in it but the caller's address.
    trustProxy: deps.trustedProxies !== undefined,
    routerOptions: { maxParamLength: 200 },
    // An address that cannot be decoded, or a part of one that is longer than any id, is the address of nothing.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(deps, new PlatformError('request.not_found'), request, reply),
    clientErrorHandler: (error: { code?: string }, socket: Socket) =>
      answerBrokenRequest(deps, error, socket),
    forceCloseConnections: 'idle',
    // Refused in our own words: see `endInOrder`.
    return503OnClosing: false,
    ...TIMEOUTS,
    http: OWN_WORDS,
    ...(tls !== undefined && {
      serverFactory: (handler: RequestListener) =>
        createTlsServer(tls, { ...TIMEOUTS, ...OWN_WORDS }, handler),
    }),
  } as Parameters<typeof fastify>[0]).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  app.removeAllContentTypeParsers();
  readBodies(app, deps.largeBodies);

  const answered = observeRequests(app, deps.instruments);
  const connections = new Connections(
    app.server,
    deps.connections,
    (socket) => {
      // A handler may be waiting for the body, so the answer goes out on the socket itself.
      answerBrokenRequest(deps, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
      socket.destroySoon();
    },
    { overTls: deps.tls !== undefined, answered },
  );
  endInOrder(app, connections);
  if (deps.trustedProxies !== undefined) readForwardedFor(app, deps.trustedProxies);
  addDefaultHeaders(app);
  requireHost(app);
  allowOrigins(app, deps.corsOrigins);
  setDeadlines(app, deps.timers, deps.answersWithin);
  const xml = new LargeXml();
  app.decorate('xml', xml);
  app.addHook('onClose', () => xml.stop());
  app.addHook('onSend', sendAnswers(xml));
  app.decorateRequest('principal', null);
  app.decorateRequest('identify', null);
  app.decorateRequest('whole', false);
  app.decorateRequest('followFurther', null);
  checkSignedBodies(app);
  const table = new RouteTable();
  const bodies = new BodyAdmission();
  // Whether the client goes on is decided when the caller is known.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  // An expectation that nobody knows changes nothing (RFC 9110 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRoute', (route) => {
    requireAccessRule(route);
    table.add(route.method, route.url);
    Object.assign(route, admission(route, { ...deps, bodies }));
  });

  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(deps, toPlatformError(error, request), request, reply),
  );

  app.setNotFoundHandler((request, reply) =>
    inTime(request, () => answerUnknown(request, reply, deps, table)),
  );
  return app;
}

/** HTTP/1.1 names a host with every request (RFC 9112 3.2). */
function requireHost(app: App): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') done();
    else done(new PlatformError('request.malformed', { text: 'The request has no header Host.' }));
  });
}

/** Reads JSON bodies; what is large in them is there until the request has been answered. */
function readBodies(app: App, deps: LargeBodyDeps): void {
  app.decorateRequest('largeBody', null);
  app.addContentTypeParser('application/json', (request: FastifyRequest, body: Readable) => {
    const members = largeMembersOf(request.routeOptions.schema?.body);
    if (members !== undefined) request.largeBody = new LargeBody(members, deps);
    return readJsonBody(request, body);
  });
  // Of a body in chunks only its end tells that it has no bytes.
  app.addContentTypeParser('*', async ({ is404, headers }: FastifyRequest, body: Readable) => {
    if (is404) return;
    if (headers['content-length'] === undefined && (await isEmpty(body))) return;
    throw new PlatformError('request.unsupported_media_type');
  });
  // When the handler is done and nothing more is sent: there is no response to a client that has gone.
  const discard: onSendHookHandler = ({ largeBody, log }, { raw }, payload, done) => {
    const letGo = () => {
      largeBody?.discard().catch((err: unknown) => log.error({ err }, 'request body not released'));
    };
    if (raw.closed) letGo();
    else raw.once('close', letGo);
    done(null, payload);
  };
  app.addHook('onRoute', (route) => {
    if (largeMembersOf(route.schema?.body) !== undefined) route.onSend = discard;
  });
}

/** @throws {PlatformError} request.malformed */
function isEmpty(body: Readable): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // The rest stays unread.
    body.once('data', () => {
      body.pause();
      resolve(false);
    });
    body.once('end', () => resolve(true));
    body.once('error', (cause) => reject(new PlatformError('request.malformed', { cause })));
  });
}

/** Answers a call of an address or a method that there is not. */
async function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  table: RouteTable,
): Promise<FastifyReply> {
  const refusal = deps.maintenance.refusal(request.method, '');
  if (refusal !== undefined) return sendError(deps, refusal, request, reply);
  const path = request.url.split('?', 1)[0] ?? '';
  // A client that asks for what it may not have learns nothing else about the address (wire 5.3).
  const { authorization } = request.headers;
  if (authorization === undefined) await deps.failures.failed('path', request.ip);
  else {
    const principal = await deps.authenticator
      .authenticate(authorization, request)
      .catch((error: unknown) => {
        // With several regions, a token that is unknown here may be valid at its home: then the address is the mistake.
        if (deps.regions.names.length > 1 && error instanceof PlatformError && error.status === 401)
          return undefined;
        throw error;
      });
    if (principal !== undefined) {
      authorise(principal, undefined, path);
      if (isCounted(request, principal)) await deps.rateLimits.consume('default', callerId(principal));
    }
  }
  const allowed = table.methodsOf(path);
  const error =
    allowed.length === 0
      ? new PlatformError('request.not_found')
      : new PlatformError('request.method_not_allowed', {
          headers: { allow: allowed.join(', ') },
          text: `This address does not take ${request.method}. It takes ${allowed.join(', ')}.`,
        });
  return sendError(deps, error, request, reply);
}

/** Whether a browser opens a page, or what may be one: then the refusal is a page, too. */
function opensPage({ is404, method, headers, url, routeOptions }: FastifyRequest): boolean {
  if (method !== 'GET' || !takesHtml(headers.accept)) return false;
  return routeOptions.config?.isPage === true || (is404 && !/^\/(api|oauth2)\//.test(url));
}

/** Reduces X-Forwarded-For to the caller's address, so that `request.ip` is that address for everybody who asks. */
function readForwardedFor(app: App, proxies: TrustedProxies): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { headers, socket } = raw;
    const forwarded = headers['x-forwarded-for'];
    if (forwarded !== undefined)
      headers['x-forwarded-for'] = callerAddress(socket.remoteAddress ?? '', String(forwarded), proxies);
    done();
  });
}

function toPlatformError(error: FastifyError, request: FastifyRequest): PlatformError {
  if (error instanceof PlatformError) return error;
  // The caller has left; work that was dropped is no failure.
  if (error instanceof CallerGone) return new PlatformError('platform.busy');
  if (error instanceof InvalidRequest) return error.toPlatformError(request.routeOptions.config.invalidKeys);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new PlatformError('request.too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new PlatformError('request.unsupported_media_type');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new PlatformError('request.malformed', { cause: error });
  }
  return (
    unavailable(error, request.routeOptions.config.unavailableKey) ??
    new PlatformError('internal', { cause: error })
  );
}

/** What cannot be parsed as HTTP is answered on the socket itself, in the shape of every other error. */
function answerBrokenRequest({ issuer }: Deps, error: { code?: string }, socket: Socket): void {
  // A handshake that failed has nothing over which an answer could go.
  if (error.code === 'ECONNRESET' || !socket.writable || /^ERR_(SSL|TLS)_/.test(error.code ?? '')) {
    socket.destroy();
    return;
  }
  const [status, reason, text] = BROKEN_REQUESTS[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'That is no HTTP request.',
  ];
  const body = JSON.stringify(errorBody(new PlatformError('request.malformed', { text }), issuer()));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${DEFAULT_HEADER_LINES}connection: close\r\n\r\n${body}`,
  );
}

const DEFAULT_HEADER_LINES = Object.entries(defaultHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

const BROKEN_REQUESTS: Readonly<Record<string, readonly [status: number, reason: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'The request came too slowly. Send it again on a new connection.',
  ],
};

function sendError(
  deps: Deps,
  error: PlatformError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (deps.checkResponses) checkError(request, error);
  deps.securityLog.refused(request, error);
  if (error.key === 'db.unavailable' || error.key === request.routeOptions.config?.unavailableKey)
    deps.availability.failed('saving', error.cause);
  // An unavailable dependency is logged once, where it is used, not again for every call that needs it.
  // So is another server that does not answer as it must.
  if (error.status === 502 || error.status === 503)
    request.log.debug({ reqId: request.id, key: error.key }, 'request refused');
  else if (error.status >= 500)
    request.log.error({ reqId: request.id, err: error.cause ?? error, key: error.key }, 'request failed');
  reply.code(error.status).header('x-request-id', request.id).headers(defaultHeaders).headers(error.headers);
  if (opensPage(request))
    return reply
      .type(HTML)
      .headers({ 'content-security-policy': PLAIN_POLICY, vary: 'Accept' })
      .serializer((page: string) => page)
      .send(refusalPage(error));
  const body = errorBody(error, deps.issuer(), request.routeOptions.config?.oauthErrors);
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(error.status >= 500 && hasUsedProof(request) ? tellUsedProof(body) : body);
}
