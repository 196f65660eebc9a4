import { createPrivateKey } from 'node:crypto';
import {
  CryptoError,
  checkPublicKey,
  fingerprint,
  generateKeyPair,
  parseEncryptedPrivateKey,
} from '@symbolon/crypto';
import type {
  AccountKey,
  AccountPrivateKey,
  Company,
  PortalRegisterRequest,
  PortalSession,
  PortalSignInRequest,
} from '@symbolon/protocol';
import { PORTAL_TOKEN_PREFIX } from '../../access/authenticator.ts';
import { normalizeEmail } from '../../access/email.ts';
import { hashPassword, passwordMatches } from '../../access/passwords.ts';
import type { Principal } from '../../access/principal.ts';
import type { SignInThrottle } from '../../access/rate-limits.ts';
import type { Database } from '../../db/database.ts';
import type { CompanyRow } from '../../db/tables.ts';
import { PlatformError } from '../../errors.ts';
import { type Clock, isoTime } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Secrets } from '../../secrets.ts';
import { assignShareCode } from '../keys/share-codes.ts';
import {
  companyByEmail,
  companyById,
  deleteExpiredSessions,
  deleteSession,
  insertCompany,
  insertSession,
  sessionByHash,
} from './store.ts';

/** A portal session ends this long after its sign-in. */
const SESSION_MS = 12 * 60 * 60 * 1000;
const PASSWORD_LEAST = 10;

/** Companies and their portal sessions: registering, signing in and out. */
export class Portal {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #throttle: SignInThrottle;

  constructor(deps: {
    database: Database;
    secrets: Secrets;
    clock: Clock;
    ids: Ids;
    throttle: SignInThrottle;
  }) {
    this.#database = deps.database;
    this.#secrets = deps.secrets;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
    this.#throttle = deps.throttle;
  }

  /**
   * Registers a company: a code, an account key pair that the server holds, the recovery key its device made; and signs
   * it in.
   * @throws {PlatformError} account.email_invalid, account.password_weak, account.recovery_key_invalid, account.email_taken
   */
  async register(request: PortalRegisterRequest): Promise<PortalSession> {
    const email = normalizeEmail(request.email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    if (request.password.length < PASSWORD_LEAST) throw new PlatformError('account.password_weak');
    await checkRecoveryKey(request.recovery_key);

    const account = await generateKeyPair();
    const row: CompanyRow = {
      id: this.#ids.uuid(),
      name: request.name.trim(),
      email,
      password_hash: await hashPassword(request.password),
      code: '',
      account_public_key: account.publicKey,
      account_public_key_sha256: await fingerprint(account.publicKey),
      account_private_key: this.#secrets.encrypt(account.privateKey),
      recovery_public_key: request.recovery_key.public_key,
      recovery_private_key: JSON.stringify(request.recovery_key.encrypted_private_key),
      created_at: this.#clock.now(),
    };
    await this.#database.write(async (writer) => {
      row.code = await assignShareCode(writer, this.#ids, { kind: 'company', id: row.id });
      if (!(await insertCompany(writer, row))) throw new PlatformError('account.email_taken');
    });
    return this.#openSession(row);
  }

  /**
   * @param source the caller's address: failed tries are counted for an account and an address
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled
   */
  async signIn(request: PortalSignInRequest, source: string): Promise<PortalSession> {
    const email = request.email.trim().toLowerCase();
    const find = () => companyByEmail(this.#database.reader, email);
    return this.#openSession(await this.#withPassword({ email, source }, request.password, find));
  }

  async signOut(sessionHash: string): Promise<void> {
    await this.#database.write((writer) => deleteSession(writer, sessionHash));
  }

  /** Who stands behind a session token. */
  async session(token: string): Promise<Principal | 'expired' | undefined> {
    const sessionHash = this.#secrets.hash(token);
    const [row] = await sessionByHash(this.#database.reader, sessionHash);
    if (row === undefined) return undefined;
    if (row.expires_at <= this.#clock.now()) return 'expired';
    return { kind: 'portal', companyId: row.company_id, sessionHash };
  }

  /** Sessions that have expired are refused anyway; this frees their rows. */
  async dropExpiredSessions(): Promise<void> {
    await this.#database.write((writer) => deleteExpiredSessions(writer, this.#clock.now()));
  }

  async company(companyId: string): Promise<Company> {
    return toCompany(await this.#require(companyId));
  }

  async accountKey(companyId: string): Promise<AccountKey> {
    const row = await this.#require(companyId);
    return { public_key: row.account_public_key, public_key_sha256: row.account_public_key_sha256 };
  }

  /**
   * The private half of the account key, which opens webhook envelopes (spec 6.4). A session alone does not get it: a
   * wrong password is counted together with the failed sign-ins of the account.
   * @param source the caller's address
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled
   */
  async accountPrivateKey(companyId: string, password: string, source: string): Promise<AccountPrivateKey> {
    const { email } = await this.#require(companyId);
    const row = await this.#withPassword({ email, source }, password, () =>
      companyById(this.#database.reader, companyId),
    );
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

  /**
   * The company whose password this is; failed tries are counted for an account and an address.
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled
   */
  async #withPassword(
    { email, source }: { email: string; source: string },
    password: string,
    find: () => Promise<CompanyRow | undefined>,
  ): Promise<CompanyRow> {
    const key = `portal:${email}:${source}`;
    await this.#throttle.check(key);
    const row = await find();
    if (!(await passwordMatches(password, row?.password_hash)) || row === undefined) {
      await this.#throttle.failed(key);
      throw new PlatformError('auth.credentials_invalid');
    }
    await this.#throttle.succeeded(key);
    return row;
  }

  async #require(companyId: string): Promise<CompanyRow> {
    const row = await companyById(this.#database.reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  async #openSession(company: CompanyRow): Promise<PortalSession> {
    const token = `${PORTAL_TOKEN_PREFIX}${this.#ids.token(32)}`;
    const now = this.#clock.now();
    await this.#database.write(async (writer) => {
      await deleteExpiredSessions(writer, now);
      await insertSession(writer, {
        token_hash: this.#secrets.hash(token),
        company_id: company.id,
        created_at: now,
        expires_at: now + SESSION_MS,
      });
    });
    return { token, expires_at: isoTime(now + SESSION_MS), company: toCompany(company) };
  }
}

async function checkRecoveryKey(key: PortalRegisterRequest['recovery_key']): Promise<void> {
  try {
    await checkPublicKey(key.public_key);
    parseEncryptedPrivateKey(key.encrypted_private_key);
  } catch (error) {
    if (error instanceof CryptoError)
      throw new PlatformError('account.recovery_key_invalid', { cause: error });
    throw error;
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
    created_at: isoTime(row.created_at),
  };
}
