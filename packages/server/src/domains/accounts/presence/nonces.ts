import { randomBytes, timingSafeEqual } from 'node:crypto';
import { limits } from '@symbolon/protocol';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { insertUsedNonce } from './store.ts';

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const TAG_BYTES = 32;

/** A nonce that was found good: `take` uses it up. */
export interface GoodNonce {
  readonly nonce: string;
  readonly expiresAt: number;
}

type Deps = Pick<Core, 'clock' | 'secrets'>;

/**
 * Challenges for passkeys, each bound to an account and an act by a keyed hash. Making one writes nothing: a nonce becomes a
 * row only when it is used, so that it is used once.
 */
export class Nonces {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param purpose names account and act */
  make(purpose: string): { nonce: string; expiresAt: number } {
    const expiresAt = this.#deps.clock.now() + limits.presenceNonceMs;
    const head = Buffer.alloc(RANDOM_BYTES + TIME_BYTES);
    randomBytes(RANDOM_BYTES).copy(head);
    head.writeUIntBE(expiresAt, RANDOM_BYTES, TIME_BYTES);
    const tag = tagIn(this.#deps.secrets.hash(tagged(head, purpose)));
    return { nonce: Buffer.concat([head, tag]).toString('base64url'), expiresAt };
  }

  /** Undefined for a nonce that was made for another account or act, was not made here, or is too old. */
  check(nonce: string, purpose: string): GoodNonce | undefined {
    const bytes = Buffer.from(nonce, 'base64url');
    // Compared as text, so that a nonce has one spelling only.
    if (bytes.length !== RANDOM_BYTES + TIME_BYTES + TAG_BYTES || bytes.toString('base64url') !== nonce)
      return undefined;
    const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
    const given = bytes.subarray(RANDOM_BYTES + TIME_BYTES);
    const expiresAt = head.readUIntBE(RANDOM_BYTES, TIME_BYTES);
    const hashes = this.#deps.secrets.hashes(tagged(head, purpose));
    const isOurs = hashes.some((hash) => timingSafeEqual(tagIn(hash), given));
    return isOurs && expiresAt > this.#deps.clock.now() ? { nonce, expiresAt } : undefined;
  }

  /** False when it was used before. */
  take(writer: Writer, { nonce, expiresAt }: GoodNonce): Promise<boolean> {
    return insertUsedNonce(writer, { nonce, expires_at: expiresAt });
  }
}

const tagged = (head: Buffer, purpose: string) => `nonce ${head.toString('base64url')} ${purpose}`;

/** Without the version of the secret, by which a stored hash begins. */
const tagIn = (hash: string) => Buffer.from(hash.slice(-2 * TAG_BYTES), 'hex');
