import { limits, type RotationResult, type ServerKeys } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { ConfigError } from '../../../core/config-error.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { KeyRing } from '../../../core/key-ring.ts';
import {
  type EncryptedColumn,
  encryptedColumns,
  type OldRow,
  oldRows,
  replaceStored,
  versionsOf,
} from '../../../db/encrypted-columns.ts';
import { assertSecret, checkName, noteSecret, retireDropped } from '../../../db/key-checks.ts';
import { hashesByVersion } from '../../../db/stored-hashes.ts';
import type { Core } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';

/** Which version encrypts, signs and hashes, for every process of the region. */
const CURRENT = 'keys.current';
/** When that changed last. */
const CHANGED_AT = 'keys.changed_at';
/** After a change processes sign with the version before for a moment. */
const LAG_MS = 60_000;
/** Rows that one transaction replaces: SQLite has one writer, and others wait for it. */
const TRANSACTION_ROWS = 200;
const ROWS_MOST = 1000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'secrets' | 'settings' | 'tables'> {
  readonly keys: KeyRing;
  readonly acts: OperatorActs;
}

/**
 * Changing the server's keys. Phases:
 * 1. a new version of the secret is added to SYMBOLON_SECRET or the data folder, for every process, and can decrypt, verify and
 * compare; 2. the region's setting makes it current, and from then on it encrypts, signs and hashes; 3. rows under older
 * versions are re-encrypted, a batch a call, each compared with what was read; the next call continues after a crash and repeats
 * rows that changed; tokens of older versions expire, and hashes are replaced when their secrets are next shown; 4. an old
 * version that nothing is under can be dropped, the first one too.
 */
export class KeyRotation {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#deps.settings.onChange(() => this.#follow());
  }

  /**
   * At the start of a process, once all tables are known.
   * @throws {ConfigError} when the current version is not here, or the database was written under another secret
   */
  async start(): Promise<void> {
    const { clock, database, keys, settings } = this.#deps;
    const current = settings.get<number>(CURRENT);
    if (current !== undefined && !keys.has(current)) {
      throw new ConfigError(
        `${keys.source} lacks version ${current} of the secret, which is the current one of this region. Add it as ${current}:<base64>.`,
      );
    }
    await assertSecret(database, keys);
    await noteSecret(database, keys, clock);
  }

  /** The versions there are, and what needs each of them. */
  async view(): Promise<ServerKeys> {
    const { keys } = this.#deps;
    const [encrypted, hashes] = [await this.#rowsByVersion(), await this.#hashesByVersion()];
    const versions = [...new Set([...keys.versions, ...encrypted.keys(), ...hashes.keys()])];
    return {
      current: keys.current,
      versions: versions
        .sort((a, b) => a - b)
        .map((version) => ({
          version,
          available: keys.has(version),
          encrypted: encrypted.get(version) ?? 0,
          hashes: hashes.get(version) ?? 0,
          tokens_until: this.#tokensUntil(version),
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
   * Lets go of a version that nothing is under. From SYMBOLON_SECRET the operator removes it afterwards.
   * @param options.force also when hashes or tokens are under it: those secrets and tokens end with it
   * @throws {PlatformError} admin.key_not_found, admin.key_in_use
   */
  async drop(version: number, options: { force: boolean; source: string }): Promise<void> {
    const { acts, database, keys, settings } = this.#deps;
    const { current, versions } = await this.view();
    const found = versions.find((row) => row.version === version && row.available);
    if (found === undefined) throw new PlatformError('admin.key_not_found');
    const { encrypted, hashes, tokens_until } = found;
    const needed = encrypted > 0 || (!options.force && (hashes > 0 || tokens_until !== null));
    if (version === current || needed)
      throw new PlatformError('admin.key_in_use', { details: { encrypted, hashes, tokens_until } });
    await database.write(async (writer) => {
      await settings.set(writer, checkName(version), undefined);
      const details = options.force ? { hashes } : {};
      await acts.record(writer, {
        act: 'key.dropped',
        subject: String(version),
        details,
        source: options.source,
      });
    });
    if (keys.ownsFile) keys.drop(version);
    await settings.reload();
  }

  /** Encrypts rows that are under another version. @returns how many */
  async #reencrypt(version: number, most: number): Promise<number> {
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

  async #change(source: string): Promise<void> {
    const newest = this.#deps.keys.newest;
    const from = this.#deps.keys.current;
    // A key that was added, and whose change then failed, is taken before another is made.
    if (newest <= from && !this.#deps.keys.ownsFile) throw new PlatformError('admin.key_missing');
    const version = newest > from ? newest : this.#deps.keys.add();
    await noteSecret(this.#deps.database, this.#deps.keys, this.#deps.clock);
    await this.#deps.database.write(async (writer) => {
      await this.#deps.settings.set(writer, CURRENT, version);
      await this.#deps.settings.set(writer, CHANGED_AT, this.#deps.clock.now());
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
      for (const { version, rows } of await versionsOf(engine, reader, column))
        if (version !== this.#deps.keys.current) count += rows;
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

  async #hashesByVersion(): Promise<Map<number, number>> {
    const total = new Map<number, number>();
    const { engine, reader } = this.#deps.database;
    for (const table of this.#deps.tables) {
      for (const [version, rows] of await hashesByVersion(engine, reader, table)) {
        total.set(version, (total.get(version) ?? 0) + rows);
      }
    }
    return total;
  }

  /** When the last token of a version expires; null when none is valid. The current version signs on without an end. */
  #tokensUntil(version: number): string | null {
    const { clock, keys, settings } = this.#deps;
    const until = (settings.get<number>(CHANGED_AT) ?? 0) + limits.accessTokenSeconds * 1000 + LAG_MS;
    return version === keys.current || until <= clock.now() ? null : isoTime(until);
  }

  async #follow(): Promise<void> {
    await retireDropped(this.#deps.database, this.#deps.keys);
    const current = this.#deps.settings.get<number>(CURRENT) ?? this.#deps.keys.current;
    if (current === this.#deps.keys.current) return;
    try {
      this.#deps.keys.use(current);
    } catch (error) {
      // This process goes on under the key it has; it cannot read what the others write.
      this.#deps.log.error(
        { err: error, key: current },
        'the current version of the secret of this region is missing in this process',
      );
    }
  }
}
