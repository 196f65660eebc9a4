import { fingerprint } from '@symbolon/crypto';
import {
  type ChangePasswordRequest,
  type LoginParameters,
  limits,
  type Person,
  type PersonLoginRequest,
  type PersonRegisterRequest,
  type PersonSession,
  type RecoverRequest,
  type RecoveryKeyRequest,
  type WrappedPrivateKey,
} from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import { hashPassword, passwordMatches } from '../../../access/passwords.ts';
import type { Principal } from '../../../access/principal.ts';
import type { SignInThrottle } from '../../../access/rate-limits.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { Replication, UniqueNames } from '../ports.ts';
import { assignShareCode } from '../share-codes/index.ts';
import { checkKeyMaterial } from './key-material.ts';
import {
  epochOf,
  insertPerson,
  type PasswordColumns,
  personByEmail,
  personById,
  replacePassword,
} from './store.ts';
import type { PersonRow } from './tables.ts';

/** PBKDF2 rounds that devices derive login secret and wrap key with. */
const ITERATIONS = 600_000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets' | 'tokens'> {
  readonly throttle: SignInThrottle;
  readonly names: UniqueNames;
  readonly replication: Replication;
}

/**
 * People and how they prove who they are. Their devices do the cryptography: the platform holds an Argon2id hash of the
 * login secret, a keyed hash of the recovery secret, and the private key wrapped twice, which neither opens.
 */
