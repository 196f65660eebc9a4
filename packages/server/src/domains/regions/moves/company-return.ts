import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { KeyRing } from '../../../core/key-ring.ts';
import type { Database, Writer } from '../../../db/database.ts';
import { isTaken } from '../../../db/engine-errors.ts';
import { deleteDependents, dependentsOf } from '../../../db/table-registry.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Blobs, OperatorActs } from '../../operations/index.ts';
import { BackupError } from '../../operator/index.ts';
import type { CompanyDeletionHook, Endings } from '../../participation.ts';
import type { PersonDeletion } from '../../people/index.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import { companyById, keysOf, needsOf, parkedRows } from './company-store.ts';
import { copyRows } from './copy.ts';
import { followFields } from './follow-fields.ts';
import { digestOfOthers } from './others.ts';
import { companyNamed, goneCustomers, gonePeople, type KnownPerson, peopleOf } from './return-store.ts';
import { shapesOf, type TableShape } from './table-store.ts';
import { takeRows } from './take-rows.ts';
import { deleteStaged, parkThrough, photoBlobs, stage, takeHome } from './target-store.ts';

interface Deps extends Pick<Core, 'database' | 'ids' | 'tables'> {
  readonly blobs: Blobs;
  readonly registry: Pick<FieldTypeRegistry, 'has'>;
  readonly keys: Pick<KeyRing, 'has'>;
  readonly acts: OperatorActs;
  readonly outbox: Outbox;
  readonly liveSlots: LiveSlots;
  readonly personDeletion: PersonDeletion;
  readonly photos: CompanyDeletionHook;
  readonly endings: Endings;
}

/** A backup that was restored beside this database. */
export interface ReturnSource {
  readonly database: Database;
  readonly createdAt: string;
  /** Hands out those of its files that have one of the hashes. */
  takeBlobs(wanted: ReadonlySet<string>, take: (bytes: Buffer) => Promise<unknown>): Promise<void>;
}

export interface Returned {
  readonly company: string;
  readonly replaced: boolean;
  readonly rows: number;
  /** Rows of all others, which are the same as before. */
  readonly others: number;
  /** People who deleted their accounts since: workers end what the rows say of them. */
  readonly people_gone: number;
  /** Customers that were deleted since: their connections have been ended. */
  readonly companies_gone: number;
  /** Files that neither the backup nor the platform has. */
  readonly files_missing: number;
}

/**
 * Brings one company back from a backup, as a move brings one from another region. Its rows come in one transaction, which is undone
 * where a row of any other company or person would differ afterwards. No process serves meanwhile.
 */
