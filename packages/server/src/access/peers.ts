import type { Principal } from './principal.ts';

/** Bearer tokens that begin so come from other regions or from the front door. */
export const PEER_TOKEN_PREFIX = 'peer_';

/** What a good token of that kind says: the calling region, its principal, and the digest of the body. */
export interface Peer {
  readonly region: string;
  readonly actingFor: Principal | undefined;
  /** SHA-256 of the body, base64url. */
  readonly body: string;
}

/** The call that a token must have been made for. */
export interface PeerRequest {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
}

/** Checks tokens of other regions. */
export interface PeerVerifier {
  /** Undefined for a token that is bad, out of date, used before, or made for another call or region. */
  verify(token: string, call: PeerRequest): Promise<Peer | undefined>;
}

/** With one region, no other one signs anything. */
export const noPeers: PeerVerifier = { verify: async () => undefined };
