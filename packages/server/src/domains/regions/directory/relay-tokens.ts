import { createHash, sign, verify } from 'node:crypto';
import { isIP } from 'node:net';
import type { PeerRequest } from '../../../access/peers.ts';
import type { Core } from '../../domain.ts';
import type { PeerKeys } from './peer-keys.ts';

/** The front door puts its token here: Authorization is the caller's. */
export const RELAY_HEADER = 'x-symbolon-relay';

/** Clocks may differ by so much, and a call may be on its way for so long. */
const LIFE_MS = 60_000;
const TOKEN = /^relay_([\w-]{1,2000})\.([\w-]{86})$/;

interface Claims {
  readonly to: string;
  /** The id of the key that signs. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Digest of method and path. */
  readonly call: string;
  /** The address that the caller called from. */
  readonly source: string;
}

interface Deps extends Pick<Core, 'clock'> {
  readonly keys: PeerKeys;
  readonly own: string;
  readonly frontDoor: string;
}

/**
 * Tokens with which the front door says where a call came from that it passes on. They give no right to anything: the caller's
 * own credential does. A region that is given one again within a minute counts the same call for the same address.
 */
export class RelayTokens {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The ids of the keys to sign with: the first, then those that a region may still expect while keys are changed. */
  get keys(): readonly string[] {
    return this.#deps.keys.own;
  }

  mint(to: string, call: PeerRequest, source: string, key = this.keys[0] ?? ''): string {
    const { clock, keys } = this.#deps;
    const claims: Claims = { to, key, at: clock.now(), call: digestOf(call), source };
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `relay_${text}.${sign(null, signedText(text), keys.signingKey(key)).toString('base64url')}`;
  }

  /** The address that a call came from; undefined for a token that is bad, out of date, or made for another call or region. */
  sourceOf(token: string, call: PeerRequest): string | undefined {
    const { clock, keys, own, frontDoor } = this.#deps;
    const [, text, signature] = TOKEN.exec(token) ?? [];
    const claims = text === undefined ? undefined : parse(text);
    if (text === undefined || signature === undefined || claims === undefined) return undefined;
    const key = keys.publicKey(frontDoor, claims.key);
    if (key === undefined || !verify(null, signedText(text), key, Buffer.from(signature, 'base64url'))) {
      return undefined;
    }
    const isGood =
      Math.abs(clock.now() - claims.at) <= LIFE_MS &&
      claims.to === own &&
      claims.call === digestOf(call) &&
      isIP(claims.source) !== 0;
    return isGood ? claims.source : undefined;
  }
}

/** No token for another purpose is signed over such a text. */
const signedText = (text: string) => Buffer.from(`relay ${text}`);

function digestOf({ method, url }: PeerRequest): string {
  return createHash('sha256').update(`${method} ${url}`).digest('base64url');
}

/** The claims of a token whose signature is not checked yet. */
function parse(text: string): Claims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Claims> | null;
    return typeof claims?.key === 'string' && typeof claims.source === 'string'
      ? (claims as Claims)
      : undefined;
  } catch {
    return undefined;
  }
}
