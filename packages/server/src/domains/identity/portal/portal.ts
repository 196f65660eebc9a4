import { createPrivateKey } from 'node:crypto';
import { checkPublicKey, fingerprint, generateKeyPair } from '@symbolon/crypto';
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
import { registering } from '../../../access/passwords.ts';
import { isoTime } from '../../../core/clock.ts';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lookUp } from '../../../core/secrets.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { Replication, UniqueNames } from '../ports.ts';
import { checkWrappedRecoveryKey } from '../recovery/index.ts';
import { assignShareCode } from '../share-codes/index.ts';
import { companyById, insertCompany } from './company-store.ts';
import { deleteExpired, deleteTicket, insertTicket, loginById, tryTicket } from './login-store.ts';
import { type Logins, toPortalLogin } from './logins.ts';
import type { Reauthentication } from './reauthentication.ts';
import { recoveryCodeUsed } from './security-mails.ts';
import type { PortalPrincipal, Sessions } from './sessions.ts';
import { accountKeyPlace } from './stored-places.ts';
import type { CompanyRow, PortalLoginRow, PortalSessionRow } from './tables.ts';
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

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'mail' | 'secrets'> {
  readonly logins: Logins;
  readonly reauthentication: Reauthentication;
  readonly sessions: Sessions;
  readonly trustedDevices: TrustedDevices;
  readonly names: UniqueNames;
  readonly audit: Audit;
  readonly replication: Replication;
  /** Of a company that registers. */
  readonly defaultLevel: CompanyLevel;
}

