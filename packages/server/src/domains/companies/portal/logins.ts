import { fingerprint } from '@symbolon/crypto';
import type { PasswordMaterial, PortalLogin, PortalRole, RecoveryMaterial } from '@symbolon/protocol';
import { mailboxOf } from '../../../access/email.ts';
import { checkKeyMaterial, credentialColumns, type LoginKeyColumns } from '../../../access/key-material.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, serialize, type Writer } from '../../../db/database.ts';
import { NO_SECOND_FACTOR } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import { setCompanyEmail } from './company-store.ts';
import { insertLogin, type LoginRef, loginByEmail, loginById, updateLogin } from './login-store.ts';
import type { PortalLoginRow, ReadyLoginRow } from './tables.ts';

/** What a device sends when it makes the keys of a login. */
export interface LoginMaterial extends PasswordMaterial {
  readonly key: { readonly public_key: string };
  readonly recovery: RecoveryMaterial;
}

type Deps = Pick<Core, 'clock' | 'database' | 'secrets'>;

/** The logins of the portal: the company's own, which its registration makes, and its delegates'. */
export class Logins {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes a login's row, which `add` writes: hashing is slow, and no transaction should wait for it. */
  async prepare(
    login: { companyId: string; id: string; email: string; name: string; role: PortalRole },
    material: LoginMaterial,
  ): Promise<ReadyLoginRow> {
    return {
      company_id: login.companyId,
      id: login.id,
      email: login.email,
      name: login.name.trim(),
      role: login.role,
      ...NO_SECOND_FACTOR,
      created_at: this.#deps.clock.now(),
      ...(await this.keyColumns(material)),
    };
  }

  /** What is stored of the keys that a device made. */
  async keyColumns(material: LoginMaterial): Promise<LoginKeyColumns> {
    return {
      public_key: material.key.public_key,
      public_key_sha256: await fingerprint(material.key.public_key),
      ...(await credentialColumns(this.#deps.secrets, material)),
    };
  }

  /** @param taken makes the refusal for an address that a login has */
  async add(
    writer: Writer,
    row: ReadyLoginRow,
    taken = () => new PlatformError('account.email_taken'),
  ): Promise<void> {
    await this.#claim(writer, row.email, taken);
    await insertLogin(writer, row);
  }

  /** @throws {PlatformError} auth.invalid when the login is gone */
  async get(reader: Reader, ref: LoginRef): Promise<PortalLoginRow> {
    const row = await loginById(reader, ref);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  /**
   * Changes the secrets of a login, in a transaction that locked its company.
   * @param proven the login as its proof was checked
   * @throws {PlatformError} auth.credentials_invalid when its secrets have changed since
   */
  async replaceCredentials(
    writer: Writer,
    proven: ReadyLoginRow,
    columns: Partial<LoginKeyColumns>,
  ): Promise<void> {
    const ref = { companyId: proven.company_id, loginId: proven.id };
    const now = await this.get(writer, ref);
    if (now.login_hash !== proven.login_hash || now.recovery_hash !== proven.recovery_hash)
      throw new PlatformError('auth.credentials_invalid');
    await updateLogin(writer, ref, columns);
  }

  /** Gives a login another address; the company's own login takes the company's address along. @throws {PlatformError} account.email_taken */
  async setEmail(writer: Writer, ref: LoginRef, email: string): Promise<void> {
    await this.#claim(writer, email, () => new PlatformError('account.email_taken'));
    await updateLogin(writer, ref, { email });
    if (ref.loginId === ref.companyId) await setCompanyEmail(writer, ref.companyId, email);
  }

  /** Refuses an address that a login has; until the transaction ends, no other login can take it. */
  async #claim(writer: Writer, email: string, taken: () => PlatformError): Promise<void> {
    await serialize(this.#deps.database.engine, writer, [`portal login ${mailboxOf(email)}`]);
    if ((await loginByEmail(writer, email)) !== undefined) throw taken();
  }
}

/** @throws {PlatformError} account.key_invalid */
export function checkLoginMaterial(material: LoginMaterial): Promise<void> {
  return checkKeyMaterial({
    publicKey: material.key.public_key,
    password: material,
    recovery: material.recovery,
  });
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
