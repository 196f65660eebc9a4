import { fingerprint } from '@symbolon/crypto';
import type { FormerServiceKey, ReplaceServiceKeyRequest, Service } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/index.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { ServiceCustomers } from '../ports.ts';
import { checkServiceKey } from './key-material.ts';
import type { ServiceRef, Services } from './services.ts';
import { formerKeysOf, insertFormerKey, updateService } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly services: Services;
  readonly customers: ServiceCustomers;
  readonly recovery: RecoveryCopies;
  readonly logs: ServiceLogs;
}

/**
 * Replacing a service's key pair. Stored values are not sealed again: only the customers' devices can do that. A stored
 * value opens with the key it was sealed to, so the former keys are kept.
 */
export class ServiceKeys {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Puts a new key pair in place of the present one and tells every company that is a customer (wire 6.1).
   * @throws {PlatformError} services.not_found, services.key_reused for a key that the service has or had, and what
   *   `checkServiceKey` refuses
   */
  async replace(ref: ServiceRef, request: ReplaceServiceKeyRequest): Promise<Service> {
    const passphraseCopy = await checkServiceKey(request);
    const newFingerprint = await fingerprint(request.public_key);
    return writeLocked(this.#deps.database, 'services', ref.serviceId, async (writer) => {
      const present = await this.#deps.services.require(writer, ref);
      const former = await formerKeysOf(writer, ref);
      if ([present, ...former].some((key) => key.public_key_sha256 === newFingerprint)) {
        throw new PlatformError('services.key_reused');
      }
      const now = this.#deps.clock.now();
      await insertFormerKey(writer, {
        company_id: ref.companyId,
        service_id: ref.serviceId,
        public_key_sha256: present.public_key_sha256,
        public_key: present.public_key,
        encrypted_private_key: present.encrypted_private_key,
        private_key_pem: present.private_key_pem,
        replaced_at: now,
      });
      await updateService(writer, ref.serviceId, {
        public_key: request.public_key,
        public_key_sha256: newFingerprint,
        encrypted_private_key: JSON.stringify(request.encrypted_private_key),
        private_key_pem: request.private_key_pem ?? null,
        updated_at: now,
      });
      // Beside the copy of the former passphrase, which the former key still needs.
      if (passphraseCopy !== undefined) await this.#deps.recovery.keepPassphrase(writer, ref, passphraseCopy);
      await this.#deps.logs.write(writer, {
        ...ref,
        type: 'config',
        message: 'Service key replaced',
        metadata: { public_key_sha256: newFingerprint, former_public_key_sha256: present.public_key_sha256 },
      });
      const view = await this.#deps.services.view(writer, ref);
      await this.#deps.customers.keyReplaced(writer, ref, {
        publicKey: request.public_key,
        fingerprint: newFingerprint,
      });
      return view;
    });
  }

  /** The keys that were replaced, the latest first. @throws {PlatformError} services.not_found */
  async former(ref: ServiceRef): Promise<FormerServiceKey[]> {
    const { reader } = this.#deps.database;
    await this.#deps.services.require(reader, ref);
    const rows = await formerKeysOf(reader, ref);
    return rows.map((row) => ({
      public_key: row.public_key,
      public_key_sha256: row.public_key_sha256,
      encrypted_private_key: JSON.parse(
        row.encrypted_private_key,
      ) as FormerServiceKey['encrypted_private_key'],
      private_key_pem: row.private_key_pem,
      replaced_at: isoTime(row.replaced_at),
    }));
  }
}
