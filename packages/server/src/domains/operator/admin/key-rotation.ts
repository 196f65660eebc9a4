import type { EncryptionKeys, RotationResult } from '@symbolon/protocol';
import { ConfigError } from '../../../core/config.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { KeyRing } from '../../../core/key-ring.ts';
import type { Core } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';
import {
  type EncryptedColumn,
  encryptedColumns,
  type OldRow,
  oldRows,
  replaceStored,
  versionsOf,
} from './store.ts';

/** Which version encrypts, for every process of the region. */
const CURRENT = 'keys.current';
/** Set once every stored text is bound to its place: one that is not is refused from then on. */
const BOUND = 'keys.bound';
/** Rows that one transaction replaces: SQLite has one writer, and others wait for it. */
const TRANSACTION_ROWS = 200;
const ROWS_MOST = 1000;

interface Deps extends Pick<Core, 'database' | 'log' | 'secrets' | 'settings' | 'tables'> {
  readonly keys: KeyRing;
  readonly acts: OperatorActs;
}

/**
 * Changing the key-encryption key. Phases:
 * 1. the new key is added to SYMBOLON_SECRET or the data folder, for every process, and can decrypt; 2. the region's setting
 * makes it current, and from then on it encrypts; 3. rows under older keys are re-encrypted, a batch a call, each compared
 * with what was read; the next call continues after a crash and repeats rows that changed; 4. an old key that no row is
 * under can be dropped.
 */
