import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Writer } from '../../../db/database.ts';
import { type Outbox, WEBHOOK_CHANNEL } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Audit, Blobs, OperatorActs } from '../../operations/index.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import { companyById, webhookIdsOf } from './company-store.ts';
import type { Announcement, Chunks, Manifest, MoveAnswer } from './destination.ts';
import { followFields } from './follow-fields.ts';
import { settleRegistrations } from './registration-store.ts';
import { fingerprintOf, type TableShape } from './table-store.ts';
import type { CompanyArrivalRow } from './tables.ts';
import { takeRows } from './take-rows.ts';
import {
  arrivalById,
  arrivesOtherwise,
  deleteDepartedOf,
  deleteStaged,
  isLeaving,
  lockedArrival,
  parkThrough,
  photoBlobs,
  putArrival,
  stage,
  staleArrivals,
  takeHome,
  unknownCustomers,
  unknownEnrolled,
} from './target-store.ts';

/** Rolls a transaction back; its answer goes to the source. */
class Refusal extends Error {
  readonly answer: MoveAnswer;
  constructor(answer: Omit<MoveAnswer, 'state'>) {
    super(answer.refused);
    this.answer = { state: 'staging', ...answer };
  }
}

const notKnownYet = (what: string) =>
  new Refusal({ soon: true, refused: `${what} not known in the other region yet.` });

/** After this long without a request the source is asked how far the move is. */
const STALE_MS = 60 * 60_000;

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly blobs: Blobs;
  readonly registry: Pick<FieldTypeRegistry, 'has'>;
  readonly hasKey: (version: number) => boolean;
  readonly audit: Audit;
  readonly acts: OperatorActs;
  readonly shapes: () => Promise<readonly TableShape[]>;
  readonly fetchBlob: (from: string, moveId: string, hash: string) => Promise<Buffer>;
  readonly stateAtSource: (from: string, moveId: string) => Promise<string>;
  readonly liveSlots: Pick<LiveSlots, 'follow' | 'drop'>;
  readonly outbox: Outbox;
}

/**
 * The destination of moves. Chunks of rows wait in a staging table, which nothing else reads. `activate` inserts all of them,
 * compares every table with the source's manifest and makes this region the company's home, in one transaction.
 */
export class MoveTarget {
  readonly #deps: Deps;

  /**
   * @param deps.hasKey whether this region has a version of the key-encryption key
   * @param deps.fetchBlob reads a blob of the company from the source
   * @param deps.stateAtSource the state of a move at its source; `none` when the source does not know it
   */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async prepare(id: string, asked: Announcement): Promise<MoveAnswer> {
    const missing = await this.#missing(asked);
    const now = this.#deps.clock.now();
    return this.#deps.database.write(async (writer) => {
      const known = await lockedArrival(this.#deps.database.engine, writer, id);
      if (known !== undefined && known.state !== 'staging') return { state: known.state };
      const refused = missing ?? (await this.#conflict(writer, id, asked.company_id));
      if (refused !== undefined) return { state: known?.state ?? 'none', refused };
      await putArrival(writer, {
        id,
        company_id: asked.company_id,
        from_region: asked.from,
        state: 'staging',
        attempt: known?.attempt ?? 0,
        created_at: now,
        updated_at: now,
      });
      return { state: 'staging' };
    });
  }

