import type { Principal } from './principal.ts';

/** Bearer tokens that begin so come from other regions or from the front door. */
export const PEER_TOKEN_PREFIX = 'peer_';

/** What a good token of that kind says: which region calls, and for whom. */
export interface Peer {
  readonly region: string;
  readonly actingFor: Principal | undefined;
}

/** Checks tokens of other regions. */
export interface PeerVerifier {
  /** Undefined for a token that is bad, out of date, or for another region. */
  verify(token: string): Peer | undefined;
}

/** With one region, no other one signs anything. */
export const noPeers: PeerVerifier = { verify: () => undefined };
