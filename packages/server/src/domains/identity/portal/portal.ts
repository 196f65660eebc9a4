import { createPrivateKey } from 'node:crypto';
import { CryptoError, checkPublicKey, fingerprint, generateKeyPair } from '@symbolon/crypto';
import type {
  AccountKey,
  AccountPrivateKey,
  Company,
  CompanyLevel,
  CurrentSession,
  PortalLogin,
  PortalRegisterRequest,
  PortalSecondFactorRequest,
  PortalSignInRequest,
} from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import { type Clock, isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Ids } from '../../../core/ids.ts';
import type { Mailer } from '../../../core/mail.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { type Database, lock } from '../../../db/database.ts';
import type { CompanyRow, PortalLoginRow, PortalSessionRow } from '../../../db/tables.ts';
import type { Actor, Audit } from '../../operations/journal/audit.ts';
import type { CompanyCards } from '../../regions/companies/cards.ts';
import type { Names } from '../../regions/directory/names.ts';
import { assignShareCode } from '../../services/keys/share-codes.ts';
import { checkWrappedRecoveryKey } from '../recovery/recovery.ts';
import { deleteExpired, deleteTicket, insertTicket, tryTicket } from './login-store.ts';
import { type Logins, toPortalLogin } from './logins.ts';
import type { Proofs } from './proofs.ts';
import { recoveryCodeUsed } from './security-mails.ts';
import type { PortalPrincipal, Sessions } from './sessions.ts';
import { companyById, insertCompany } from './store.ts';
import type { TrustedDevices } from './trusted-devices.ts';

/** Between the password and the code of a sign-in. */
const TICKET_MS = 5 * 60 * 1000;
const TICKET_ATTEMPTS = 5;

/** Where a sign-in comes from. */
export interface Origin {
  /** The caller's address: failed tries are counted for a login and an address. */
  readonly source: string;
  readonly userAgent: string;
  /** Of a device that was trusted before. */
  readonly deviceToken?: string | undefined;
}

/** A session just opened; its token is known here and never again. */
export interface OpenedSession {
  readonly token: string;
  readonly transport: PortalSessionRow['transport'];
  readonly antiForgeryToken: string;
  readonly expiresAt: number;
  readonly company: Company;
  readonly login: PortalLogin;
  readonly device?: { readonly token: string; readonly expiresAt: number };
}

/** Companies and who signs in for them: registering, signing in and out. */
export class Portal {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #logins: Logins;
  readonly #proofs: Proofs;
  readonly #sessions: Sessions;
  readonly #devices: TrustedDevices;
  readonly #names: Names;
  readonly #mail: Mailer;
  readonly #audit: Audit;
  readonly #cards: CompanyCards;
  readonly #defaultLevel: CompanyLevel;

  constructor(deps: {
    database: Database;
    secrets: Secrets;
    clock: Clock;
    ids: Ids;
    logins: Logins;
    proofs: Proofs;
    sessions: Sessions;
    trustedDevices: TrustedDevices;
    names: Names;
    mail: Mailer;
    audit: Audit;
    cards: CompanyCards;
    /** Of a company that registers. */
    defaultLevel: CompanyLevel;
  }) {
    this.#database = deps.database;
    this.#secrets = deps.secrets;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
    this.#logins = deps.logins;
    this.#proofs = deps.proofs;
    this.#sessions = deps.sessions;
    this.#devices = deps.trustedDevices;
    this.#names = deps.names;
    this.#mail = deps.mail;
    this.#audit = deps.audit;
    this.#cards = deps.cards;
    this.#defaultLevel = deps.defaultLevel;
  }

