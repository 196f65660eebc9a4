import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { SecureContextOptions, TLSSocket } from 'node:tls';

/** Of one connection at a time; more wait at the client. */
const STREAMS_MOST = 100;
/** What answers of one connection hold until they are taken, in MB: beyond it new streams are refused. */
const MEMORY_MOST = 64;
const HANDSHAKE_MS = 10_000;
/** See `ResponseTracker`: one for each response whose arrival is not known. */
const PINGS_MOST = 1_000;

/** The sockets under sessions: a session itself does not give its own away. */
const sockets = new WeakMap<object, TLSSocket>();

/** A request over HTTP/2, with what HTTP/1.1 has of it. */
class StreamRequest extends Http2ServerRequest {
  readonly line: TLSSocket | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, ...rest: [never, never]) {
    super(stream, headers, ...rest);
    this.line = sockets.get(stream.session as object);
    headers.host ??= headers[':authority'] as string | undefined;
  }
}

class StreamResponse extends Http2ServerResponse {
  readonly line: TLSSocket | undefined;

  constructor(stream: ServerHttp2Stream) {
    super(stream);
    this.line = sockets.get(stream.session as object);
    // Missing there.
    Object.defineProperty(this, 'closed', { get: () => stream.destroyed });
  }

  /** Where HTTP/1.1 closes the connection, the stream ends: its body is not read to be thrown away (RFC 9113 8.1). */
  override writeHead(status: number, headers?: unknown): this {
    const { connection, ...others } = (headers ?? {}) as OutgoingHttpHeaders;
    if (connection === 'close') this.stream.once('finish', () => this.stream.close());
    return super.writeHead(status, others);
  }
}

/**
 * A server that speaks TLS: HTTP/2 with clients that know it, HTTP/1.1 with others. It is one of `node:http` for whoever uses no
 * more of it than this file gives; where HTTP/2 differs, `streamOf` and `socketOf` tell.
 */
export function createTlsServer(
  context: SecureContextOptions,
  settings: {
    readonly keepAliveTimeout: number;
    readonly requestTimeout: number;
    /** Of HTTP/1.1. */
    readonly requireHostHeader?: boolean;
  },
  handler: RequestListener,
): Server {
  const server = createSecureServer({
    ...context,
    ...settings,
    allowHTTP1: true,
    handshakeTimeout: HANDSHAKE_MS,
    maxOutstandingPings: PINGS_MOST,
    maxSessionMemory: MEMORY_MOST,
    settings: { maxConcurrentStreams: STREAMS_MOST },
    Http2ServerRequest: StreamRequest as unknown as typeof Http2ServerRequest,
    Http2ServerResponse: StreamResponse as unknown as typeof Http2ServerResponse,
  }) as Http2SecureServer & Pick<Server, 'closeAllConnections'>;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.closeAllConnections = () => {
    for (const socket of open) socket.destroy();
  };
  // The session is made while this event is emitted.
  let latest: TLSSocket | undefined;
  server.prependListener('secureConnection', (socket) => {
    latest = socket;
  });
  server.on('session', (session) => {
    if (latest === undefined) return;
    sockets.set(session, latest);
    // Each of its streams listens.
    latest.setMaxListeners(0);
  });
  server.on('request', handler as never);
  return server as unknown as Server;
}

/** The stream of a message over HTTP/2, which has one of its own; undefined with HTTP/1.1. */
export function streamOf(message: IncomingMessage | ServerResponse): ServerHttp2Stream | undefined {
  return (message as { stream?: ServerHttp2Stream }).stream;
}

/** The socket on which a message goes, with HTTP/2 together with others. */
export function socketOf(message: IncomingMessage | ServerResponse): Socket | null {
  return (message as { line?: Socket }).line ?? message.socket ?? null;
}

/** What was silent on a server for too long. */
export function silentSocket(silent: Socket | ServerHttp2Session): Socket | undefined {
  return sockets.get(silent) ?? ('remoteAddress' in silent ? silent : undefined);
}

/** Whether all of an answer over HTTP/2 was handed over. Its events `finish` and `close` come also when it broke. */
export const isHandedOver = (stream: ServerHttp2Stream): boolean =>
  stream.rstCode === 0 && stream.writableFinished;