export class CompanyReturn {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @param asked.company id or code of it, as the backup has them
   * @param asked.replace the id of the company, where the rows that are here are to give way
   * @throws {BackupError} with what to do; nothing is changed
   */
  async bring(
    source: ReturnSource,
    asked: { company: string; replace?: string | undefined },
  ): Promise<Returned> {
    const { database, tables, endings } = this.#deps;
    const from = source.database;
    const companyId = await companyNamed(from.reader, asked.company);
    if (companyId === undefined) throw new BackupError(`The backup has no company ${asked.company}.`);
    const there = await companyById(database.reader, companyId);
    if (asked.replace !== undefined && asked.replace !== companyId)
      throw new BackupError(`The backup has that company as ${companyId}: --replace takes this id.`);
    if (there !== undefined && asked.replace === undefined)
      throw new BackupError(`The company is here: --replace ${companyId} puts the backup's in its place.`);
    const shapes = await shapesOf(database, tables);
    const needs = await needsOf(from.reader, companyId);
    this.#assertUsable(needs.types, await keysOf(from, shapes, companyId));
    const missing = await this.#fetchBlobs(source, new Set(needs.blobs));
    const people = await peopleOf(from.reader, shapes, companyId);
    const brought = await database
      .write((writer) => this.#takeIn(writer, source, shapes, { companyId, people }))
      .catch((error: unknown) => {
        if (!isTaken(error)) throw error;
        throw new BackupError('A code or an address of the company belongs to another one now.', {
          cause: error,
        });
      });
    const gone = await goneCustomers(database.reader, companyId);
    for (const id of gone) for (const hook of endings.company) while (await hook.endSharing?.(id));
    return {
      company: companyId,
      replaced: there !== undefined,
      ...brought,
      companies_gone: gone.length,
      files_missing: missing,
    };
  }

  #assertUsable(types: readonly string[], keys: readonly number[]): void {
    const type = types.find((name) => !this.#deps.registry.has(name));
    if (type !== undefined)
      throw new BackupError(`The company uses the field type ${type}, which is not here: add it first.`);
    const key = keys.find((version) => !this.#deps.keys.has(version));
    if (key !== undefined)
      throw new BackupError(
        `Secrets of the company are under key ${key}: add that version to SYMBOLON_SECRET.`,
      );
  }

  /** Keeps the files of the company that are not here. @returns how many are nowhere */
  async #fetchBlobs(source: ReturnSource, wanted: ReadonlySet<string>): Promise<number> {
    let kept = 0;
    const keep = async (bytes: Buffer) => {
      await this.#deps.blobs.keep(bytes);
      kept++;
    };
    if (wanted.size > 0) await source.takeBlobs(wanted, keep);
    return wanted.size - kept;
  }

  async #takeIn(
    writer: Writer,
    { database: from, createdAt }: ReturnSource,
    shapes: readonly TableShape[],
    { companyId, people }: { companyId: string; people: readonly KnownPerson[] },
  ): Promise<Pick<Returned, 'rows' | 'others' | 'people_gone'>> {
    const { acts, blobs, database, ids, personDeletion, photos, tables } = this.#deps;
    const { engine } = database;
    const gone = await gonePeople(engine, writer, people);
    const own = { companyId, people: gone.map(({ id }) => id) };
    const before = await digestOfOthers(engine, writer, tables, own);
    const there = await companyById(writer, companyId);
    await photos.dropForCompany?.(writer, companyId);
    const staying = dependentsOf(tables, 'companies').filter(({ table }) => table.move === 'stays');
    await deleteDependents(engine, writer, staying, { ids: [companyId], companyId });
    for (const person of gone) await personDeletion.endAgain(writer, person);

    const moveId = ids.uuid();
    const copied = await copyRows(shapes, {
      reader: from.reader,
      companyId,
      send: (chunks) => stage(writer, moveId, chunks),
      check: async () => {},
    });
    const staged = { moveId, companyId, tables: copied.tables };
    const differs = await takeRows(engine, writer, shapes, staged);
    if (differs !== undefined) throw new BackupError(differs);
    for (const [webhookId, rows] of Object.entries(await parkedRows(from.reader, companyId)))
      await parkThrough(writer, webhookId, rows);
    await blobs.refer(writer, await photoBlobs(writer, companyId));
    const version = (await companyById(writer, companyId))?.card_version ?? 0;
    await takeHome(writer, companyId, Math.max(version, there?.card_version ?? 0) + 1);
    await followFields(this.#deps, writer, shapes, staged);
    await deleteStaged(writer, moveId);
    await acts.record(writer, {
      act: 'company.restored',
      subject: companyId,
      details: { backup: createdAt, rows: copied.rows, people_gone: gone.length },
      source: '',
      actor: { kind: 'platform', id: '' },
    });
    const after = await digestOfOthers(engine, writer, tables, own);
    let others = 0;
    for (const [name, { rows, sha256 }] of before) {
      const now = after.get(name);
      if (now?.rows !== rows || now.sha256 !== sha256)
        throw new BackupError(`Rows of others in the table ${name} would change: nothing was restored.`);
      others += rows;
    }
    return { rows: copied.rows, others, people_gone: gone.length };
  }
}
