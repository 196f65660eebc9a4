import type { SignInPolicy, SignInPolicyRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { requiresSecondFactor, setSecondFactorRequired } from './company-store.ts';
import { loginsWithoutFactor } from './login-store.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { PortalPrincipal } from './sessions.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly reauthentication: Reauthentication;
  readonly audit: Audit;
}

/** Whether every login of a company needs a second factor. A login that has none may set one up, and nothing else. */
export class SignInPolicies {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async get(caller: PortalPrincipal): Promise<SignInPolicy> {
    const { reader } = this.#deps.database;
    const isRequired = await requiresSecondFactor(reader, caller.companyId);
    return {
      second_factor: isRequired ? 'required' : 'optional',
      tried: caller.factor !== null,
      without_second_factor: await loginsWithoutFactor(reader, caller.companyId),
    };
  }

  /**
   * Requires a second factor of all logins, or of no login. Who requires it has signed in with one: otherwise a mistake could lock
   * everybody out.
   * @throws {PlatformError} account.second_factor_untried, and those of `Reauthentication.prove`
   */
  async set(
    caller: PortalPrincipal,
    { second_factor: rule, ...proof }: SignInPolicyRequest,
    actor: Actor,
  ): Promise<SignInPolicy> {
    if (rule === 'required' && caller.factor === null)
      throw new PlatformError('account.second_factor_untried');
    const { companyId } = caller;
    await this.#deps.reauthentication.prove(
      caller,
      'PUT /api/account/sign-in-policy',
      proof,
      actor.source ?? '',
    );
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const isRequired = rule === 'required';
      if ((await requiresSecondFactor(writer, companyId)) === isRequired) return;
      await setSecondFactorRequired(writer, companyId, isRequired);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'sign_in_policy.changed',
        target: companyId,
        details: { second_factor: rule },
      });
    });
    return this.get(caller);
  }
}
