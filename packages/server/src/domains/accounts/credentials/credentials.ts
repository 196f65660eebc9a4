import {
  type LoginParameters,
  limits,
  type RecoveryKeyRequest,
  type WrappedPrivateKey,
} from '@symbolon/protocol';
import { mailboxOf } from '../../../access/email.ts';
import { checkKeyMaterial, type LoginKeyColumns, wrappedKey } from '../../../access/key-material.ts';
import { passwordMatches } from '../../../access/passwords.ts';
import type { SignInThrottle } from '../../../access/rate-limits.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import type { Reader } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';

/** A login as it is stored: one of the portal from before login secrets has no credentials. */
export type StoredLogin = { readonly email: string } & {
  readonly [Column in keyof LoginKeyColumns]: unknown;
};
/** A login that has proved itself, so it has credentials. */
export type Proven<Row> = Row & LoginKeyColumns;

interface Deps extends Pick<Core, 'database' | 'secrets'> {
  readonly throttle: SignInThrottle;
  readonly names: UniqueNames;
}

/**
 * How logins of one kind, people's or the portal's, prove themselves. Their devices do the cryptography: the platform
 * holds an Argon2id hash of the login secret, a keyed hash of the recovery secret, and the private key wrapped twice,
 * which neither opens.
 *
 * An unknown address takes the same work as a known one and gets the same answers. All tries to prove a login are counted
 * together, whatever they are made with.
 */
export class Credentials<Row extends StoredLogin> {
  readonly #deps: Deps;
  readonly #kind: 'person' | 'portal';
  readonly #byEmail: (reader: Reader, email: string) => Promise<Row | undefined>;

  constructor(
    deps: Deps,
    kind: 'person' | 'portal',
    byEmail: (reader: Reader, email: string) => Promise<Row | undefined>,
  ) {
    this.#deps = deps;
    this.#kind = kind;
    this.#byEmail = byEmail;
  }

  /**
   * What a device derives its keys with. For an unknown address they derive from the address, so they are always the same.
   * @throws {PlatformError} region.rebase_required, region.unavailable
   */
  async parameters(givenEmail: string): Promise<LoginParameters> {
    const email = await this.#signsInHere(givenEmail);
    const decoy = this.#deps.secrets.decoy(`login parameters of ${this.#kind} ${mailboxOf(email)}`);
    const row = await this.#byEmail(this.#deps.database.reader, email);
    if (row === undefined || !isReady(row))
      return { version: limits.loginVersionMost, salt: decoy.subarray(0, 16).toString('base64') };
    return { version: row.login_version, salt: row.login_salt };
  }

  /**
   * The login whose address and login secret these are.
   * @param source the caller's address
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.throttled, region.rebase_required
   */
  async signIn(
    given: { readonly email: string; readonly login_secret: string },
    source: string,
  ): Promise<Proven<Row>> {
    await checkKeyMaterial({ secrets: [given.login_secret] });
    const email = await this.#signsInHere(given.email);
    return this.prove(email, given.login_secret, source, () =>
      this.#byEmail(this.#deps.database.reader, email),
    );
  }

  /**
   * The login with this address, if this is its login secret.
   * @param find reads the login
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled
   */
  prove(
    email: string,
    loginSecret: string,
    source: string,
    find: () => Promise<Row | undefined>,
  ): Promise<Proven<Row>> {
    return this.#deps.throttle.attempt(this.#account(email, source), 'auth.credentials_invalid', async () => {
      const row = await find();
      const known = row !== undefined && isReady(row) ? row : undefined;
      return (await passwordMatches(loginSecret, known?.login_hash, source)) ? known : undefined;
    });
  }

  /**
   * The private key under the recovery code, for who proves to hold that code.
   * @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled, region.rebase_required
   */
  async recoveryKey(given: RecoveryKeyRequest, source: string): Promise<WrappedPrivateKey> {
    return wrappedKey((await this.proveRecovery(given, source)).recovery_private_key);
  }

  /**
   * The login whose address and recovery code these are.
   * @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled, region.rebase_required
   */
  async proveRecovery(given: RecoveryKeyRequest, source: string): Promise<Proven<Row>> {
    await checkKeyMaterial({ secrets: [given.recovery_secret] });
    const email = await this.#signsInHere(given.email);
    return this.#deps.throttle.attempt(this.#account(email, source), 'account.recovery_invalid', async () => {
      const row = await this.#byEmail(this.#deps.database.reader, email);
      const known = row !== undefined && isReady(row) ? row : undefined;
      const matches = this.#deps.secrets.matches(given.recovery_secret, known?.recovery_hash ?? NO_SECRET);
      return matches ? known : undefined;
    });
  }

  /** Whether an address has a login of this kind, in this region or another. @throws {PlatformError} region.unavailable */
  async isTaken(email: string): Promise<boolean> {
    const [here, elsewhere] = await Promise.all([
      this.#byEmail(this.#deps.database.reader, email),
      this.#deps.names.isTakenElsewhere({ kind: `${this.#kind}_email`, name: email }),
    ]);
    return here !== undefined || elsewhere;
  }

  #account(email: string, source: string) {
    return { account: `${this.#kind}:${mailboxOf(email)}`, source };
  }

  /** An address as it was typed: whoever has an account under an older spelling is found. Text that is no address matches no row. */
  async #signsInHere(givenEmail: string): Promise<string> {
    const email = givenEmail.trim().toLowerCase();
    await this.#deps.names.assertSignsInHere(`${this.#kind}_email`, email);
    return email;
  }
}

/** Whether a login has credentials. */
export function isReady<Row extends { readonly login_hash: unknown }>(row: Row): row is Proven<Row> {
  return row.login_hash !== null;
}

/** What an unknown login's recovery secret is compared with: the hash of nothing anyone knows. */
const NO_SECRET = '0'.repeat(64);
