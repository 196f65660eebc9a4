import type { SignInThrottle } from '../../../access/rate-limits.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type StoredPlace, takeByHash } from '../../../core/secrets.ts';
import type { Core } from '../../domain.ts';
import { type AccountKind, type AccountRow, idOf, writeToAccount } from './account.ts';
import { takeRecoveryCode, takeTimeStep } from './store.ts';
import { totpStep } from './totp.ts';

/** A second factor as it is sent: a code of the authenticator app, or a recovery code. */
export interface SecondFactorProof {
  readonly code?: string;
  readonly recovery_code?: string;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'secrets'> {
  readonly throttle: SignInThrottle;
}

/** Takes codes of authenticator apps and recovery codes, each once. */
export class SecondFactorCheck<Row extends AccountRow> {
  readonly #deps: Deps;
  readonly #kind: AccountKind<Row>;

  constructor(deps: Deps, kind: AccountKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  /**
   * Takes a code, which is then used: the same code is refused from there on, wherever it is sent.
   * @returns which of the two it was
   * @throws {PlatformError} auth.two_factor_required when neither was sent, auth.second_factor_invalid, auth.throttled
   */
  take(row: Row, given: SecondFactorProof): Promise<'totp' | 'recovery_code'> {
    const { code, recovery_code: recoveryCode } = given;
    if (code !== undefined) return this.attempt(row, 'totp', () => this.#takeTotp(row, code));
    if (recoveryCode !== undefined)
      return this.attempt(row, 'recovery_code', () => this.#takeRecoveryCode(row, recoveryCode));
    throw new PlatformError('auth.two_factor_required');
  }

  /**
   * Tries a code of any kind. The login secret was right before, so tries are counted for the account, whatever address they
   * come from.
   * @throws {PlatformError} auth.second_factor_invalid, auth.throttled
   */
  attempt<Method>(row: Row, method: Method, take: () => Promise<boolean>): Promise<Method> {
    const account = `second-factor:${row.id}`;
    return this.#deps.throttle.attempt({ account }, 'auth.second_factor_invalid', async () =>
      (await take()) ? method : undefined,
    );
  }

  /** The stored form of a recovery code. */
  recoveryCodeHash(accountId: string, code: string): string {
    return this.#deps.secrets.hash(recoveryCode(accountId, code));
  }

  /** The secret of the authenticator app; undefined when no app is enrolled. */
  totpSecret(row: Row): Buffer | undefined {
    if (row.totp_secret === null) return undefined;
    return this.#deps.secrets.decrypt(row.totp_secret, this.place(row));
  }

  /** Where the secret of the authenticator app is stored. */
  place(row: Row): StoredPlace {
    const id = Object.values(this.#kind.key(this.#kind.refOf(row)));
    const [only] = id;
    const { accounts: table } = this.#kind.tables;
    return { table, column: 'totp_secret', id: id.length === 1 && only !== undefined ? only : id };
  }

  async #takeTotp(row: Row, code: string): Promise<boolean> {
    const secret = this.totpSecret(row);
    const step = secret === undefined ? undefined : totpStep(secret, code, this.#deps.clock.now());
    if (step === undefined) return false;
    const ref = this.#kind.refOf(row);
    return writeToAccount(this.#deps.database, this.#kind, ref, (writer) =>
      takeTimeStep(writer, this.#kind, ref, step),
    );
  }

  async #takeRecoveryCode(row: Row, text: string): Promise<boolean> {
    if (row.totp_secret === null) return false;
    const ref = this.#kind.refOf(row);
    const hashes = this.#deps.secrets.hashes(recoveryCode(idOf(ref), text));
    return writeToAccount(this.#deps.database, this.#kind, ref, (writer) =>
      takeByHash(hashes, (hash) => takeRecoveryCode(writer, this.#kind, ref, hash)),
    );
  }
}

/** What is hashed of a recovery code: as it was shown, in any spelling. */
const recoveryCode = (accountId: string, code: string) =>
  `recovery code ${accountId} ${code.replace(/[\s-]/g, '').toUpperCase()}`;
