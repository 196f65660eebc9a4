import { type ClientKind, type ClientUse, clientIdPrefix } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { entriesMost } from '../../../core/cache-bounds.ts';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import { deleteUse, insertUnused, putUse, usesOf } from './store.ts';

/** The last use of a client is stored with this precision, so that a token costs no write of its own. */
const PRECISION_MS = 60 * 60 * 1000;

/** Clients whose last use this process remembers; of more than that, some are written again within the hour. */
const REMEMBERED_MOST = 100_000;

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly maintenance: Pick<Maintenance, 'workPaused'>;
}

/** When each client last obtained a token: what its secret is still used for (wire 4.7). */
export class ClientUses {
  readonly #deps: Deps;
  /** When this process wrote a use of a client. */
  readonly #notedAt = new LRUCache<string, number>(entriesMost(REMEMBERED_MOST));

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Part of making a client: it has not been used yet. */
  begin(writer: Writer, client: { companyId: string; clientId: string }): Promise<void> {
    return insertUnused(writer, { client_id: client.clientId, company_id: client.companyId });
  }

  /** A client got a token. A failure must not take it away again. */
  async note(clientId: string): Promise<void> {
    const now = this.#deps.clock.now();
    const notedAt = this.#notedAt.get(clientId);
    const isKept = notedAt !== undefined && now - notedAt < PRECISION_MS;
    if (isKept || this.#deps.maintenance.workPaused) return;
    // First, so that tokens that are asked for at once write one use.
    this.#notedAt.set(clientId, now);
    await this.#deps.database
      .write((writer) => putUse(writer, clientId, now))
      .catch(() => this.#notedAt.delete(clientId));
  }

  /** Part of deleting a client. */
  forget(writer: Writer, clientId: string): Promise<void> {
    return deleteUse(writer, clientId);
  }

  /** Of all clients of a company. One from before this was kept is not among them until its next use. */
  async list(companyId: string): Promise<ClientUse[]> {
    return (await usesOf(this.#deps.database.reader, companyId)).map((row) => ({
      client_id: row.client_id,
      kind: kindOf(row.client_id),
      last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
    }));
  }
}

function kindOf(clientId: string): ClientKind {
  if (clientId.startsWith(clientIdPrefix.app)) return 'oauth_app';
  return clientId.startsWith(clientIdPrefix.account) ? 'account_client' : 'data_client';
}
