import { sealValue, serializeWrapper, type Wrapper } from '@symbolon/crypto';
import type { RecoveryCopy } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { RecoveryKey } from './recovery-key.ts';
import { copiesOf, deleteCopies, insertCopy } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly recoveryKey: RecoveryKey;
}

/**
 * Copies of secrets that are shown once, sealed to the company's recovery key: only owners and admins for which that key was
 * given can open them (wire 2.1, 5.6).
 */
export class RecoveryCopies {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
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
    return sealValue(secret, (await this.#deps.recoveryKey.publicHalf(companyId)).public_key);
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
