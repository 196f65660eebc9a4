import { createHash, randomBytes, sign, verify } from 'node:crypto';
import { PEER_TOKEN_PREFIX, type Peer, type PeerRequest, type PeerVerifier } from '../../../access/peers.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Core } from '../../domain.ts';
import type { PeerKeys } from './peer-keys.ts';
import type { SeenCalls } from './seen-calls.ts';

/** Clocks may differ by so much, and a call may be on its way for so long. */
const LIFE_MS = 60_000;
const TOKEN = /^peer_([\w-]{1,8000})\.([\w-]{86})$/;

interface Claims {
  /** Once only. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The id of the key that signs. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Digest of method and path. */
  readonly call: string;
  /** Digest of the body. */
  readonly body: string;
  readonly actingFor?: Principal;
}

/** What a token is made for. `body` is its digest. */
export interface SignedCall extends PeerRequest {
  readonly body: string;
}

interface Deps extends Pick<Core, 'clock'> {
  readonly keys: PeerKeys;
  readonly seen: SeenCalls;
  readonly own: string;
  /** The names under which other processes call this one. */
  readonly audiences: readonly string[];
}

/**
 * Tokens with which the processes of one platform authenticate to each other. Each is signed for one call: for its method, path
 * and body, to one region, for a minute; the region answers it once.
 */
export class PeerTokens implements PeerVerifier {
  readonly #deps: Deps;
  readonly #audiences: ReadonlySet<string>;
  readonly #startedAt: number;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#audiences = new Set(deps.audiences);
    this.#startedAt = deps.clock.now();
  }

  /** The ids of the keys to sign with: the first, then those that a region may still expect while keys are changed. */
  get keys(): readonly string[] {
    return this.#deps.keys.own;
  }

  mint(to: string, call: SignedCall, actingFor?: Principal, key = this.keys[0] ?? ''): string {
    const claims: Claims = {
      id: randomBytes(16).toString('base64url'),
      from: this.#deps.own,
      to,
      key,
      at: this.#deps.clock.now(),
      call: digestOf(call),
      body: call.body,
      ...(actingFor === undefined ? {} : { actingFor }),
    };
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const signature = sign(null, Buffer.from(text), this.#deps.keys.signingKey(key));
    return `${PEER_TOKEN_PREFIX}${text}.${signature.toString('base64url')}`;
  }

  async verify(token: string, call: PeerRequest): Promise<Peer | undefined> {
    const [, text, signature] = TOKEN.exec(token) ?? [];
    const claims = text === undefined ? undefined : parse(text);
    if (text === undefined || signature === undefined || claims === undefined) return undefined;
    const key = this.#deps.keys.publicKey(claims.from, claims.key);
    if (key === undefined || !verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url')))
      return undefined;
    const now = this.#deps.clock.now();
    // What was sent before the start may have been answered by the process that was here before.
    if (Math.abs(now - claims.at) > LIFE_MS || claims.at < this.#startedAt) return undefined;
    if (!this.#audiences.has(claims.to) || claims.call !== digestOf(call)) return undefined;
    if (!(await this.#deps.seen.note(claims.id, claims.at + 2 * LIFE_MS))) return undefined;
    return { region: claims.from, actingFor: claims.actingFor, body: claims.body };
  }
}

function digestOf({ method, url }: PeerRequest): string {
  return createHash('sha256').update(`${method} ${url}`).digest('base64url');
}

/** The claims of a token whose signature is not checked yet; only signers know how they look inside. */
function parse(text: string): Claims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Claims> | null;
    return typeof claims?.from === 'string' && typeof claims.key === 'string'
      ? (claims as Claims)
      : undefined;
  } catch {
    return undefined;
  }
}