export class KeyRotation {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#deps.settings.onChange(() => this.#follow());
  }

  /**
   * At the start of a process.
   * @throws {ConfigError} when the key that the region encrypts under is not here
   */
  check(): void {
    const current = this.#deps.settings.get<number>(CURRENT) ?? 1;
    if (!this.#deps.keys.has(current)) {
      throw new ConfigError(
        `SYMBOLON_SECRET lacks key ${current}, under which this region encrypts. Add ${current}:<key> to it.`,
      );
    }
  }

  async view(): Promise<EncryptionKeys> {
    const rows = await this.#rowsByVersion();
    const versions = [...new Set([...this.#deps.keys.versions, ...rows.keys()])].sort((a, b) => a - b);
    return {
      current: this.#deps.keys.current,
      versions: versions.map((version) => ({
        version,
        available: this.#deps.keys.has(version),
        rows: rows.get(version) ?? 0,
      })),
    };
  }

  /**
   * Changes to a newer key, unless the last change is not finished, and re-encrypts rows under it.
   * @throws {PlatformError} admin.key_missing when SYMBOLON_SECRET has no newer key
   */
  async rotate(options: { batch?: number | undefined; source: string }): Promise<RotationResult> {
    if ((await this.#remaining()) === 0) await this.#change(options.source);
    const done = await this.#reencrypt(this.#deps.keys.current, options.batch ?? ROWS_MOST);
    return { current: this.#deps.keys.current, re_encrypted: done, remaining: await this.#remaining() };
  }

  /**
   * Lets go of a key that nothing is under.
   * @throws {PlatformError} admin.key_configured, admin.key_not_found, admin.key_in_use
   */
  async drop(version: number, source: string): Promise<void> {
    if (!this.#deps.keys.ownsFile) throw new PlatformError('admin.key_configured');
    if (!this.#deps.keys.versions.includes(version)) throw new PlatformError('admin.key_not_found');
    const used = (await this.#rowsByVersion()).get(version) ?? 0;
    if (version === 1 || version === this.#deps.keys.current || used > 0)
      throw new PlatformError('admin.key_in_use');
    await this.#deps.database.write((writer) =>
      this.#deps.acts.record(writer, { act: 'key.dropped', subject: String(version), source }),
    );
    this.#deps.keys.drop(version);
  }

  /**
   * Binds the stored texts of older versions to their places, and once none is left, refuses them: a copy from an old backup
   * must not be taken for the text of another row. Does nothing after that.
   */
  async bindAll(stopping: AbortSignal): Promise<void> {
    if (this.#deps.settings.get<boolean>(BOUND) === true) return;
    while (!stopping.aborted) {
      const done = await this.#reencrypt(undefined, TRANSACTION_ROWS);
      if (done > 0) this.#deps.log.info({ rows: done }, 'encrypted texts bound to their places');
      if (await this.#allBound()) {
        await this.#deps.database.write((writer) => this.#deps.settings.set(writer, BOUND, true));
        return this.#deps.settings.reload();
      }
      // What is left is frozen by a move or was changed meanwhile: the next sweep tries again.
      if (done === 0) return;
    }
  }

  /** @param version those under another; undefined: only texts that are bound to no place. @returns how many rows */
  async #reencrypt(version: number | undefined, most: number): Promise<number> {
    let done = 0;
    for (const column of encryptedColumns(this.#deps.tables)) {
      let after = '';
      while (done < most) {
        const page = { version, after, most: Math.min(TRANSACTION_ROWS, most - done) };
        const rows = await oldRows(this.#deps.database.reader, column, page);
        if (rows.length === 0) break;
        after = rows.at(-1)?.id ?? after;
        // Before the transaction: it holds database work alone.
        const replaced = rows.map((row) => ({
          key: row.key,
          before: row.stored,
          after: this.#again(column, row),
        }));
        done += await this.#deps.database.write(async (writer) => {
          let count = 0;
          for (const row of replaced) if (await replaceStored(writer, column, row)) count++;
          return count;
        });
      }
    }
    return done;
  }

  async #allBound(): Promise<boolean> {
    const { engine, reader } = this.#deps.database;
    for (const column of encryptedColumns(this.#deps.tables)) {
      if ((await versionsOf(engine, reader, column)).some(({ bound }) => !bound)) return false;
    }
    return true;
  }

  async #change(source: string): Promise<void> {
    const newest = Math.max(...this.#deps.keys.versions);
    const from = this.#deps.keys.current;
    // A key that was added, and whose change then failed, is taken before another is made.
    if (newest <= from && !this.#deps.keys.ownsFile) throw new PlatformError('admin.key_missing');
    const version = newest > from ? newest : this.#deps.keys.add();
    await this.#deps.database.write(async (writer) => {
      await this.#deps.settings.set(writer, CURRENT, version);
      await this.#deps.acts.record(writer, {
        act: 'key.changed',
        subject: String(version),
        details: { from },
        source,
      });
    });
    await this.#deps.settings.reload();
  }

  #again({ table, column }: EncryptedColumn, { key, stored }: OldRow): string {
    const place = { table, column, id: key };
    const plaintext = this.#deps.secrets.decrypt(stored, place);
    try {
      return this.#deps.secrets.encrypt(plaintext, place);
    } finally {
      plaintext.fill(0);
    }
  }

  async #remaining(): Promise<number> {
    let count = 0;
    const { engine, reader } = this.#deps.database;
    for (const column of encryptedColumns(this.#deps.tables)) {
      for (const { version, bound, rows } of await versionsOf(engine, reader, column))
        if (version !== this.#deps.keys.current || !bound) count += rows;
    }
    return count;
  }

  async #rowsByVersion(): Promise<Map<number, number>> {
    const total = new Map<number, number>();
    const { engine, reader } = this.#deps.database;
    for (const column of encryptedColumns(this.#deps.tables)) {
      for (const { version, rows } of await versionsOf(engine, reader, column)) {
        total.set(version, (total.get(version) ?? 0) + rows);
      }
    }
    return total;
  }

  #follow(): void {
    if (this.#deps.settings.get<boolean>(BOUND) === true) this.#deps.secrets.refuseUnbound();
    const current = this.#deps.settings.get<number>(CURRENT) ?? 1;
    if (current === this.#deps.keys.current) return;
    try {
      this.#deps.keys.use(current);
    } catch (error) {
      // This process goes on under the key it has; it cannot read what the others write.
      this.#deps.log.error(
        { err: error, key: current },
        'SYMBOLON_SECRET lacks the current encryption key of the region',
      );
    }
  }
}