  /**
   * Registers a company: a code, an account key pair that the server holds, the recovery key its device made; and signs
   * it in.
   * @throws {PlatformError} account.email_invalid, account.password_weak, account.recovery_key_invalid, account.email_taken
   */
  async register(request: PortalRegisterRequest, origin: Origin): Promise<OpenedSession> {
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    await checkRecoveryKey(request.recovery_key);
    const id = this.#ids.uuid();
    const name = request.name.trim();
    const { password } = request;
    const login = await this.#logins.prepare({ companyId: id, id, email, name, role: 'owner', password });

    const account = await generateKeyPair();
    const row: CompanyRow = {
      id,
      name,
      email,
      code: '',
      account_public_key: account.publicKey,
      account_public_key_sha256: await fingerprint(account.publicKey),
      account_private_key: this.#secrets.encrypt(account.privateKey),
      recovery_public_key: request.recovery_key.public_key,
      recovery_private_key: JSON.stringify(request.recovery_key.encrypted_private_key),
      level: this.#defaultLevel,
      created_at: this.#clock.now(),
      region: null,
      card_version: this.#clock.now(),
    };
    const owner = { kind: 'company', id } as const;
    const taken = () => new PlatformError('account.email_taken');
    await this.#names.claimed(owner, [{ kind: 'portal_email', name: email }], taken, async () => {
      const code = await this.#names.shareCode(owner);
      await this.#database.write(async (writer) => {
        await this.#logins.add(writer, login);
        row.code = await assignShareCode(writer, this.#ids, owner, code);
        await insertCompany(writer, row);
        await this.#cards.announce(writer, id);
        const actor: Actor = { kind: 'portal', id, name: email, source: origin.source };
        await this.#audit.record(writer, { companyId: id, actor, action: 'company.registered', target: id });
      });
    });
    await this.#names.inUse(owner, row.code);
    return this.open(login, request.session, origin);
  }

  /**
   * Signs in by e-mail address and password. With the second factor on, and the device not trusted, the refusal carries a
   * ticket for the second step.
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled, auth.two_factor_required,
   *   region.rebase_required for somebody of a company at home elsewhere
   */
  async signIn(request: PortalSignInRequest, origin: Origin): Promise<OpenedSession> {
    await this.#names.refuseElsewhere('portal_email', normalizeEmail(request.email) ?? '');
    const login = await this.#proofs.credentials(request.email, request.password, origin.source);
    if (login.totp_enabled_at !== null) {
      const ref = { companyId: login.company_id, loginId: login.id };
      const device = request.trusted_device ?? origin.deviceToken;
      if (!(await this.#devices.recognise(ref, device))) throw await this.#ticket(login, request.session);
    }
    return this.open(login, request.session, origin);
  }

  /**
   * The second step of a sign-in. A ticket dies after a few tries, and when it has let somebody in.
   * @throws {PlatformError} auth.ticket_invalid, auth.two_factor_required, auth.second_factor_invalid, auth.throttled
   */
  async signInWithSecondFactor(request: PortalSecondFactorRequest, origin: Origin): Promise<OpenedSession> {
    const ticketHash = this.#secrets.hash(request.ticket);
    const ticket = await this.#database.write((writer) =>
      tryTicket(writer, ticketHash, this.#clock.now(), TICKET_ATTEMPTS),
    );
    if (ticket === undefined) throw new PlatformError('auth.ticket_invalid');
    const login = await this.#logins.find(this.#database.reader, {
      companyId: ticket.company_id,
      loginId: ticket.login_id,
    });
    if (login === undefined) throw new PlatformError('auth.ticket_invalid');
    const used = await this.#proofs.secondFactor(login, request);
    const opened = await this.open(login, ticket.transport, origin, {
      ticketHash,
      trustDevice: request.trust_device ?? false,
    });
    if (used === 'recovery_code') await this.#mail.send(recoveryCodeUsed(login.email));
    return opened;
  }

  /**
   * Lets a login in, as it was when it proved itself.
   * @throws {PlatformError} auth.credentials_invalid when its credentials changed meanwhile, auth.ticket_invalid
   */
  async open(
    login: PortalLoginRow,
    transport: PortalSessionRow['transport'] = 'token',
    origin: Origin,
    step?: { ticketHash: string; trustDevice: boolean },
  ): Promise<OpenedSession> {
    const ref = { companyId: login.company_id, loginId: login.id };
    const actor: Actor = { kind: 'portal', id: login.id, name: login.email, source: origin.source };
    const { token, row } = this.#sessions.make(ref, transport, origin.userAgent);
    const device = await this.#database.write(async (writer) => {
      await lock(this.#database.engine, writer, 'companies', [login.company_id]);
      const now = await this.#logins.find(writer, ref);
      if (now?.password_hash !== login.password_hash || now.totp_enabled_at !== login.totp_enabled_at)
        throw new PlatformError('auth.credentials_invalid');
      if (step !== undefined && !(await deleteTicket(writer, step.ticketHash)))
        throw new PlatformError('auth.ticket_invalid');
      await this.#sessions.keep(writer, row, actor);
      return step?.trustDevice ? this.#devices.trust(writer, ref, origin.userAgent, actor) : undefined;
    });
    return {
      token,
      transport,
      antiForgeryToken: this.#sessions.antiForgeryToken(row.token_hash),
      expiresAt: row.expires_at,
      company: await this.company(login.company_id),
      login: toPortalLogin(login),
      ...(device === undefined ? {} : { device }),
    };
  }

  /** What a page needs to know of the session it is in. @param byCookie a bearer needs no anti-forgery token */
  async current(caller: PortalPrincipal, byCookie: boolean): Promise<CurrentSession> {
    const login = await this.#logins.require(this.#database.reader, caller);
    return {
      anti_forgery_token: byCookie ? this.#sessions.antiForgeryToken(caller.sessionHash) : null,
      expires_at: await this.#sessions.expiresAt(caller),
      company: await this.company(caller.companyId),
      login: toPortalLogin(login),
    };
  }

  async signOut(caller: PortalPrincipal, actor: Actor): Promise<void> {
    await this.#sessions.end(caller, caller.sessionId, actor);
  }

  /** Sessions, tickets and codes that have expired are refused anyway; this frees their rows. */
  async dropExpired(): Promise<void> {
    await this.#sessions.dropExpired();
    await this.#database.write((writer) => deleteExpired(writer, this.#clock.now()));
  }

  async company(companyId: string): Promise<Company> {
    return toCompany(await this.#require(companyId));
  }

  async accountKey(companyId: string): Promise<AccountKey> {
    const row = await this.#require(companyId);
    return { public_key: row.account_public_key, public_key_sha256: row.account_public_key_sha256 };
  }

  /**
   * The private half of the account key, which opens webhook envelopes (wire 6.4). A session alone does not get it: a
   * wrong password is counted together with the failed sign-ins of the login.
   * @param source the caller's address
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled
   */
  async accountPrivateKey(
    caller: PortalPrincipal,
    password: string,
    source: string,
  ): Promise<AccountPrivateKey> {
    await this.#proofs.password(caller, password, source);
    const row = await this.#require(caller.companyId);
    const der = this.#secrets.decrypt(row.account_private_key);
    try {
      const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      return {
        private_key: der.toString('base64'),
        private_key_pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    } finally {
      der.fill(0);
    }
  }

  async #require(companyId: string): Promise<CompanyRow> {
    const row = await companyById(this.#database.reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  /** The refusal that asks for the second factor. */
  async #ticket(
    login: PortalLoginRow,
    transport: PortalSessionRow['transport'] = 'token',
  ): Promise<PlatformError> {
    const ticket = this.#ids.token(32);
    const expiresAt = this.#clock.now() + TICKET_MS;
    await this.#database.write((writer) =>
      insertTicket(writer, {
        company_id: login.company_id,
        login_id: login.id,
        token_hash: this.#secrets.hash(ticket),
        transport,
        attempts: 0,
        expires_at: expiresAt,
      }),
    );
    return new PlatformError('auth.two_factor_required', {
      details: { ticket, ticket_expires_at: isoTime(expiresAt) },
    });
  }
}

async function checkRecoveryKey(key: PortalRegisterRequest['recovery_key']): Promise<void> {
  try {
    await checkPublicKey(key.public_key);
  } catch (error) {
    if (error instanceof CryptoError)
      throw new PlatformError('account.recovery_key_invalid', { cause: error });
    throw error;
  }
  checkWrappedRecoveryKey(key.encrypted_private_key);
}

function toCompany(row: CompanyRow): Company {
  return {
    company_user_id: row.id,
    name: row.name,
    email: row.email,
    company_code: row.code,
    account_public_key: row.account_public_key,
    account_public_key_sha256: row.account_public_key_sha256,
    level: row.level,
    created_at: isoTime(row.created_at),
  };
}
