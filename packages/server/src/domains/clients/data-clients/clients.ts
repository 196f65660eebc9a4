import type { Wrapper } from '@symbolon/crypto';
import {
  clientIdPrefix,
  type DataClient,
  type DataClientWithSecret,
  dataClientWhitelist,
  levelAtLeast,
  levelGates,
} from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { newClientId } from '../../../access/client-ids.ts';
import type { Principal } from '../../../access/principal.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { RecoveryCopies } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { ClientUses } from '../uses/uses.ts';
import {
  credentialsById,
  dataClientOf,
  deleteClient,
  identityById,
  insertClient,
  levelOf,
  replaceEndpoints,
  replaceHash,
  replaceSecret,
} from './store.ts';
import type { ClientRow } from './tables.ts';

/** A secret about to be handed out: what is shown once, what is stored, and the copy for the recovery key. */
export interface FreshSecret {
  readonly secret: string;
  readonly hash: string;
  readonly sealed: Wrapper;
  readonly at: number;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly logs: ServiceLogs;
  readonly recovery: RecoveryCopies;
  readonly uses: ClientUses;
}

/** OAuth clients: their secrets, what they may call, and how they are revoked (wire 2.1, 5.1, 5.3). */
export class Clients {
  readonly #deps: Deps;
  /** Parsed whitelists by their stored text: nearly all clients share a few. */
  readonly #whitelists = new LRUCache<string, readonly string[]>({
    max: 1000,
    memoMethod: (stored) => Object.freeze(JSON.parse(stored) as string[]),
  });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Who stands behind a client id, and the epoch its tokens must carry.
   * @throws {PlatformError} services.level_required for the data client of a company that has fallen below its level
   */
  async identity(clientId: string): Promise<{ principal: Principal; epoch: number } | undefined> {
    const [row] = await identityById(this.#deps.database.vital, clientId);
    if (row === undefined) return undefined;
    if (row.service_id !== null && !levelAtLeast(row.level, levelGates.dataClient)) {
      throw new PlatformError('services.level_required', { details: { level: row.level } });
    }
    const endpoints = this.#whitelists.memo(row.endpoints);
    const principal: Principal =
      row.service_id === null
        ? { kind: 'account_client', clientId, companyId: row.company_id, endpoints }
        : { kind: 'data_client', clientId, companyId: row.company_id, serviceId: row.service_id, endpoints };
    return { principal, epoch: row.epoch };
  }

  /**
   * Checks a client's credentials. An unknown client and a wrong secret take the same work and give the same answer.
   * @throws {PlatformError} invalid_client, unauthorized_client
   */
  async authenticate(clientId: string, secret: string): Promise<{ clientId: string; epoch: number }> {
    const [row] = await credentialsById(this.#deps.database.vital, clientId);
    const matches = this.#deps.secrets.matches(secret, row?.secret_hash ?? NO_SECRET);
    if (row === undefined || !matches) throw new PlatformError('invalid_client');
    if (!this.#deps.secrets.isCurrent(row.secret_hash)) await this.#rehash(clientId, secret, row.secret_hash);
    // Only who has the secret learns why.
    if (row.service_id !== null && !levelAtLeast(row.level, levelGates.dataClient)) {
      throw new PlatformError('unauthorized_client', {
        text: 'The level of the company does not include data clients.',
      });
    }
    return { clientId, epoch: row.epoch };
  }

  /** Stores the hash of a secret under the current version of the key. A failure must not fail the token request. */
  async #rehash(clientId: string, secret: string, before: string): Promise<void> {
    const after = this.#deps.secrets.hash(secret);
    await this.#deps.database
      .write((writer) => replaceHash(writer, clientId, { before, after }))
      .catch(() => {});
  }

  /** Whether a client of this id is registered; the secret is not looked at. */
  async exists(clientId: string): Promise<boolean> {
    return (await credentialsById(this.#deps.database.vital, clientId)).length > 0;
  }

  /**
   * Registers the one data client of a service.
   * @throws {PlatformError} services.client_exists, services.level_required
   */
  async registerDataClient(service: { companyId: string; serviceId: string }): Promise<DataClientWithSecret> {
    const fresh = await this.freshSecret(service.companyId);
    const row = this.#newRow(clientIdPrefix.data, service, dataClientWhitelist, fresh);
    await writeLocked(this.#deps.database, 'services', service.serviceId, async (writer) => {
      const level = await levelOf(writer, service.companyId);
      if (level === undefined || !levelAtLeast(level, levelGates.dataClient)) {
        throw new PlatformError('services.level_required', { details: { level } });
      }
      if ((await dataClientOf(writer, service.serviceId)) !== undefined) {
        throw new PlatformError('services.client_exists');
      }
      await this.#insert(writer, row);
      await this.#deps.recovery.keepClientSecret(writer, service, row.client_id, fresh.sealed);
      await this.#log(writer, service, 'Data client registered', row.client_id);
    });
    return { ...toDataClient(row), client_secret: fresh.secret };
  }

  /** @throws {PlatformError} services.client_not_found */
  async dataClient(service: { serviceId: string }): Promise<DataClient> {
    return toDataClient(await this.#require(this.#deps.database.reader, service.serviceId));
  }

  /**
   * Gives the data client a new secret and ends every token minted under the old one.
   * @throws {PlatformError} services.client_not_found
   */
  async regenerateSecret(service: { companyId: string; serviceId: string }): Promise<DataClientWithSecret> {
    const fresh = await this.freshSecret(service.companyId);
    const row = await writeLocked(this.#deps.database, 'services', service.serviceId, async (writer) => {
      const found = await this.#require(writer, service.serviceId);
      await this.#replaceSecret(writer, service, found.client_id, fresh);
      await this.#log(writer, service, 'Secret of the data client regenerated', found.client_id);
      return found;
    });
    return { ...toDataClient({ ...row, secret_created_at: fresh.at }), client_secret: fresh.secret };
  }

  /**
   * Deletes the data client; its tokens end at once.
   * @throws {PlatformError} services.client_not_found
   */
  async deleteDataClient(service: { companyId: string; serviceId: string }): Promise<void> {
    await writeLocked(this.#deps.database, 'services', service.serviceId, async (writer) => {
      const { client_id } = await this.#require(writer, service.serviceId);
      await this.deleteForService(writer, service);
      await this.#log(writer, service, 'Data client deleted', client_id);
    });
  }

  /** Part of deleting a service. */
  async deleteForService(writer: Writer, service: { companyId: string; serviceId: string }): Promise<void> {
    const found = await dataClientOf(writer, service.serviceId);
    if (found === undefined) return;
    await this.#delete(writer, found.client_id);
    await this.#deps.recovery.dropClientSecret(writer, service.companyId, found.client_id);
  }

  /** Makes a secret of a company's; done before the transaction that keeps it. */
  async freshSecret(companyId: string): Promise<FreshSecret> {
    const secret = this.#deps.ids.token(32);
    const sealed = await this.#deps.recovery.seal(companyId, secret);
    return { secret, hash: this.#deps.secrets.hash(secret), sealed, at: this.#deps.clock.now() };
  }

  /** Registers credentials that act for a company within a whitelist; gives the client id. */
  async insertAccountClient(
    writer: Writer,
    companyId: string,
    endpoints: readonly string[],
    fresh: FreshSecret,
  ): Promise<string> {
    const owner = { companyId, serviceId: null };
    const row = this.#newRow(clientIdPrefix.account, owner, endpoints, fresh);
    await this.#insert(writer, row);
    await this.#deps.recovery.keepClientSecret(writer, owner, row.client_id, fresh.sealed);
    return row.client_id;
  }

  /** From the next request on, tokens minted before reach what the new whitelist holds. */
  async replaceWhitelist(writer: Writer, clientId: string, endpoints: readonly string[]): Promise<void> {
    await replaceEndpoints(writer, clientId, JSON.stringify(endpoints));
  }

  /** Gives an account client a new secret and ends every token minted under the old one. */
  async replaceAccountSecret(
    writer: Writer,
    companyId: string,
    clientId: string,
    fresh: FreshSecret,
  ): Promise<void> {
    await this.#replaceSecret(writer, { companyId, serviceId: null }, clientId, fresh);
  }

  /** Deletes an account client with its whitelist and the copy of its secret; its tokens end at once. */
  async deleteAccountClient(writer: Writer, companyId: string, clientId: string): Promise<void> {
    await this.#delete(writer, clientId);
    await this.#deps.recovery.dropClientSecret(writer, companyId, clientId);
  }

  #newRow(
    prefix: string,
    owner: { companyId: string; serviceId: string | null },
    endpoints: readonly string[],
    fresh: FreshSecret,
  ): ClientRow {
    return {
      client_id: newClientId(prefix, owner.companyId, this.#deps.ids),
      company_id: owner.companyId,
      service_id: owner.serviceId,
      secret_hash: fresh.hash,
      epoch: 1,
      endpoints: JSON.stringify(endpoints),
      created_at: fresh.at,
      secret_created_at: fresh.at,
    };
  }

  async #insert(writer: Writer, row: ClientRow): Promise<void> {
    await insertClient(writer, row);
    await this.#deps.uses.begin(writer, { companyId: row.company_id, clientId: row.client_id });
  }

  async #delete(writer: Writer, clientId: string): Promise<void> {
    await deleteClient(writer, clientId);
    await this.#deps.uses.forget(writer, clientId);
  }

  async #replaceSecret(
    writer: Writer,
    owner: { companyId: string; serviceId: string | null },
    clientId: string,
    fresh: FreshSecret,
  ): Promise<void> {
    await replaceSecret(writer, clientId, { hash: fresh.hash, at: fresh.at });
    await this.#deps.recovery.keepClientSecret(writer, owner, clientId, fresh.sealed);
  }

  async #require(reader: Reader | Writer, serviceId: string): Promise<ClientRow> {
    const row = await dataClientOf(reader, serviceId);
    if (row === undefined) throw new PlatformError('services.client_not_found');
    return row;
  }

  #log(writer: Writer, service: { companyId: string; serviceId: string }, message: string, clientId: string) {
    return this.#deps.logs.write(writer, {
      ...service,
      type: 'config',
      message,
      metadata: { client_id: clientId },
    });
  }
}

/** What an unknown client's secret is compared with: the hash of nothing anyone knows. */
const NO_SECRET = '0'.repeat(64);

function toDataClient(row: ClientRow): DataClient {
  return {
    client_id: row.client_id,
    service_id: row.service_id ?? '',
    grant_types: ['client_credentials'],
    endpoints: JSON.parse(row.endpoints) as string[],
    created_at: isoTime(row.created_at),
    secret_created_at: isoTime(row.secret_created_at),
  };
}
