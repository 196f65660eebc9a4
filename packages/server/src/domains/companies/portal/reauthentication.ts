import type { ProofRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { type AccountPresence, isReady, proofOf } from '../../accounts/index.ts';
import type { LoginRef } from './login-store.ts';
import type { PortalLoginRow, ReadyLoginRow } from './tables.ts';

interface Deps {
  readonly loginPresence: AccountPresence<PortalLoginRow>;
}

/** Proofs of presence as the routes of the portal take them: as members of the body. */
export class Reauthentication {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Checks who is present: the login secret and, with the second factor on, a code; or a passkey's answer for this act. For
   * acts that a session alone must not do.
   * @param act method and path of the request
   * @param source the caller's address
   * @returns the login as it was when it proved itself
   * @throws {PlatformError} those of `AccountPresence.prove`
   */
  async prove(caller: LoginRef, act: string, given: ProofRequest, source: string): Promise<ReadyLoginRow> {
    const ref = { kind: 'portal', companyId: caller.companyId, loginId: caller.loginId } as const;
    const { account } = await this.#deps.loginPresence.prove(ref, act, proofOf(given), source);
    if (!isReady(account)) throw new PlatformError('auth.credentials_invalid');
    return account;
  }
}
