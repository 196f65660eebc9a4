import type { AuditAction, TrustedDevice } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { takeByHash } from '../../../core/secrets.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { deleteDevices, devicesOf, insertDevice, type LoginRef, touchDevice } from './login-store.ts';

/** A device is trusted for so long. */
export const TRUST_MS = 30 * 24 * 60 * 60 * 1000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly audit: Audit;
}

/** Devices on which a login's second factor is not asked for. The password always is. */
export class TrustedDevices {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether a token is that of a device the login trusts. */
  async recognise(login: LoginRef, token: string | undefined): Promise<boolean> {
    if (token === undefined) return false;
    const hashes = this.#deps.secrets.hashes(token);
    const now = this.#deps.clock.now();
    return this.#deps.database.write((writer) =>
      takeByHash(hashes, (hash) => touchDevice(writer, login, hash, now)),
    );
  }

  /** Trusts a device in the caller's transaction; its token is shown this once. */
  async trust(
    writer: Writer,
    login: LoginRef,
    userAgent: string,
    actor: Actor,
  ): Promise<{ token: string; expiresAt: number }> {
    const token = this.#deps.ids.token(32);
    const now = this.#deps.clock.now();
    const id = this.#deps.ids.uuid();
    await insertDevice(writer, {
      company_id: login.companyId,
      login_id: login.loginId,
      id,
      token_hash: this.#deps.secrets.hash(token),
      user_agent: userAgent,
      created_at: now,
      last_used_at: now,
      expires_at: now + TRUST_MS,
    });
    await this.#record(writer, login, actor, 'trusted_device.added', id);
    return { token, expiresAt: now + TRUST_MS };
  }

  async list(login: LoginRef): Promise<TrustedDevice[]> {
    const rows = await devicesOf(this.#deps.database.reader, login, this.#deps.clock.now());
    return rows.map((row) => ({
      id: row.id,
      user_agent: row.user_agent,
      created_at: isoTime(row.created_at),
      last_used_at: isoTime(row.last_used_at),
      expires_at: isoTime(row.expires_at),
    }));
  }

  /** @throws {PlatformError} account.trusted_device_not_found */
  async revoke(login: LoginRef, id: string, actor: Actor): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      if ((await deleteDevices(writer, login, id)) === 0)
        throw new PlatformError('account.trusted_device_not_found');
      await this.#record(writer, login, actor, 'trusted_device.revoked', id);
    });
  }

  async revokeAll(login: LoginRef, actor: Actor): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      if ((await deleteDevices(writer, login)) > 0)
        await this.#record(writer, login, actor, 'trusted_device.revoked', 'all');
    });
  }

  #record(writer: Writer, login: LoginRef, actor: Actor, action: AuditAction, target: string): Promise<void> {
    return this.#deps.audit.record(writer, { companyId: login.companyId, actor, action, target });
  }
}