  /** What this region needs before it can be the company's home. */
  async #missing({ tables, types, keys }: Announcement): Promise<string | undefined> {
    const own = fingerprintOf(await this.#deps.shapes());
    const other = Object.keys({ ...own, ...tables }).find((name) => own[name] !== tables[name]);
    if (other !== undefined) {
      return `Table ${other} is not the same in both regions: bring both to the same version.`;
    }
    const type = types.find((name) => !this.#deps.registry.has(name));
    if (type !== undefined) return `The field type ${type} is not known in the other region: add it there.`;
    const key = keys.find((version) => !this.#deps.hasKey(version));
    if (key !== undefined) return `Key ${key} is not in SYMBOLON_SECRET of the other region: add it there.`;
    return undefined;
  }

  async #conflict(writer: Writer, id: string, companyId: string): Promise<string | undefined> {
    const company = await companyById(writer, companyId);
    if (company?.region === null) return 'The company is at home in the other region.';
    if (await arrivesOtherwise(writer, companyId, id)) return 'The company is arriving in the other region.';
    if (await isLeaving(writer, companyId)) return 'The other region has not finished the move before this.';
    return undefined;
  }

  async startAttempt(id: string, attempt: number): Promise<MoveAnswer> {
    return this.#whileStaging(id, async (writer, arrival) => {
      if (attempt <= arrival.attempt) return;
      await deleteStaged(writer, id);
      await putArrival(writer, { ...arrival, attempt, updated_at: this.#deps.clock.now() });
    });
  }

  async stage(id: string, { attempt, chunks }: Chunks): Promise<MoveAnswer> {
    return this.#whileStaging(id, async (writer, arrival) => {
      refuseOther(attempt, arrival);
      await stage(writer, id, chunks);
    });
  }

  async fetchBlobs(id: string, hashes: readonly string[]): Promise<MoveAnswer> {
    const arrival = await arrivalById(this.#deps.database.reader, id);
    if (arrival?.state !== 'staging') return { state: arrival?.state ?? 'none' };
    for (const hash of hashes) {
      // A blob that is here already is kept again as well, until rows refer to it.
      const here = await this.#deps.blobs.find(hash).catch(() => undefined);
      const bytes = here ?? (await this.#deps.fetchBlob(arrival.from_region, id, hash));
      if ((await this.#deps.blobs.keep(bytes)) !== hash) throw new Error(`Blob ${hash} arrived damaged.`);
    }
    return { state: 'staging' };
  }

  async activate(id: string, manifest: Manifest): Promise<MoveAnswer> {
    const shapes = await this.#deps.shapes();
    const { state, ...answer } = await this.#whileStaging(id, async (writer, arrival) => {
      refuseOther(manifest.attempt, arrival);
      await this.#takeIn(writer, arrival, manifest, shapes);
    });
    return state === 'staging' && answer.refused === undefined ? { state: 'active' } : { state, ...answer };
  }

  async #takeIn(
    writer: Writer,
    arrival: CompanyArrivalRow,
    manifest: Manifest,
    shapes: readonly TableShape[],
  ): Promise<void> {
    const { id, company_id: companyId, from_region: from } = arrival;
    const { engine } = this.#deps.database;
    // The company's card and its code are all that this region has of it.
    const staged = { moveId: id, companyId, tables: manifest.tables };
    const differs = await takeRows(engine, writer, shapes, staged);
    if (differs !== undefined) throw new Refusal({ refused: differs });
    if ((await unknownCustomers(writer, companyId)) > 0) throw notKnownYet('Customers of the company are');
    if ((await unknownEnrolled(writer, companyId)) > 0) throw notKnownYet('People who enrolled with it are');
    for (const [webhookId, rows] of Object.entries(manifest.parked)) {
      await parkThrough(writer, webhookId, rows);
    }
    await settleRegistrations(writer, companyId, from);
    await deleteDepartedOf(writer, companyId);
    await this.#deps.blobs.refer(writer, await photoBlobs(writer, companyId));
    await takeHome(writer, companyId, manifest.card_version);
    if (!(await followFields(this.#deps, writer, shapes, staged)))
      throw notKnownYet('Fields of its customers are');
    const now = this.#deps.clock.now();
    await putArrival(writer, { ...arrival, state: 'active', updated_at: now });
    await this.#deps.audit.record(writer, {
      companyId,
      actor: { kind: 'platform', id: '' },
      action: 'company.moved_in',
      target: companyId,
      details: { from },
    });
    await this.#deps.acts.record(writer, {
      act: 'company.moved_in',
      subject: companyId,
      details: { from, move: id },
      source: from,
    });
    for (const webhookId of await webhookIdsOf(writer, companyId)) {
      await this.#deps.database.notify(writer, WEBHOOK_CHANNEL, webhookId);
    }
  }

  /** Ends arrivals whose source has ended the move and could not say so. */
  async sweep(): Promise<void> {
    const before = this.#deps.clock.now() - STALE_MS;
    for (const { id, company_id, from_region: from, state } of await staleArrivals(
      this.#deps.database.reader,
      before,
    )) {
      // A source that does not answer is asked again next time.
      const there = await this.#deps.stateAtSource(from, id).catch(() => undefined);
      if (state === 'staging' && (there === 'none' || there === 'undone')) {
        await this.undo(id, { company_id, from });
      } else if (state === 'active' && (there === 'none' || there === 'done')) await this.finish(id);
    }
  }

  async undo(id: string, move: { company_id: string; from: string }): Promise<MoveAnswer> {
    const now = this.#deps.clock.now();
    return this.#deps.database.write(async (writer) => {
      const known = await lockedArrival(this.#deps.database.engine, writer, id);
      if (known !== undefined && known.state !== 'staging') return { state: known.state };
      // Written for a move that never came here, too: a late `prepare` is then refused.
      await putArrival(writer, {
        id,
        company_id: move.company_id,
        from_region: move.from,
        state: 'undone',
        attempt: known?.attempt ?? 0,
        created_at: now,
        updated_at: now,
      });
      await deleteStaged(writer, id);
      return { state: 'undone' };
    });
  }

  async finish(id: string): Promise<MoveAnswer> {
    return this.#deps.database.write(async (writer) => {
      const arrival = await lockedArrival(this.#deps.database.engine, writer, id);
      if (arrival?.state !== 'active') return { state: arrival?.state ?? 'none' };
      await deleteStaged(writer, id);
      await putArrival(writer, { ...arrival, state: 'done', updated_at: this.#deps.clock.now() });
      return { state: 'done' };
    });
  }

  /** Does something with an arrival that is staged, and returns the state in which it was. */
  async #whileStaging(
    id: string,
    work: (writer: Writer, arrival: CompanyArrivalRow) => Promise<void>,
  ): Promise<MoveAnswer> {
    try {
      return await this.#deps.database.write(async (writer) => {
        const arrival = await lockedArrival(this.#deps.database.engine, writer, id);
        if (arrival?.state === 'staging') await work(writer, arrival);
        return { state: arrival?.state ?? 'none' };
      });
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }
}

function refuseOther(attempt: number, arrival: CompanyArrivalRow): void {
  if (attempt !== arrival.attempt) throw new Refusal({ refused: 'That attempt was given up.' });
}
