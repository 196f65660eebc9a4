import { encryptPem } from '@symbolon/crypto';
import type {
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  Company,
  CurrentSession,
  PasskeySignInRequest,
  PortalLogin,
  PortalSecondFactorRequest,
  PortalSession,
  PortalSignInRequest,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { wrappedKey } from '../../../access/key-material.ts';
import { recoveryCodeUsed } from '../../../access/login-mails.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { writeLocked } from '../../../db/database.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Notices } from '../../accounts/index.ts';
import { type AccountPresence, type Credentials, deleteTicket, isReady } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { companyById } from './company-store.ts';
import { loginById } from './login-store.ts';
import { type Logins, toPortalLogin } from './logins.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { PortalPrincipal, Sessions } from './sessions.ts';
import { accountKeyPlace } from './stored-places.ts';
import type { CompanyRow, PortalLoginRow, PortalSessionRow, ReadyLoginRow } from './tables.ts';
import type { TrustedDevices } from './trusted-devices.ts';

/** Where a sign-in comes from. */
export interface Origin {
  /** The caller's address: failed tries are counted for a login and an address. */
  readonly source: string;
  readonly userAgent: string;
  /** Of a device that was trusted before. */
  readonly deviceToken?: string | undefined;
}

/** A session just opened; its token is known here and never again. */
export interface OpenedSession<Wrapped = WrappedPrivateKey> {
  readonly token: string;
  readonly transport: PortalSessionRow['transport'];
  readonly antiForgeryToken: string;
  readonly expiresAt: number;
  readonly company: Company;
  readonly login: PortalLogin;
  readonly key: Pick<PortalSession, 'key'> & { readonly encrypted_private_key: Wrapped };
  readonly device?: { readonly token: string; readonly expiresAt: number };
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'regions' | 'secrets' | 'timers'> {
  readonly credentials: Credentials<PortalLoginRow>;
  readonly logins: Logins;
  readonly reauthentication: Reauthentication;
  readonly loginPresence: AccountPresence<PortalLoginRow>;
  readonly sessions: Sessions;
  readonly trustedDevices: TrustedDevices;
  readonly notices: Notices;
  readonly audit: Audit;
}

/** Companies in the portal: signing in and out, the company itself. */
export class Portal {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Signs in by e-mail address and login secret. With the second factor on, and the device not trusted, the refusal carries a
   * ticket for the second step.
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.throttled, auth.two_factor_required,
   *   region.rebase_required when the company is at home in another region
   */
  async signIn(request: PortalSignInRequest, origin: Origin): Promise<OpenedSession> {
    const login = await this.#deps.credentials.signIn(request, origin.source);
    if (login.totp_enabled_at !== null) {
      const ref = { companyId: login.company_id, loginId: login.id };
      const device = request.trusted_device ?? origin.deviceToken;
      if (!(await this.#deps.trustedDevices.recognise(ref, device)))
        throw await this.#deps.loginPresence.tickets.refusal(login, request.session);
    }
    return this.open(login, request.session, origin);
  }

  /**
   * The second step of a sign-in. A ticket becomes invalid after 5 tries, and once it was used.
   * @throws {PlatformError} auth.ticket_invalid, auth.two_factor_required, auth.second_factor_invalid, auth.throttled
   */
  async signInWithSecondFactor(request: PortalSecondFactorRequest, origin: Origin): Promise<OpenedSession> {
    const { account: login, ...ticket } = await this.#deps.loginPresence.tickets.use(request.ticket);
    if (!isReady(login)) throw new PlatformError('auth.ticket_invalid');
    const used = await this.#deps.loginPresence.factors.take(login, request);
    const opened = await this.open(login, ticket.transport, origin, {
      factor: 'code',
      ticketHash: ticket.hash,
      trustDevice: request.trust_device ?? false,
    });
    if (used === 'recovery_code') await this.#deps.notices.send(recoveryCodeUsed('portal', login.email));
    return opened;
  }

  /**
   * Signs in with a passkey, which takes no second factor. The answer has the private key under that passkey, or none.
   * @throws {PlatformError} auth.passkey_invalid, auth.throttled, region.rebase_required
   */
  async signInWithPasskey(
    { session, nonce, credential }: PasskeySignInRequest,
    origin: Origin,
  ): Promise<OpenedSession<WrappedPrivateKey | null>> {
    const { loginPresence } = this.#deps;
    const { account, passkey } = await loginPresence.signIn({ nonce, credential }, origin.source);
    if (!isReady(account)) throw new PlatformError('auth.passkey_invalid');
    const opened = await this.open(account, session, origin, { factor: 'passkey' });
    const wrapped = passkey.encrypted_private_key;
    const encrypted_private_key = wrapped === null ? null : wrappedKey(wrapped);
    return { ...opened, key: { ...opened.key, encrypted_private_key } };
  }

  /**
   * Lets a login in, as it was when it proved itself.
   * @throws {PlatformError} auth.credentials_invalid when its credentials changed meanwhile, auth.ticket_invalid
   */
  async open(
    login: ReadyLoginRow,
    transport: PortalSessionRow['transport'] = 'token',
    origin: Origin,
    step?: { factor: 'code'; ticketHash: string; trustDevice: boolean } | { factor: 'passkey' },
  ): Promise<OpenedSession> {
    const ref = { companyId: login.company_id, loginId: login.id };
    const actor: Actor = { kind: 'portal', id: login.id, name: login.email, source: origin.source };
    const { token, row } = this.#deps.sessions.make(ref, transport, origin.userAgent, step?.factor ?? null);
    const device = await writeLocked(this.#deps.database, 'companies', login.company_id, async (writer) => {
      const now = await loginById(writer, ref);
      if (now?.login_hash !== login.login_hash || now.totp_enabled_at !== login.totp_enabled_at)
        throw new PlatformError('auth.credentials_invalid');
      if (step?.factor === 'code' && !(await deleteTicket(writer, 'sign_in_tickets', step.ticketHash)))
        throw new PlatformError('auth.ticket_invalid');
      await this.#deps.sessions.keep(writer, row, actor);
      return step?.factor === 'code' && step.trustDevice
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
      key: {
        encrypted_private_key: wrappedKey(login.encrypted_private_key),
        key: { public_key: login.public_key, public_key_sha256: login.public_key_sha256 },
      },
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
      second_factor_missing: caller.lacksFactor,
    };
  }

  async signOut(caller: PortalPrincipal, actor: Actor): Promise<void> {
    await this.#deps.sessions.end(caller, caller.sessionId, actor);
  }

  /** Sessions, tickets and codes that have expired are refused anyway; this frees their rows. */
  async dropExpired(stopping?: AbortSignal): Promise<void> {
    await this.#deps.sessions.dropExpired(stopping);
    for (const table of ['sign_in_tickets', 'trusted_devices', 'login_codes', 'act_proofs'] as const) {
      await deleteExpired(this.#deps, { table }, stopping);
    }
  }

  async company(companyId: string): Promise<Company> {
    return toCompany(await this.#require(companyId));
  }

  async accountKey(companyId: string): Promise<AccountKey> {
    return toAccountKey(await this.#require(companyId));
  }

  /**
   * The private half of the account key, which opens webhook envelopes (wire 6.4), as an encrypted PEM. A session alone
   * does not get it.
   * @throws {PlatformError} those of `Reauthentication.prove`
   */
  async accountPrivateKey(
    caller: PortalPrincipal,
    { passphrase, ...proof }: AccountPrivateKeyRequest,
    actor: Actor,
  ): Promise<AccountPrivateKey> {
    await this.#deps.reauthentication.prove(caller, 'POST /api/account-key', proof, actor.source ?? '');
    const row = await this.#require(caller.companyId);
    const der = this.#deps.secrets.decrypt(row.account_private_key, accountKeyPlace(row.id));
    try {
      const private_key_pem = await encryptPem(der, passphrase);
      await this.#deps.database.write((writer) =>
        this.#deps.audit.record(writer, {
          companyId: caller.companyId,
          actor,
          action: 'account_key.opened',
          target: caller.companyId,
        }),
      );
      return { ...toAccountKey(row), private_key_pem };
    } finally {
      der.fill(0);
    }
  }

  async #require(companyId: string): Promise<CompanyRow> {
    const row = await companyById(this.#deps.database.reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }
}

function toAccountKey(row: CompanyRow): AccountKey {
  return { public_key: row.account_public_key, public_key_sha256: row.account_public_key_sha256 };
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
