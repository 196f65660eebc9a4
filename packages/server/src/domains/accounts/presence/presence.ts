import type { CodeMailed, PresenceOptions, PresenceProof, Presence as Proven } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { isForwarded, sourceOf } from '../../../access/callers.ts';
import type { CallPresence, PresenceElsewhere, PresenceNeed } from '../../../access/presence.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { AccountRow } from './account.ts';
import type { AccountPresence } from './account-presence.ts';
import { homeOfPerson } from './store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly people: AccountPresence<AccountRow>;
  readonly logins: AccountPresence<AccountRow>;
  readonly elsewhere: PresenceElsewhere;
}

/**
 * Proofs of presence, for every feature whose acts a session alone must not do: a passkey's answer to a nonce that was made
 * for this act, or the login secret, with a second factor where one is switched on or demanded.
 *
 * The act is a short text that names the thing and the decision. A person's credentials are at home: other regions ask there.
 */
export class Presence implements CallPresence {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What a page needs in order to ask for a proof. @throws {PlatformError} auth.invalid, region.unavailable */
  async options(account: AccountRef, act: string): Promise<PresenceOptions> {
    const home = await this.#homeElsewhere(account);
    if (home !== undefined) return this.#deps.elsewhere.options(home.region, home.personId, act);
    return this.#of(account).options(account, act);
  }

  /** Mails a code for an act. @throws {PlatformError} those of `AccountPresence.mailCode` */
  mailCode(account: AccountRef, act: string): Promise<CodeMailed> {
    return this.#of(account).mailCode(account, act);
  }

  /**
   * Checks a proof and uses it up.
   * @param source the caller's address
   * @param need.strong refuses the login secret alone
   * @throws {PlatformError} those of `AccountPresence.prove`, region.unavailable
   */
  async check(
    account: AccountRef,
    act: string,
    proof: PresenceProof,
    source: string,
    need: PresenceNeed,
  ): Promise<Proven> {
    const home = await this.#homeElsewhere(account);
    if (home !== undefined)
      return this.#deps.elsewhere.check(home.region, home.personId, { act, proof, source, need });
    return (await this.#of(account).prove(account, act, proof, source, need)).presence;
  }

  async presenceOf(
    request: FastifyRequest,
    act: string,
    proof: PresenceProof,
    need: PresenceNeed,
  ): Promise<Proven> {
    const { principal } = request;
    if (principal?.kind !== 'person' && principal?.kind !== 'portal')
      throw new PlatformError('auth.forbidden');
    const known = principal.presence;
    if (known?.act === act) {
      if (need.strong && !known.twoFactor) throw new PlatformError('auth.two_factor_required');
      return { method: known.method, twoFactor: known.twoFactor };
    }
    // The region that sent the call on checked the proof that it found: a second check would find it used.
    if (isForwarded(request) && known !== undefined) throw new PlatformError('auth.passkey_invalid');
    const found = await this.check(principal, act, proof, sourceOf(request), need);
    request.principal = { ...principal, presence: { act, ...found } };
    forget(proof);
    return found;
  }

  #of(account: AccountRef): AccountPresence<AccountRow> {
    return account.kind === 'person' ? this.#deps.people : this.#deps.logins;
  }

  async #homeElsewhere(account: AccountRef): Promise<{ region: string; personId: string } | undefined> {
    if (account.kind !== 'person') return undefined;
    const region = await homeOfPerson(this.#deps.database.reader, account.personId);
    return region === undefined ? undefined : { region, personId: account.personId };
  }
}

/** What stands in a call in place of a login secret that was checked. */
const CHECKED_SECRET = Buffer.alloc(32).toString('base64');

/** Route handlers hand in the proof of the body, which is what would be sent on. */
function forget(proof: object): void {
  if (!('login_secret' in proof)) return;
  const spent = { code: undefined, recovery_code: undefined, mailed_code: undefined };
  Object.assign(proof, spent, { login_secret: CHECKED_SECRET });
}
