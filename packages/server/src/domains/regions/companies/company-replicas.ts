import type { Reader, Writer } from '../../../db/database.ts';
import { type CompanyRow, companyHomes } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import { deleteRemoteSlotsOfCompany } from '../people/store.ts';
import {
  deleteReplica,
  homeByCode,
  homeCompanies,
  homeCompany,
  insertReplica,
  type ReplicaRow,
  raiseVersion,
  updateReplica,
  versionOf,
} from './store.ts';

/** What every region knows of a company: enough to name it, to find it and to seal values for it. */
export interface CompanyReplica extends Omit<ReplicaRow, 'region'> {
  /** The company's home. */
  readonly region: string;
}

export function replicaOf(row: ReplicaRow, ownRegion: string): CompanyReplica {
  const { id, name, code, account_public_key, account_public_key_sha256, level, created_at, card_version } =
    row;
  return {
    id,
    region: row.region ?? ownRegion,
    card_version,
    name,
    code,
    account_public_key,
    account_public_key_sha256,
    level,
    created_at,
  };
}

export const CompanyMessage = { changed: 'company_card', deleted: 'company_gone' } as const;

interface Deps extends Pick<Core, 'database' | 'regions'> {
  readonly messages: MessageQueue;
}

/**
 * The replicas of companies. The home of a company sends its replica to the other regions; each stores it as a row of
 * `companies`. The replica with the higher version wins, in whichever order they arrive.
 */
export class CompanyReplicas {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.messages.handle(CompanyMessage.changed, (writer, { body }) =>
      this.apply(writer, body as CompanyReplica),
    );
  }

  /** Sends the replica of a company of this region to all others, in the transaction that changed the company. */
  async companyChanged(writer: Writer, companyId: string): Promise<void> {
    await raiseVersion(writer, companyId);
    const body = await this.ofHome(writer, companyId);
    if (body === undefined) return;
    await this.#deps.messages.sendToAll(writer, { kind: CompanyMessage.changed, subject: companyId, body });
  }

  /** Tells all others that a company of this region is deleted, in the transaction that deletes its row. */
  async companyDeleted(writer: Writer, companyId: string): Promise<void> {
    await this.#deps.messages.sendToAll(writer, {
      kind: CompanyMessage.deleted,
      subject: companyId,
      body: {},
    });
  }

  /** Sends one region the replicas of companies that follow an id. @returns the last id; undefined after the last page */
  async sendPage(region: string, after: string, limit: number): Promise<string | undefined> {
    const { database, messages, regions } = this.#deps;
    return database.write(async (writer) => {
      const rows = await homeCompanies(writer, after, limit);
      for (const row of rows) {
        const body = replicaOf(row, regions.own);
        await messages.send(writer, region, { kind: CompanyMessage.changed, subject: row.id, body });
      }
      return rows.at(-1)?.id;
    });
  }

  /** The replica of a company of this region; undefined for any other company. */
  async ofHome(reader: Reader, companyId: string): Promise<CompanyReplica | undefined> {
    const row = await homeCompany(reader, companyId);
    return row && replicaOf(row, this.#deps.regions.own);
  }

  /** The home of the company with a share code; undefined when this region does not know the code. */
  async homeByCode(code: string): Promise<string | undefined> {
    const [row] = await homeByCode(this.#deps.database.reader, code);
    return row === undefined ? undefined : (row.region ?? this.#deps.regions.own);
  }

  /** The homes of companies by their ids; without the companies that this region does not know. */
  async homesOf(reader: Reader, companyIds: readonly string[]): Promise<Map<string, string>> {
    const homes = await companyHomes(this.#deps.database.engine, reader, companyIds);
    return new Map([...homes].map(([id, region]) => [id, region ?? this.#deps.regions.own]));
  }

  /** Stores a replica from another region. It never overwrites a company of this region. */
  async apply(writer: Writer, replica: CompanyReplica): Promise<void> {
    const known = await versionOf(writer, replica.id);
    if (known !== undefined && (known.region === null || known.card_version >= replica.card_version)) return;
    // A company that moves to this region gets its row from the move.
    if (replica.region === this.#deps.regions.own) return;
    if (known === undefined) await insertReplica(writer, rowOf(replica));
    else await updateReplica(writer, rowOf(replica));
  }

  /** Deletes the replica of a company that was deleted at its home. */
  async drop(writer: Writer, companyId: string): Promise<void> {
    await deleteRemoteSlotsOfCompany(writer, companyId);
    await deleteReplica(writer, companyId);
  }
}

/** A replica has no secrets and cannot sign in. Its e-mail column must be unique, so it takes the id. */
function rowOf(replica: CompanyReplica): CompanyRow {
  return {
    ...replica,
    email: replica.id,
    account_private_key: '',
    recovery_public_key: '',
    recovery_private_key: '',
    second_factor_required: 0,
  };
}