/** Companies and who signs in for them: registering, signing in and out. */
export class Portal {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Registers a company: a code, an account key pair that the server holds, the recovery key its device made; and signs
   * it in.
   * @throws {PlatformError} account.email_invalid, account.password_weak, account.recovery_key_invalid, account.email_taken,
   *   platform.busy
   */
  async register(request: PortalRegisterRequest, origin: Origin): Promise<OpenedSession> {
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    const { recovery_key } = request;
    await refuseCryptoError('account.recovery_key_invalid', () => checkPublicKey(recovery_key.public_key));
    await checkWrappedRecoveryKey(recovery_key.encrypted_private_key);
    const id = this.#deps.ids.uuid();
    const name = request.name.trim();
    const { password } = request;
    const { login, account } = await registering.run(async () => ({
      login: await this.#deps.logins.prepare({ companyId: id, id, email, name, role: 'owner', password }),
      account: await generateKeyPair(),
    }));
    const row: CompanyRow = {
      id,
      name,
      email,
      code: '',
      account_public_key: account.publicKey,
      account_public_key_sha256: await fingerprint(account.publicKey),
      account_private_key: this.#deps.secrets.encrypt(account.privateKey, accountKeyPlace(id)),
      recovery_public_key: recovery_key.public_key,
      recovery_private_key: JSON.stringify(recovery_key.encrypted_private_key),
      level: this.#deps.defaultLevel,
      created_at: this.#deps.clock.now(),
      region: null,
      card_version: this.#deps.clock.now(),
    };
    const owner = { kind: 'company', id } as const;
    const taken = () => new PlatformError('account.email_taken');
    await this.#deps.names.withClaim(owner, [{ kind: 'portal_email', name: email }], taken, async () => {
      const code = await this.#deps.names.claimShareCode(owner);
      await this.#deps.database.write(async (writer) => {
        await this.#deps.logins.add(writer, login);
        row.code = await assignShareCode(writer, this.#deps.ids, owner, code);
        await insertCompany(writer, row);
        await this.#deps.replication.companyChanged(writer, id);
        const actor: Actor = { kind: 'portal', id, name: email, source: origin.source };
        await this.#deps.audit.record(writer, {
          companyId: id,
          actor,
          action: 'company.registered',
          target: id,
        });
      });
    });
    await this.#deps.names.confirmShareCode(owner, row.code);
    return this.open(login, request.session, origin);
  }

  /**
   * Signs in by e-mail address and password. With the second factor on, and the device not trusted, the refusal carries a
   * ticket for the second step.
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled, auth.two_factor_required,
   *   region.rebase_required when the company is at home in another region
   */
  async signIn(request: PortalSignInRequest, origin: Origin): Promise<OpenedSession> {
    await this.#deps.names.assertSignsInHere('portal_email', normalizeEmail(request.email) ?? '');
    const login = await this.#deps.reauthentication.credentials(
      request.email,
      request.password,
      origin.source,
    );
    if (login.totp_enabled_at !== null) {
      const ref = { companyId: login.company_id, loginId: login.id };
      const device = request.trusted_device ?? origin.deviceToken;
      if (!(await this.#deps.trustedDevices.recognise(ref, device)))
        throw await this.#ticket(login, request.session);
    }
    return this.open(login, request.session, origin);
  }

  /**
   * The second step of a sign-in. A ticket becomes invalid after 5 tries, and once it was used.
   * @throws {PlatformError} auth.ticket_invalid, auth.two_factor_required, auth.second_factor_invalid, auth.throttled
   */
  async signInWithSecondFactor(request: PortalSecondFactorRequest, origin: Origin): Promise<OpenedSession> {
    const hashes = this.#deps.secrets.hashes(request.ticket);
    const ticket = await this.#deps.database.write((writer) =>
      lookUp(hashes, (hash) => tryTicket(writer, hash, this.#deps.clock.now(), TICKET_ATTEMPTS)),
    );
    if (ticket === undefined) throw new PlatformError('auth.ticket_invalid');
    const login = await loginById(this.#deps.database.reader, {
      companyId: ticket.company_id,
      loginId: ticket.login_id,
    });
    if (login === undefined) throw new PlatformError('auth.ticket_invalid');
    const used = await this.#deps.reauthentication.secondFactor(login, request);
    const opened = await this.open(login, ticket.transport, origin, {
      ticketHash: ticket.token_hash,
      trustDevice: request.trust_device ?? false,
    });
    if (used === 'recovery_code') await this.#deps.mail.send(recoveryCodeUsed(login.email));
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
    const { token, row } = this.#deps.sessions.make(ref, transport, origin.userAgent);
    const device = await writeLocked(this.#deps.database, 'companies', login.company_id, async (writer) => {
      const now = await loginById(writer, ref);
      if (now?.password_hash !== login.password_hash || now.totp_enabled_at !== login.totp_enabled_at)
        throw new PlatformError('auth.credentials_invalid');
      if (step !== undefined && !(await deleteTicket(writer, step.ticketHash)))
        throw new PlatformError('auth.ticket_invalid');
      await this.#deps.sessions.keep(writer, row, actor);
      return step?.trustDevice
        ? this.#deps.trustedDevices.trust(writer, ref, origin.userAgent, actor)
        : undefined;
    });
    return {
      token,
      transport,
      antiForgeryToken: this.#deps.sessions.antiForgeryToken(row.token_hash),
      expiresAt: row.expires_at,
      company: await this.company(login.company_id),
      login: toPortalLogin(login),
      ...(device === undefined ? {} : { device }),
    };
  }

  /** What a page needs to know of the session it is in. @param byCookie a bearer needs no anti-forgery token */
  async current(caller: PortalPrincipal, byCookie: boolean): Promise<CurrentSession> {
    const login = await this.#deps.logins.get(this.#deps.database.reader, caller);
    return {
      anti_forgery_token: byCookie ? this.#deps.sessions.antiForgeryToken(caller.sessionHash) : null,
      expires_at: await this.#deps.sessions.expiresAt(caller),
      company: await this.company(caller.companyId),
      login: toPortalLogin(login),
    };
  }

  async signOut(caller: PortalPrincipal, actor: Actor): Promise<void> {
    await this.#deps.sessions.end(caller, caller.sessionId, actor);
  }

  /** Sessions, tickets and codes that have expired are refused anyway; this frees their rows. */
  async dropExpired(): Promise<void> {
    await this.#deps.sessions.dropExpired();
    await this.#deps.database.write((writer) => deleteExpired(writer, this.#deps.clock.now()));
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
    await this.#deps.reauthentication.password(caller, password, source);
    const row = await this.#require(caller.companyId);
    const der = this.#deps.secrets.decrypt(row.account_private_key, accountKeyPlace(row.id));
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
    const row = await companyById(this.#deps.database.reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  /** The refusal that asks for the second factor. */
  async #ticket(
    login: PortalLoginRow,
    transport: PortalSessionRow['transport'] = 'token',
  ): Promise<PlatformError> {
    const ticket = this.#deps.ids.token(32);
    const expiresAt = this.#deps.clock.now() + TICKET_MS;
    await this.#deps.database.write((writer) =>
      insertTicket(writer, {
        company_id: login.company_id,
        login_id: login.id,
        token_hash: this.#deps.secrets.hash(ticket),
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
