import type { Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Target } from './target.ts';

interface Deps {
  /** Certificates (PEM) to trust instead of those that come with Node. */
  readonly ca: string | undefined;
  readonly maxSessions: number;
}

/** Starts TLS on a TCP connection. The certificate must be valid for the host of the URL. */
export class TlsClient {
  readonly #deps: Deps;
  /** Sessions by origin: resuming one saves both sides most of a handshake. */
  readonly #sessions: LRUCache<string, Buffer>;
  #context: SecureContext | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sessions = new LRUCache({ max: deps.maxSessions });
  }

  start(socket: Socket, { origin, host, addresses }: Target): TLSSocket {
    this.#context ??= createSecureContext(this.#deps.ca === undefined ? {} : { ca: this.#deps.ca });
    const secured = connect({
      socket,
      host,
      secureContext: this.#context,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // explicit, because an environment variable can turn the default off
      session: this.#sessions.get(origin),
      // SNI carries names only (RFC 6066 3); an IP address is verified through `host` alone.
      ...(addresses === undefined || host === 'localhost' ? { servername: host } : {}),
    });
    secured.on('session', (session) => {
      // Node does not compare the name again when a session is resumed, so only a verified session is kept.
      if (secured.authorized) this.#sessions.set(origin, session);
    });
    return secured;
  }
}