export class People {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Who stands behind a person's id, and the epoch their tokens must carry.
   * @param epoch of the token: one that is ahead of what is known here is of another region that knows better
   * @throws {PlatformError} region.unavailable
   */
  async identity(
    personId: string,
    epoch: number,
  ): Promise<{ principal: Principal; epoch: number } | undefined> {
    const { reader } = this.#deps.database;
    let [row] = await epochOf(reader, personId);
    if (row === undefined || (row.region !== null && row.epoch < epoch)) {
      if (!(await this.#deps.replication.awaitPerson(personId, epoch))) return undefined;
      [row] = await epochOf(reader, personId);
    }
    if (row === undefined) return undefined;
    const home = row.region === null ? {} : { home: row.region };
    return { principal: { kind: 'person', personId, ...home }, epoch: row.epoch };
  }

  /**
   * Registers a person and signs them in.
   * @throws {PlatformError} people.email_invalid, people.key_invalid, people.email_taken
   */
  async register(request: PersonRegisterRequest): Promise<PersonSession> {
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new PlatformError('people.email_invalid');
    await checkKeyMaterial({
      publicKey: request.public_key,
      salt: request.key_salt,
      secrets: [request.login_secret, request.recovery.secret],
      wrapped: [request.encrypted_private_key, request.recovery.encrypted_private_key],
    });
    const id = this.#deps.ids.uuid();
    const made: Omit<PersonRow, 'share_code'> = {
      id,
      email,
      display_name: request.display_name.trim(),
      public_key: request.public_key,
      public_key_sha256: await fingerprint(request.public_key),
      ...(await passwordColumns(request)),
      recovery_hash: this.#deps.secrets.hash(request.recovery.secret),
      recovery_private_key: JSON.stringify(request.recovery.encrypted_private_key),
      epoch: 1,
      created_at: this.#deps.clock.now(),
      region: null,
    };
    const owner = { kind: 'person', id } as const;
    const taken = () => new PlatformError('people.email_taken');
    const row = await this.#deps.names.withClaim(
      owner,
      [{ kind: 'person_email', name: email }],
      taken,
      async () => {
        const code = await this.#deps.names.claimShareCode(owner);
        return this.#deps.database.write(async (writer) => {
          const person = { ...made, share_code: await assignShareCode(writer, this.#deps.ids, owner, code) };
          if (!(await insertPerson(writer, person))) throw taken();
          await this.#deps.replication.personChanged(writer, id);
          return person;
        });
      },
    );
    await this.#deps.names.confirmShareCode(owner, row.share_code);
    return this.#session(row);
  }

  /**
   * What a device derives its secrets with. An unknown address gets a salt too, always the same one, so that the answer
   * does not show whether the address is registered.
   */
  async loginParameters(givenEmail: string): Promise<LoginParameters> {
    const email = emailKey(givenEmail);
    await this.#deps.names.assertSignsInHere('person_email', email);
    const decoy = this.#deps.secrets.decoy(`login parameters of ${email}`).subarray(0, 16);
    const row = await personByEmail(this.#deps.database.reader, email);
    return { key_salt: row?.key_salt ?? decoy.toString('base64'), iterations: ITERATIONS };
  }

  /**
   * @param source the caller's address: failed tries are counted for a person and an address
   * @throws {PlatformError} people.key_invalid, auth.credentials_invalid, auth.throttled
   */
  async login(request: PersonLoginRequest, source: string): Promise<PersonSession> {
    await checkKeyMaterial({ secrets: [request.login_secret] });
    const email = emailKey(request.email);
    await this.#deps.names.assertSignsInHere('person_email', email);
    const find = () => personByEmail(this.#deps.database.reader, email);
    return this.#session(
      await this.#prove({ account: `person:${email}`, source }, request.login_secret, find),
    );
  }

  /**
   * The private key under the recovery code, for who proves to hold that code.
   * @throws {PlatformError} people.key_invalid, people.recovery_invalid, auth.throttled
   */
  async recoveryKey(request: RecoveryKeyRequest, source: string): Promise<WrappedPrivateKey> {
    await checkKeyMaterial({ secrets: [request.recovery_secret] });
    return wrappedKey((await this.#proveRecovery(request, source)).recovery_private_key);
  }

  /**
   * Sets a new password by the recovery code; tokens from before end as with `changePassword`.
   * @throws {PlatformError} people.key_invalid, people.recovery_invalid, auth.throttled
   */
  async recover(request: RecoverRequest, source: string): Promise<PersonSession> {
    await checkKeyMaterial({
      salt: request.key_salt,
      secrets: [request.recovery_secret, request.login_secret],
      wrapped: [request.encrypted_private_key],
    });
    const person = await this.#proveRecovery(request, source);
    const changed = await this.#replacePassword(person, await passwordColumns(request));
    if (changed === undefined) throw new PlatformError('people.recovery_invalid');
    return this.#session(changed);
  }

  /**
   * Sets a new password by the present one; tokens from before end, the caller's too: here at once, in other regions when the
   * message arrives, which takes moments. A region that cannot take messages in accepts them until they expire.
   * @throws {PlatformError} people.key_invalid, auth.credentials_invalid, auth.throttled
   */
  async changePassword(
    personId: string,
    request: ChangePasswordRequest,
    source: string,
  ): Promise<PersonSession> {
    await checkKeyMaterial({
      salt: request.key_salt,
      secrets: [request.current_login_secret, request.login_secret],
      wrapped: [request.encrypted_private_key],
    });
    const given = { account: `person-password:${personId}`, source };
    const find = () => personById(this.#deps.database.reader, personId);
    const row = await this.#prove(given, request.current_login_secret, find);
    const changed = await this.#replacePassword(row, await passwordColumns(request));
    // Another request changed the password after this one was checked.
    if (changed === undefined) throw new PlatformError('auth.credentials_invalid');
    return this.#session(changed);
  }

  /** @throws {PlatformError} auth.invalid when the person is gone */
  async me(personId: string): Promise<Person> {
    const row = await personById(this.#deps.database.reader, personId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return toPerson(row);
  }

  /** The person whose recovery code this is. An unknown address and a wrong code take the same work and give the same answer. */
  async #proveRecovery(proof: RecoveryKeyRequest, source: string): Promise<PersonRow> {
    const email = emailKey(proof.email);
    await this.#deps.names.assertSignsInHere('person_email', email);
    const account = `person-recovery:${email}`;
    return this.#deps.throttle.attempt({ account, source }, 'people.recovery_invalid', async () => {
      const row = await personByEmail(this.#deps.database.reader, email);
      const matches = this.#deps.secrets.matches(proof.recovery_secret, row?.recovery_hash ?? NO_SECRET);
      return matches ? row : undefined;
    });
  }

  /** The person whose login secret this is. An unknown person and a wrong secret take the same work. */
  #prove(
    given: { account: string; source: string },
    secret: string,
    find: () => Promise<PersonRow | undefined>,
  ): Promise<PersonRow> {
    return this.#deps.throttle.attempt(given, 'auth.credentials_invalid', async () => {
      const row = await find();
      return (await passwordMatches(secret, row?.login_hash)) ? row : undefined;
    });
  }

  #replacePassword(person: PersonRow, password: PasswordColumns): Promise<PersonRow | undefined> {
    return this.#deps.database.write(async (writer) => {
      const changed = await replacePassword(writer, person, password);
      // Tokens from before end elsewhere when this message arrives, or with their hour.
      if (changed !== undefined) await this.#deps.replication.personChanged(writer, person.id);
      return changed;
    });
  }

  #session(row: PersonRow): PersonSession {
    return {
      token_type: 'Bearer',
      access_token: this.#deps.tokens.mint('person', row.id, row.epoch),
      expires_in: limits.accessTokenSeconds,
      person: toPerson(row),
      encrypted_private_key: wrappedKey(row.encrypted_private_key),
    };
  }
}

/** What an unknown person's recovery secret is compared with: the hash of nothing anyone knows. */
const NO_SECRET = '0'.repeat(64);

/** The form in which addresses are stored, for look-ups. Text that is not an address matches no row. */
const emailKey = (email: string) => email.trim().toLowerCase();

async function passwordColumns(request: {
  key_salt: string;
  login_secret: string;
  encrypted_private_key: WrappedPrivateKey;
}): Promise<PasswordColumns> {
  return {
    key_salt: request.key_salt,
    login_hash: await hashPassword(request.login_secret),
    encrypted_private_key: JSON.stringify(request.encrypted_private_key),
  };
}

const wrappedKey = (stored: string) => JSON.parse(stored) as WrappedPrivateKey;

function toPerson(row: PersonRow): Person {
  return {
    person_user_id: row.id,
    email: row.email,
    display_name: row.display_name,
    share_code: row.share_code,
    public_key: row.public_key,
    public_key_sha256: row.public_key_sha256,
    created_at: isoTime(row.created_at),
  };
}
