import { createHash } from 'node:crypto';
import { refusalOfToken } from '../../../access/authenticator.ts';
import { isOwnSessionToken } from '../../../access/session-token.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { Core } from '../../domain.ts';
import type { Peers } from '../directory/peers.ts';

/** A company moves seldom, and its old region says so. */
const KEPT_MS = 60_000;
const KEPT_MOST = 10_000;

interface Deps extends Pick<Core, 'clock' | 'regions'> {
  readonly peers: Pick<Peers, 'ask'>;
  /** Of the platform: all regions have the same. */
  readonly secrets: Pick<Secrets, 'hashes'>;
}

/** The regions of portal sessions. Their tokens do not name them, so every region is asked, and the answer kept for a minute. */
export class SessionHomes {
  readonly #deps: Deps;
  /** By the digest of the token, the oldest first. */
  readonly #known = new Map<string, { region: string; until: number }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} auth.invalid, region.unavailable */
  async of(token: string): Promise<string> {
    // One call would become a signed call to every region, and it is not yet counted: a made-up token asks no region.
    if (!isOwnSessionToken(token, this.#deps.secrets)) throw refusalOfToken('invalid');
    const name = nameOf(token);
    const kept = this.#known.get(name);
    if (kept !== undefined && kept.until > this.#deps.clock.now()) return kept.region;
    this.#known.delete(name);
    const { clock, peers, regions } = this.#deps;
    const path = '/internal/sessions/known';
    const asked = await Promise.allSettled(
      regions.names.map(async (region) => {
        const call = { method: 'POST', path, body: { token } } as const;
        return (await peers.ask<{ home: boolean }>({ region }, call)).home ? region : undefined;
      }),
    );
    for (const answer of asked) {
      if (answer.status === 'rejected' || answer.value === undefined) continue;
      if (this.#known.size >= KEPT_MOST) this.#known.delete(this.#known.keys().next().value ?? '');
      this.#known.set(name, { region: answer.value, until: clock.now() + KEPT_MS });
      return answer.value;
    }
    // A region that did not answer may have it.
    for (const answer of asked) if (answer.status === 'rejected') throw answer.reason;
    throw refusalOfToken('invalid');
  }

  forget(token: string): void {
    this.#known.delete(nameOf(token));
  }
}

const nameOf = (token: string) => createHash('sha256').update(token).digest('base64url');
