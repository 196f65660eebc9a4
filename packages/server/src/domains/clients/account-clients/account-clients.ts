import {
  type AccountClient,
  type AccountClientWithSecret,
  type Capability,
  type CreateAccountClientRequest,
  type GrantedCapabilities,
  limits,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { type ClientAct, recordClientAct } from '../data-clients/client-act.ts';
import type { Clients } from '../data-clients/clients.ts';
import { clientOf, clientsOf, countClients, deleteClientRow } from '../data-clients/company-clients.ts';
import { insertAccountClient, purposeTaken, updateCapabilities } from './store.ts';
import type { AccountClientRow } from './tables.ts';
import { inOrder, whitelistOf } from './whitelist.ts';

interface Deps extends Pick<Core, 'config' | 'database'> {
  readonly clients: Clients;
  readonly audit: Audit;
}

/** Account clients: machines that act as the company, within what it granted them (wire 2.1, 4.7, 5.5). */
export class AccountClients {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Creates a client. Its purpose is set now or never; a prefix of the platform's own is refused before anything else
   * is said about the purpose.
   * @throws {PlatformError} account_clients.purpose_reserved, account_clients.purpose_taken, account_clients.limit_reached
   */
  async create(
    companyId: string,
    actor: Actor,
    request: CreateAccountClientRequest,
  ): Promise<AccountClientWithSecret> {
    const purpose = request.purpose ?? null;
    const prefix = this.#reservedPrefix(purpose);
    if (prefix !== undefined) {
      throw new PlatformError('account_clients.purpose_reserved', {
        text: `Purposes that start with ${prefix} are reserved for the platform.`,
        details: { prefix },
      });
    }
    return this.#mint(companyId, actor, {
      name: request.name,
      purpose,
      capabilities: request.capabilities ?? [],
    });
  }

  /**
   * Mints a client that a feature of the platform manages: no route leads here, and its capabilities and secret cannot be
   * changed by the routes of account clients (wire 2.1, purpose rules 4 and 5).
   * @param request.purpose begins with a reserved prefix
   * @throws {PlatformError} account_clients.purpose_taken, account_clients.limit_reached
   */
  async mintManaged(
    companyId: string,
    actor: Actor,
    request: { name: string; purpose: string; capabilities: readonly Capability[] },
  ): Promise<AccountClientWithSecret> {
    if (!this.#isManaged(request.purpose) || !new RegExp(limits.purpose).test(request.purpose)) {
      throw new TypeError(`${request.purpose} is not a reserved purpose.`);
    }
    return this.#mint(companyId, actor, request);
  }

  async list(companyId: string): Promise<AccountClient[]> {
    return (await clientsOf(this.#deps.database.reader, 'account_clients', companyId)).map(toAccountClient);
  }

  /**
   * Replaces the capabilities. Tokens that are out reach the new whitelist, and nothing else, from their next request on.
   * @throws {PlatformError} account_clients.not_found, account_clients.purpose_managed
   */
  async grant(act: ClientAct, granted: readonly Capability[]): Promise<GrantedCapabilities> {
    const capabilities = inOrder(granted);
    await writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const row = await findOrThrow(writer, act);
      if (this.#isManaged(row.purpose)) throw new PlatformError('account_clients.purpose_managed');
      await updateCapabilities(writer, act.companyId, act.clientId, JSON.stringify(capabilities));
      await this.#deps.clients.replaceWhitelist(writer, act.clientId, whitelistOf(capabilities));
      await recordClientAct(this.#deps.audit, writer, act, 'account_client.capabilities_granted', {
        capabilities,
        before: JSON.parse(row.capabilities) as unknown,
      });
    });
    return { client_id: act.clientId, capabilities };
  }

  /**
   * A new secret, shown once; every token of the old one ends.
   * @throws {PlatformError} account_clients.not_found, account_clients.purpose_managed
   */
  async regenerateSecret(act: ClientAct): Promise<AccountClientWithSecret> {
    const fresh = await this.#deps.clients.freshSecret(act.companyId);
    const row = await writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const found = await findOrThrow(writer, act);
      if (this.#isManaged(found.purpose)) throw new PlatformError('account_clients.purpose_managed');
      await this.#deps.clients.replaceAccountSecret(writer, act.companyId, act.clientId, fresh);
      await recordClientAct(this.#deps.audit, writer, act, 'account_client.secret_regenerated');
      return found;
    });
    return withSecret(row, fresh.secret);
  }

  /**
   * Deletes the client with its whitelist; its tokens end at once.
   * @throws {PlatformError} account_clients.not_found
   */
  async delete(act: ClientAct): Promise<void> {
    await writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const row = await findOrThrow(writer, act);
      await deleteClientRow(writer, 'account_clients', act);
      await this.#deps.clients.deleteAccountClient(writer, act.companyId, act.clientId);
      await recordClientAct(this.#deps.audit, writer, act, 'account_client.deleted', {
        name: row.name,
        purpose: row.purpose,
      });
    });
  }

  async #mint(
    companyId: string,
    actor: Actor,
    request: { name: string; purpose: string | null; capabilities: readonly Capability[] },
  ): Promise<AccountClientWithSecret> {
    const { purpose } = request;
    const capabilities = inOrder(request.capabilities);
    const fresh = await this.#deps.clients.freshSecret(companyId);
    // The lock keeps a purpose unique among the company's clients.
    const row = await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      if (purpose !== null && (await purposeTaken(writer, companyId, purpose))) {
        throw new PlatformError('account_clients.purpose_taken');
      }
      if ((await countClients(writer, 'account_clients', companyId)) >= limits.accountClientsMost) {
        throw new PlatformError('account_clients.limit_reached');
      }
      const made: AccountClientRow = {
        company_id: companyId,
        client_id: await this.#deps.clients.insertAccountClient(
          writer,
          companyId,
          whitelistOf(capabilities),
          fresh,
        ),
        name: request.name.trim(),
        purpose,
        capabilities: JSON.stringify(capabilities),
        created_at: fresh.at,
      };
      await insertAccountClient(writer, made);
      const act = { companyId, clientId: made.client_id, actor };
      await recordClientAct(this.#deps.audit, writer, act, 'account_client.created', {
        name: made.name,
        purpose,
        capabilities,
      });
      return made;
    });
    return withSecret(row, fresh.secret);
  }

  /** The prefix of the platform's own that a purpose begins with. */
  #reservedPrefix(purpose: string | null): string | undefined {
    return this.#deps.config.reservedPurposes.find((prefix) => purpose?.startsWith(prefix));
  }

  /** Whether a purpose is one that the platform's own features use. */
  #isManaged(purpose: string | null): boolean {
    return this.#reservedPrefix(purpose) !== undefined;
  }
}

/** @throws {PlatformError} account_clients.not_found */
async function findOrThrow(reader: Reader, act: ClientAct): Promise<AccountClientRow> {
  const row = await clientOf(reader, 'account_clients', act);
  if (row === undefined) throw new PlatformError('account_clients.not_found');
  return row;
}

function toAccountClient(row: AccountClientRow): AccountClient {
  return {
    client_id: row.client_id,
    name: row.name,
    purpose: row.purpose,
    capabilities: JSON.parse(row.capabilities) as Capability[],
    created_at: isoTime(row.created_at),
  };
}

function withSecret(row: AccountClientRow, secret: string): AccountClientWithSecret {
  const { client_id, name, purpose, capabilities } = toAccountClient(row);
  return {
    client_id,
    client_secret: secret,
    name,
    purpose,
    capabilities,
    grant_types: ['client_credentials'],
  };
}
