import type { ActProof, ActProofRequest } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { takeByHash } from '../../../core/secrets.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { insertProof, takeProof } from './login-store.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { PortalPrincipal } from './sessions.ts';

/** Between the proof and the request that it is for. */
const PROOF_MS = 2 * 60 * 1000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly reauthentication: Reauthentication;
}

/**
 * Proofs of presence for requests that have no body to send one in: made with the login secret, good for one request of
 * the same session.
 */
export class ActProofs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} those of `Reauthentication.prove` */
  async make(caller: PortalPrincipal, request: ActProofRequest, source: string): Promise<ActProof> {
    await this.#deps.reauthentication.prove(caller, request.for, request, source);
    const proof = this.#deps.ids.token(32);
    const expiresAt = this.#deps.clock.now() + PROOF_MS;
    const row = { ...rowOf(caller, request.for, this.#deps.secrets.hash(proof)), expires_at: expiresAt };
    await this.#deps.database.write((writer) => insertProof(writer, row));
    return { proof, expires_at: isoTime(expiresAt) };
  }

  /**
   * Uses a proof up, in the transaction of what it is for.
   * @param act method and path of the request
   * @throws {PlatformError} auth.proof_required
   */
  async take(writer: Writer, caller: PortalPrincipal, act: string, proof: string | undefined): Promise<void> {
    const now = this.#deps.clock.now();
    const hashes = proof === undefined ? [] : this.#deps.secrets.hashes(proof);
    const isTaken = await takeByHash(hashes, (hash) => takeProof(writer, rowOf(caller, act, hash), now));
    if (!isTaken) throw new PlatformError('auth.proof_required');
  }
}

function rowOf(caller: PortalPrincipal, act: string, tokenHash: string) {
  return {
    company_id: caller.companyId,
    login_id: caller.loginId,
    session_id: caller.sessionId,
    token_hash: tokenHash,
    act,
  };
}
