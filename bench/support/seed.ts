import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createIds, type Ids } from '../../packages/server/src/core/ids.ts';
import type { Tables } from '../../packages/server/src/db/tables.ts';
import type { BenchService } from './actors.ts';

type Column = string | number | null;
/** A row as it is inserted, checked against the server's own table types. */
type Insert<Name extends keyof Tables> = {
  [Member in keyof Tables[Name] as Tables[Name][Member] extends Column
    ? Member
    : never]: Tables[Name][Member];
};

/** The database file behind a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'symbolon.db');
}

/**
 * Writes rows past the API, as it would have written them, all in one transaction. The platform may be running: it takes
 * no part until the commit.
 */
export class Seed implements Disposable {
  readonly ids: Ids = createIds({ now: () => Date.now() });
  readonly #database: DatabaseSync;
  readonly #inserts = new Map<string, StatementSync>();

  constructor(dataDir: string) {
    this.#database = new DatabaseSync(databaseFile(dataDir), { timeout: 10_000 });
    this.#database.exec('pragma synchronous = off; begin immediate');
  }

  insert<Name extends keyof Tables>(table: Name, row: Insert<Name>): void {
    let statement = this.#inserts.get(table);
    const names = Object.keys(row);
    if (statement === undefined) {
      const places = names.map((name) => `:${name}`);
      statement = this.#database.prepare(
        `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
      );
      this.#inserts.set(table, statement);
    }
    statement.run(row as Record<string, Column>);
  }

  /**
   * Connects new people to a service, each with an answer to every one of its rows.
   *
   * @param value the sealed answer of a connection to a row
   * @param key the public key of all of them; without one nothing can be sealed to them
   */
  connect(
    service: BenchService,
    count: number,
    value: (connection: number, row: number) => string,
    key = { publicKey: '', sha256: '' },
  ): { connectionId: string; personId: string; shareCode: string }[] {
    const at = Date.now();
    const found = this.#database.prepare('select request_version from services where id = ?').get(service.id);
    const version = Number(found?.request_version ?? 1);
    const made = [];
    for (let index = 0; index < count; index++) {
      const personId = this.ids.uuid();
      const connectionId = this.ids.uuid();
      const shareCode = randomBytes(8).toString('hex').toUpperCase();
      this.insert('persons', {
        id: personId,
        email: `${personId}@example.com`,
        display_name: `Person ${index}`,
        share_code: shareCode,
        public_key: key.publicKey,
        public_key_sha256: key.sha256,
        login_version: 1,
        login_salt: '',
        login_hash: '',
        encrypted_private_key: '{}',
        recovery_hash: '',
        recovery_private_key: '{}',
        totp_secret: null,
        totp_enabled_at: null,
        totp_begun_at: null,
        totp_last_step: 0,
        epoch: 1,
        created_at: at,
        region: null,
        deleted_at: null,
      });
      this.insert('connections', {
        company_id: service.company.id,
        service_id: service.id,
        id: connectionId,
        customer_id: personId,
        customer_type: 'person',
        connected_at: at,
        group_id: null,
        request_version: version,
      });
      for (const [position, rowId] of Object.values(service.rows).entries()) {
        this.insert('slot_values', {
          company_id: service.company.id,
          connection_id: connectionId,
          request_field_id: rowId,
          field_id: this.ids.uuid(),
          live: 1,
          value: value(index, position),
          private: 0,
          verification: null,
          updated_at: at,
          field_version: 1,
          registration: null,
        });
      }
      made.push({ connectionId, personId, shareCode });
    }
    this.#database
      .prepare('update services set connection_count = connection_count + ? where id = ?')
      .run(count, service.id);
    return made;
  }

  [Symbol.dispose](): void {
    this.#database.exec('commit');
    // What follows measures queries, not the checkpoint of what was seeded.
    this.#database.exec('pragma wal_checkpoint(truncate)');
    this.#database.close();
  }
}
