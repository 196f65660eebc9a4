import { fingerprint } from '@symbolon/crypto';
import type {
  AuditAction,
  FormerServiceKey,
  ReplaceServiceKeyRequest,
  Service,
  ServicePrivateKey,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { ActProofs, PortalPrincipal, RecoveryCopies } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit, ServiceLogs } from '../../operations/index.ts';
import type { ServiceCustomers } from '../ports.ts';
import { checkServiceKey } from './key-material.ts';
import type { ServiceRef, Services } from './services.ts';
import { formerKeysOf, insertFormerKey, updateService } from './store.ts';

/** A call for private keys. */
export interface KeyReading {
  readonly ref: ServiceRef & { readonly actor: Actor };
  /** The portal session that calls; undefined for an account client. */
  readonly caller: PortalPrincipal | undefined;
  /** Method and path of the call. */
  readonly act: string;
  readonly proof: string | undefined;
}

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly services: Services;
  readonly customers: ServiceCustomers;
  readonly recovery: RecoveryCopies;
  readonly logs: ServiceLogs;
  readonly audit: Audit;
  readonly actProofs: ActProofs;
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

  /** The wrapped private key as it was sent at creation. @throws {PlatformError} services.not_found */
  privateKey(reading: KeyReading): Promise<ServicePrivateKey> {
    return this.#read(reading, 'service_key.opened', (writer) =>
      this.#deps.services.require(writer, reading.ref),
    ).then((row) => ({
      service_id: row.id,
      public_key: row.public_key,
      public_key_sha256: row.public_key_sha256,
      encrypted_private_key: JSON.parse(
        row.encrypted_private_key,
      ) as ServicePrivateKey['encrypted_private_key'],
    }));
  }

  /** The PEM for download. @throws {PlatformError} services.not_found, services.private_key_pem_missing */
  privateKeyPem(reading: KeyReading): Promise<string> {
    return this.#read(reading, 'service_key.opened', async (writer) => {
      const row = await this.#deps.services.require(writer, reading.ref);
      if (row.private_key_pem === null) throw new PlatformError('services.private_key_pem_missing');
      return row.private_key_pem;
    });
  }

  /** The keys that were replaced, the latest first. @throws {PlatformError} services.not_found */
  former(reading: KeyReading): Promise<FormerServiceKey[]> {
    return this.#read(reading, 'service_key.former_opened', async (writer) => {
      await this.#deps.services.require(writer, reading.ref);
      const rows = await formerKeysOf(writer, reading.ref);
      return rows.map((row) => ({
        public_key: row.public_key,
        public_key_sha256: row.public_key_sha256,
        encrypted_private_key: JSON.parse(
          row.encrypted_private_key,
        ) as FormerServiceKey['encrypted_private_key'],
        private_key_pem: row.private_key_pem,
        replaced_at: isoTime(row.replaced_at),
      }));
    });
  }

  /**
   * Reads private keys, and records that they were read. A portal session proves for this very request that the user is
   * present; an account client was given this route.
   * @throws {PlatformError} auth.proof_required, and what `read` throws: a proof is used up by success alone
   */
  #read<T>(
    { ref, caller, act, proof }: KeyReading,
    action: AuditAction,
    read: (writer: Writer) => Promise<T>,
  ): Promise<T> {
    return this.#deps.database.write(async (writer) => {
      const found = await read(writer);
      if (caller !== undefined) await this.#deps.actProofs.take(writer, caller, act, proof);
      await this.#deps.audit.record(writer, {
        companyId: ref.companyId,
        actor: ref.actor,
        action,
        target: ref.serviceId,
        details: { request: act },
      });
      return found;
    });
  }
}
