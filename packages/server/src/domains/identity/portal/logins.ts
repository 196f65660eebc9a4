import type { PortalLogin, PortalRole } from '@symbolon/protocol';
import { hashPassword } from '../../../access/passwords.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, serialize, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import {
  deleteLogin,
  insertLogin,
  type LoginRef,
  loginByEmail,
  loginById,
  loginsOf,
  setCompanyEmail,
  updateLogin,
} from './login-store.ts';
import type { PortalLoginRow } from './tables.ts';

const PASSWORD_LEAST = 10;

type Deps = Pick<Core, 'clock' | 'database'>;

/** The logins of the portal: the company's own, which its registration makes, and its delegates'. */
export class Logins {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A login's row, for `add` to write: hashing takes its time and no transaction waits for it. */
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
  async require(reader: Reader, ref: LoginRef): Promise<PortalLoginRow> {
    const row = await loginById(reader, ref);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  find(reader: Reader, ref: LoginRef): Promise<PortalLoginRow | undefined> {
    return loginById(reader, ref);
  }

  byEmail(reader: Reader, email: string): Promise<PortalLoginRow | undefined> {
    return loginByEmail(reader, email);
  }

  ofCompany(reader: Reader, companyId: string): Promise<PortalLoginRow[]> {
    return loginsOf(reader, companyId);
  }

  setRole(writer: Writer, ref: LoginRef, role: PortalRole): Promise<void> {
    return updateLogin(writer, ref, { role });
  }

  /** Gives a login another address; the company's own login takes the company's address along. @throws {PlatformError} account.email_taken */
  async setEmail(writer: Writer, ref: LoginRef, email: string): Promise<void> {
    await this.#claim(writer, email);
    await updateLogin(writer, ref, { email });
    if (ref.loginId === ref.companyId) await setCompanyEmail(writer, ref.companyId, email);
  }

  setPassword(writer: Writer, ref: LoginRef, hash: string): Promise<void> {
    return updateLogin(writer, ref, { password_hash: hash });
  }

  /** Deletes a login; its sessions and all else it opened end at once. */
  remove(writer: Writer, ref: LoginRef): Promise<void> {
    return deleteLogin(writer, ref);
  }

  /** Makes sure that an address is nobody's, and stays so until the transaction is through. */
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
