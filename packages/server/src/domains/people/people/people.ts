import { fingerprint } from '@symbolon/crypto';
import {
  type ChangePasswordRequest,
  type LoginParameters,
  limits,
  type MailedTicket,
  type PasskeySignInRequest,
  type Person,
  type PersonAccount,
  type PersonConfirmRequest,
  type PersonCookieSession,
  type PersonEventKind,
  type PersonLoginRequest,
  type PersonPasskeySession,
  type PersonRecoverRequest,
  type PersonRecoveryCodeRequest,
  type PersonRegisterRequest,
  type PersonSecondFactorRequest,
  type PersonSession,
  type RecoveryKeyRequest,
  type WrappedPrivateKey,
} from '@symbolon/protocol';
import {
  type CredentialColumns,
  checkKeyMaterial,
  credentialColumns,
  passwordColumns,
  recoveryColumns,
  wrappedKey,
} from '../../../access/key-material.ts';
import {
  passwordChanged,
  recovered,
  recoveryCodeReplaced,
  recoveryCodeUsed,
} from '../../../access/login-mails.ts';
import type { Principal } from '../../../access/principal.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Replication } from '../../../events/replication.ts';
import type { Notices } from '../../accounts/index.ts';
import {
  type AccountPresence,
  type AddressProof,
  assignShareCode,
  type Credentials,
  deleteSessions,
  deleteTicket,
  NO_SECOND_FACTOR,
  type PersonHistory,
  type PersonSessions,
  proofOf,
  type Registration,
  type Transport,
} from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import {
  claimEmail,
  dropSideDoors,
  epochOf,
  insertPerson,
  personByEmail,
  personById,
  replaceCredentials,
} from './store.ts';
import type { PersonRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets' | 'tokens'> {
  readonly credentials: Credentials<PersonRow>;
  readonly personPresence: AccountPresence<PersonRow>;
  readonly personSessions: PersonSessions;
  readonly personHistory: PersonHistory;
  readonly registration: Registration;
  readonly notices: Notices;
  readonly names: UniqueNames;
  readonly replication: Replication;
  readonly personSignals: PersonSignals;
}

/** How a person signs in. */
export interface Entrance {
  /** The caller's address: failed tries are counted for an account and an address. */
  readonly source: string;
  readonly userAgent: string;
  readonly transport: Transport | undefined;
}

/** A signed-in person: what they are answered, and what a browser keeps. */
export interface Entered<Answer = PersonSession | PersonCookieSession> {
  readonly answer: Answer;
  readonly cookie?: { readonly token: string; readonly lifeMs: number };
}

