import {
  fingerprint,
  parseEncryptedPrivateKey,
  sealValue,
  serializeWrapper,
  type Wrapper,
} from '@symbolon/crypto';
import type { EncryptedPrivateKey, ProfileKeys, RecoveryCopy, RecoveryKeyView } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { copiesOf, deleteCopies, insertCopy, keysOf, replaceRecoveryPrivateKey } from './store.ts';

type Deps = Pick<Core, 'clock' | 'database' | 'ids'>;

/**
 * Copies of secrets that are shown once, sealed to the company's recovery key: only the holder of the account password can
 * open them (wire 2.1, 5.6).
 */
export class RecoveryCopies {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async key(companyId: string): Promise<RecoveryKeyView> {
    const row = await this.#keysOf(companyId);
    return {
      public_key: row.recovery_public_key,
      encrypted_private_key: JSON.parse(row.recovery_private_key) as RecoveryKeyView['encrypted_private_key'],
    };
  }

  /** The public halves of the company's own keys. */
  async publicKeys(companyId: string): Promise<ProfileKeys> {
    const { recovery_private_key, ...row } = await this.#keysOf(companyId);
    return { ...row, recovery_public_key_sha256: await fingerprint(row.recovery_public_key) };
  }

  /**
   * Stores the recovery key as the new account password wraps it. The public half stays the same.
   * @throws {PlatformError} account.recovery_key_invalid
   */
  async replacePrivateKey(writer: Writer, companyId: string, wrapped: EncryptedPrivateKey): Promise<void> {
    await checkWrappedRecoveryKey(wrapped);
    await replaceRecoveryPrivateKey(writer, companyId, JSON.stringify(wrapped));
  }

  async list(companyId: string): Promise<RecoveryCopy[]> {
    const rows = await copiesOf(this.#deps.database.reader, companyId);
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      service_id: row.service_id,
      client_id: row.client_id,
      sealed: JSON.parse(row.sealed) as Wrapper,
      created_at: isoTime(row.created_at),
    }));
  }

  /** Seals a secret to the company's recovery key; done before the transaction that keeps it. */
  async seal(companyId: string, secret: string): Promise<Wrapper> {
    return sealValue(secret, (await this.key(companyId)).public_key);
  }

  /**
   * Keeps the copy of a client's secret in place of the one before.
   * @param owner without a service for account clients and sign-in apps, which are the company's as a whole
   */
  async keepClientSecret(
    writer: Writer,
    owner: { companyId: string; serviceId: string | null },
    clientId: string,
    sealed: Wrapper,
  ): Promise<void> {
    await deleteCopies(writer, owner.companyId, 'client_id', clientId);
    await this.#insert(writer, owner, 'client_secret', clientId, sealed);
  }

  /** Keeps the copy of a service's passphrase, sealed by the device that made it. */
  async keepPassphrase(
    writer: Writer,
    service: { companyId: string; serviceId: string },
    sealed: Wrapper,
  ): Promise<void> {
    await this.#insert(writer, service, 'service_passphrase', null, sealed);
  }

  async dropClientSecret(writer: Writer, companyId: string, clientId: string): Promise<void> {
    await deleteCopies(writer, companyId, 'client_id', clientId);
  }

  async dropForService(writer: Writer, service: { companyId: string; serviceId: string }): Promise<void> {
    await deleteCopies(writer, service.companyId, 'service_id', service.serviceId);
  }

  async #keysOf(companyId: string) {
    const row = await keysOf(this.#deps.database.reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }

  async #insert(
    writer: Writer,
    owner: { companyId: string; serviceId: string | null },
    kind: RecoveryCopy['kind'],
    clientId: string | null,
    sealed: Wrapper,
  ): Promise<void> {
    await insertCopy(writer, {
      company_id: owner.companyId,
      id: this.#deps.ids.uuid(),
      kind,
      service_id: owner.serviceId,
      client_id: clientId,
      sealed: serializeWrapper(sealed),
      created_at: this.#deps.clock.now(),
    });
  }
}

/** @throws {PlatformError} account.recovery_key_invalid */
export async function checkWrappedRecoveryKey(wrapped: EncryptedPrivateKey): Promise<void> {
  await refuseCryptoError('account.recovery_key_invalid', () => parseEncryptedPrivateKey(wrapped));
}
