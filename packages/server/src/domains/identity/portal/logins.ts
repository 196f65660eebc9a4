import type { PortalLogin, PortalRole } from '@symbolon/protocol';
import { hashPassword } from '../../../access/passwords.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, serialize, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { setCompanyEmail } from './company-store.ts';
import { insertLogin, type LoginRef, loginByEmail, loginById, updateLogin } from './login-store.ts';
import type { PortalLoginRow } from './tables.ts';

const PASSWORD_LEAST = 10;

type Deps = Pick<Core, 'clock' | 'database'>;

/** The logins of the portal: the company's own, which its registration makes, and its delegates'. */
export class Logins {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes a login's row, which `add` writes: hashing is slow, and no transaction should wait for it. */
  async prepare(login: {
    companyId: string;
    id: string;
    email: string;
    name: string;
    role: PortalRole;
    password: string;
  }): Promise<PortalLoginRow> {
    return {
      company_id: login.companyId,
      id: login.id,
      email: login.email,
      name: login.name,
      role: login.role,
      password_hash: await passwordHash(login.password),
      totp_secret: null,
      totp_enabled_at: null,
      totp_last_step: 0,
      created_at: this.#deps.clock.now(),
    };
  }

  /** @throws {PlatformError} account.email_taken */
  async add(writer: Writer, row: PortalLoginRow): Promise<void> {
    await this.#claim(writer, row.email);
    await insertLogin(writer, row);
  }

  /** @throws {PlatformError} auth.invalid when the login is gone */
  async get(reader: Reader, ref: LoginRef): Promise<PortalLoginRow> {
    const row = await loginById(reader, ref);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  /** Gives a login another address; the company's own login takes the company's address along. @throws {PlatformError} account.email_taken */
  async setEmail(writer: Writer, ref: LoginRef, email: string): Promise<void> {
    await this.#claim(writer, email);
    await updateLogin(writer, ref, { email });
    if (ref.loginId === ref.companyId) await setCompanyEmail(writer, ref.companyId, email);
  }

  /** Refuses an address that a login has; until the transaction ends, no other login can take it. */
  async #claim(writer: Writer, email: string): Promise<void> {
    await serialize(this.#deps.database.engine, writer, [`portal login ${email}`]);
    if ((await loginByEmail(writer, email)) !== undefined) throw new PlatformError('account.email_taken');
  }
}

/** @throws {PlatformError} account.password_weak */
export async function passwordHash(password: string): Promise<string> {
  if (password.length < PASSWORD_LEAST) throw new PlatformError('account.password_weak');
  return hashPassword(password);
}

export function toPortalLogin(row: PortalLoginRow): PortalLogin {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    company_login: row.id === row.company_id,
    two_factor: row.totp_enabled_at !== null,
  };
}