/** People and how they sign in. */
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
    const { vital: reader } = this.#deps.database;
    let [row] = await epochOf(reader, personId);
    if (row === undefined || (row.region !== null && row.epoch < epoch)) {
      if (!(await this.#deps.replication.awaitPerson(personId, epoch))) return undefined;
      [row] = await epochOf(reader, personId);
    }
    if (row === undefined) return undefined;
    const home = row.region === null ? {} : { home: row.region };
    return { principal: { kind: 'person', personId, epoch: row.epoch, ...home }, epoch: row.epoch };
  }

  /**
   * Registers a person: mails a code or, in a closed installation, makes the account at once.
   * @throws {PlatformError} account.email_invalid, account.key_invalid, account.confirmation_required, account.email_taken
   */
  async register(request: PersonRegisterRequest, entrance: Entrance): Promise<MailedTicket | Entered> {
    if (request.account !== undefined) await checkAccount(request.account);
    return this.#deps.registration.start(request, async (account, proof) =>
      this.#enter(await this.#create(account, proof), entrance, 'registered'),
    );
  }

  /** Makes the person and signs them in. @throws {PlatformError} account.key_invalid, account.code_invalid */
  async confirmRegistration(request: PersonConfirmRequest, entrance: Entrance): Promise<Entered> {
    await checkAccount(request.account);
    return this.#deps.registration.finish(request, async (account, proof) =>
      this.#enter(await this.#create(account, proof), entrance, 'registered'),
    );
  }

  async #create(account: PersonAccount, { email, taken, redeem }: AddressProof): Promise<PersonRow> {
    const id = this.#deps.ids.uuid();
    const made: Omit<PersonRow, 'share_code'> = {
      id,
      email,
      display_name: account.display_name.trim(),
      public_key: account.public_key,
      public_key_sha256: await fingerprint(account.public_key),
      ...(await credentialColumns(this.#deps.secrets, account)),
      ...NO_SECOND_FACTOR,
      epoch: 1,
      created_at: this.#deps.clock.now(),
      region: null,
      deleted_at: null,
    };
    const owner = { kind: 'person', id } as const;
    const claim = [{ kind: 'person_email', name: email }] as const;
    const row = await this.#deps.names.withClaim(owner, claim, taken, async () => {
      const code = await this.#deps.names.claimShareCode(owner);
      return this.#deps.database.write(async (writer) => {
        await redeem(writer);
        const person = { ...made, share_code: await assignShareCode(writer, this.#deps.ids, owner, code) };
        await claimEmail(writer, this.#deps.database.engine, email);
        const found = await personByEmail(writer, email);
        if (found !== undefined || !(await insertPerson(writer, person))) throw taken();
        await this.#deps.replication.personChanged(writer, id);
        return person;
      });
    });
    await this.#deps.names.confirmShareCode(owner, row.share_code);
    return row;
  }

  /** @throws {PlatformError} region.rebase_required, region.unavailable */
  loginParameters(email: string): Promise<LoginParameters> {
    return this.#deps.credentials.parameters(email);
  }

  /**
   * With the second factor on, the refusal carries a ticket for the second step.
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.throttled, auth.two_factor_required
   */
  async login(request: PersonLoginRequest, entrance: Entrance): Promise<Entered> {
    const person = await this.#deps.credentials.signIn(request, entrance.source);
    if (person.totp_enabled_at !== null)
      throw await this.#deps.personPresence.tickets.refusal(person, entrance.transport);
    return this.#enter(person, entrance, 'signed_in');
  }

  /**
   * The second step of a sign-in. A ticket becomes invalid after 5 tries, and once it was used.
   * @throws {PlatformError} auth.ticket_invalid, auth.two_factor_required, auth.second_factor_invalid, auth.throttled
   */
  async loginWithSecondFactor(request: PersonSecondFactorRequest, entrance: Entrance): Promise<Entered> {
    const { tickets, factors } = this.#deps.personPresence;
    const { account: person, transport, hash } = await tickets.use(request.ticket);
    const used = await factors.take(person, request);
    const isOurs = await this.#deps.database.write((writer) =>
      deleteTicket(writer, 'person_sign_in_tickets', hash),
    );
    if (!isOurs) throw new PlatformError('auth.ticket_invalid');
    if (used === 'recovery_code') await this.#deps.notices.send(recoveryCodeUsed('person', person.email));
    return this.#enter(person, { ...entrance, transport }, 'signed_in');
  }

  /**
   * Signs in with a passkey, which takes no second factor. The answer has the private key under that passkey, or none.
   * @throws {PlatformError} auth.passkey_invalid, auth.throttled, region.rebase_required
   */
  async loginWithPasskey(
    { nonce, credential }: PasskeySignInRequest,
    entrance: Entrance,
  ): Promise<Entered<PersonPasskeySession>> {
    const answer = { nonce, credential };
    const { account, passkey } = await this.#deps.personPresence.signIn(answer, entrance.source);
    const wrapped = passkey.encrypted_private_key;
    const entered = await this.#enter(account, entrance, 'signed_in_by_passkey');
    const encrypted_private_key = wrapped === null ? null : wrappedKey(wrapped);
    return { ...entered, answer: { ...entered.answer, encrypted_private_key } };
  }

  /** @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled */
  recoveryKey(request: RecoveryKeyRequest, source: string): Promise<WrappedPrivateKey> {
    return this.#deps.credentials.recoveryKey(request, source);
  }

  /**
   * Sets a new password by the recovery code, which a new one replaces; sessions and tokens from before end as with
   * `changePassword`. With the second factor on it takes a code too: without one nothing changes.
   * @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled, auth.two_factor_required,
   *   auth.second_factor_invalid
   */
  async recover(request: PersonRecoverRequest, entrance: Entrance): Promise<Entered> {
    await checkKeyMaterial({ password: request, recovery: request.recovery });
    const person = await this.#deps.credentials.proveRecovery(request, entrance.source);
    if (person.totp_enabled_at !== null) await this.#deps.personPresence.factors.take(person, request);
    const columns = await credentialColumns(this.#deps.secrets, request);
    const changed = await this.#replace(person, columns, true);
    // Another request changed it after this one was checked: the code is used up.
    if (changed === undefined) throw new PlatformError('account.recovery_invalid');
    await this.#deps.notices.send(recovered('person', person.email));
    return this.#enter(changed, entrance, 'recovered');
  }

  /**
   * Sets a new password; sessions and tokens from before end, the caller's too: here at once, in other regions when the message
   * arrives, which takes moments. A region that cannot take messages in accepts them until they expire.
   * @throws {PlatformError} account.key_invalid, and those of `AccountPresence.prove`
   */
  async changePassword(
    personId: string,
    { current_login_secret, ...request }: ChangePasswordRequest,
    entrance: Entrance,
  ): Promise<Entered> {
    await checkKeyMaterial({ password: request });
    const { code, recovery_code, passkey } = request;
    const person = await this.#prove(
      personId,
      'PUT /api/person/password',
      { login_secret: current_login_secret, code, recovery_code, passkey },
      entrance.source,
    );
    const changed = await this.#replace(person, await passwordColumns(request), true);
    // Another request changed the password after this one was checked.
    if (changed === undefined) throw new PlatformError('auth.credentials_invalid');
    await this.#deps.notices.send(passwordChanged('person', person.email));
    return this.#enter(changed, entrance, 'password_changed');
  }

  /**
   * Puts a new recovery code in place of the present one.
   * @throws {PlatformError} account.key_invalid, and those of `AccountPresence.prove`
   */
  async replaceRecoveryCode(
    personId: string,
    request: PersonRecoveryCodeRequest,
    { source, userAgent }: Entrance,
  ): Promise<void> {
    await checkKeyMaterial({ recovery: request.recovery });
    const person = await this.#prove(personId, 'PUT /api/person/recovery-code', request, source);
    const columns = recoveryColumns(this.#deps.secrets, request.recovery);
    if ((await this.#replace(person, columns, false)) === undefined)
      throw new PlatformError('auth.credentials_invalid');
    await this.#deps.personHistory.note(personId, 'recovery_code_made', userAgent);
    await this.#deps.notices.send(recoveryCodeReplaced('person', person.email));
  }

  /** @throws {PlatformError} auth.invalid when the person is gone */
  async me(personId: string): Promise<Person> {
    return toPerson(await this.#require(personId));
  }

  async #prove(
    personId: string,
    act: string,
    given: Parameters<typeof proofOf>[0],
    source: string,
  ): Promise<PersonRow> {
    const ref = { kind: 'person', personId } as const;
    return (await this.#deps.personPresence.prove(ref, act, proofOf(given), source)).account;
  }

  async #replace(
    person: PersonRow,
    columns: Partial<CredentialColumns>,
    ending: boolean,
  ): Promise<PersonRow | undefined> {
    const replaced = await this.#deps.database.write(async (writer) => {
      const changed = await replaceCredentials(writer, person, columns, ending);
      if (changed !== undefined && columns.recovery_hash !== undefined)
        await this.#deps.personHistory.recoveryCodeMade(writer, person.id);
      // Tokens from before end elsewhere when this message arrives, or with their hour.
      if (changed !== undefined && ending) {
        await dropSideDoors(writer, person.id);
        await deleteSessions(writer, person.id);
        await this.#deps.replication.personChanged(writer, person.id);
      }
      return changed;
    });
    if (replaced !== undefined && ending)
      this.#deps.personSignals.tell(person.id, { kind: 'session_changed', id: person.id });
    return replaced;
  }

  async #require(personId: string): Promise<PersonRow> {
    const row = await personById(this.#deps.database.reader, personId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  /** Lets a person in, as they proved themselves. */
  async #enter(
    row: PersonRow,
    { transport = 'token', userAgent }: Entrance,
    how: PersonEventKind,
  ): Promise<Entered> {
    await this.#deps.personHistory.note(row.id, how, userAgent);
    const key = { person: toPerson(row), encrypted_private_key: wrappedKey(row.encrypted_private_key) };
    if (transport === 'cookie') {
      const opened = await this.#deps.personSessions.open(row, userAgent);
      const session = {
        anti_forgery_token: opened.antiForgeryToken,
        expires_at: isoTime(opened.expiresAt),
      };
      return { answer: { ...session, ...key }, cookie: opened };
    }
    const token = {
      token_type: 'Bearer',
      access_token: this.#deps.tokens.mint('person', row.id, row.epoch),
      expires_in: limits.accessTokenSeconds,
    } as const;
    return { answer: { ...token, ...key } };
  }
}

/** @throws {PlatformError} account.key_invalid */
function checkAccount(account: PersonAccount): Promise<void> {
  return checkKeyMaterial({
    publicKey: account.public_key,
    password: account,
    recovery: account.recovery,
  });
}

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
