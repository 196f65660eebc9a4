import type { ProofRequest } from '@symbolon/protocol';
import type { SignInThrottle } from '../../../access/rate-limits.ts';
import { PlatformError } from '../../../core/errors.ts';
import { takeByHash } from '../../../core/secrets.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { type Credentials, checkKeyMaterial } from '../credentials/index.ts';
import { type LoginRef, loginById, takeRecoveryCode, takeTimeStep } from './login-store.ts';
import { totpSecretPlace } from './stored-places.ts';
import type { PortalLoginRow, ReadyLoginRow } from './tables.ts';
import { totpStep } from './totp.ts';

/** A second factor as it is sent: a code of the authenticator app, or a recovery code. */
export interface SecondFactorProof {
  readonly code?: string;
  readonly recovery_code?: string;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'secrets'> {
  readonly throttle: SignInThrottle;
  readonly credentials: Credentials<PortalLoginRow>;
}

/** Step-up checks of a login: its login secret and, with the second factor on, a code. Failed tries are limited. */
export class Reauthentication {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Checks the login secret of a signed-in login. A wrong one counts together with the failed sign-ins of the login.
   * @param source the caller's address
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.throttled
   */
  async loginSecret(
    caller: LoginRef & { email: string },
    loginSecret: string,
    source: string,
  ): Promise<ReadyLoginRow> {
    await checkKeyMaterial({ secrets: [loginSecret] });
    const find = () => loginById(this.#deps.database.reader, caller);
    return this.#deps.credentials.prove(caller.email, loginSecret, source, find);
  }

  /**
   * The login secret and, with the second factor on, a code: for acts that a session alone must not do.
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.throttled, auth.two_factor_required,
   *   auth.second_factor_invalid
   */
  async both(
    caller: LoginRef & { email: string },
    given: ProofRequest,
    source: string,
  ): Promise<ReadyLoginRow> {
    const login = await this.loginSecret(caller, given.login_secret, source);
    if (login.totp_enabled_at !== null) await this.secondFactor(login, given);
    return login;
  }

  /**
   * Takes a code, which is then used: the same code is refused from there on, wherever it is sent.
   * @returns which of the two it was
   * @throws {PlatformError} auth.two_factor_required when neither was sent, auth.second_factor_invalid, auth.throttled
   */
  async secondFactor(login: PortalLoginRow, given: SecondFactorProof): Promise<'code' | 'recovery_code'> {
    const kind = given.code !== undefined ? 'code' : 'recovery_code';
    const text = given.code ?? given.recovery_code;
    if (text === undefined) throw new PlatformError('auth.two_factor_required');
    // The login secret was right, so tries are counted for the login, whatever address they come from.
    const account = `second-factor:${login.id}`;
    return this.#deps.throttle.attempt({ account }, 'auth.second_factor_invalid', async () =>
      (await this.#take(login, kind, text)) ? kind : undefined,
    );
  }

  /** The stored form of a recovery code. */
  recoveryCodeHash(loginId: string, code: string): string {
    return this.#deps.secrets.hash(recoveryCode(loginId, code));
  }

  /** The login's TOTP secret; undefined when there is none. */
  totpSecret(login: PortalLoginRow): Buffer | undefined {
    const { totp_secret: stored, company_id: companyId, id: loginId } = login;
    if (stored === null) return undefined;
    return this.#deps.secrets.decrypt(stored, totpSecretPlace({ companyId, loginId }));
  }

  async #take(login: PortalLoginRow, kind: 'code' | 'recovery_code', text: string): Promise<boolean> {
    const ref = { companyId: login.company_id, loginId: login.id };
    const secret = this.totpSecret(login);
    if (secret === undefined) return false;
    const step = kind === 'code' ? totpStep(secret, text, this.#deps.clock.now()) : undefined;
    if (kind === 'code' && step === undefined) return false;
    return writeLocked(this.#deps.database, 'companies', login.company_id, async (writer) => {
      return step === undefined
        ? takeByHash(this.#deps.secrets.hashes(recoveryCode(login.id, text)), (hash) =>
            takeRecoveryCode(writer, ref, hash),
          )
        : takeTimeStep(writer, ref, step);
    });
  }
}

/** What is hashed of a recovery code: as it was shown, in any spelling. */
const recoveryCode = (loginId: string, code: string) =>
  `recovery code ${loginId} ${code.replace(/[\s-]/g, '').toUpperCase()}`;
