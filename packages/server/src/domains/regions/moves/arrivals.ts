import type { Clock } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Database, Writer } from '../../../db/database.ts';
import type { Table } from '../../../db/table-registry.ts';
import { type Outbox, type RaisedEvent, WEBHOOK_CHANNEL } from '../../../events/outbox.ts';
import type { Blobs } from '../../operations/blobs/blobs.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import type { OperatorActs } from '../../operations/journal/operator-acts.ts';
import type { LiveRegistry } from '../../registry/live-registry.ts';
import type { LiveSlots } from '../../sharing/connections/live-slots.ts';
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
  settleRegistrations,
  stage,
  staleArrivals,
  takeHome,
  unknownCustomers,
} from './arrival-store.ts';
import type { Announcement, Chunk, Manifest, Taken } from './destination.ts';
import { type Row, RowDigest, sha256, type TableDigest } from './digest.ts';
import { companyById, webhookIdsOf } from './store.ts';
import {
  breath,
  deleteRows,
  fieldsApart,
  fingerprintOf,
  insertStaged,
  partsOf,
  readStretch,
  shapesOf,
  type TableShape,
} from './table-store.ts';
import type { CompanyArrivalRow } from './tables.ts';

/** Ends a transaction that must leave nothing behind; what it says is an answer. */
class Refusal extends Error {
  readonly answer: Taken;
  constructor(answer: Taken) {
    super(answer.refused);
    this.answer = answer;
  }
}

const NONE: Taken = { state: 'none' };

const notYet = (what: string) =>
  new Refusal({ state: 'staging', soon: true, refused: `${what} not known in the other region yet.` });

/** An arrival of which nothing was heard for so long is asked about. */
const STALE_MS = 60 * 60_000;

interface Deps {
  readonly database: Database;
  readonly tables: readonly Table[];
  readonly blobs: Blobs;
  readonly registry: Pick<LiveRegistry, 'has'>;
  readonly hasKey: (version: number) => boolean;
  readonly audit: Audit;
  readonly acts: OperatorActs;
  readonly clock: Clock;
  readonly fetch: (from: string, moveId: string, hash: string) => Promise<Buffer>;
  readonly ask: (from: string, moveId: string) => Promise<string>;
  readonly liveSlots: Pick<LiveSlots, 'follow' | 'drop'>;
  readonly outbox: Outbox;
}

/**
 * Companies that come from other regions. What arrives is staged, where nothing looks for it, until the source holds the
 * company still and everything it has is here. Then all of it takes its place at once, is compared with what the source has,
 * and the company is at home here, in one transaction: until that commits nothing of it was ever here.
 */
export class Arrivals {
  readonly #deps: Deps;
  #shapes: Promise<readonly TableShape[]> | undefined;

  /**
   * @param deps.hasKey whether a version of the key-encryption key is here
   * @param deps.fetch a blob of the company, from the source
   * @param deps.ask how far the source is with a move; `none` when it does not have it any more
   */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async prepare(id: string, asked: Announcement): Promise<Taken> {
    const lacks = await this.#lacks(asked);
    const now = this.#deps.clock.now();
    return this.#deps.database.write(async (writer) => {
      const known = await lockedArrival(this.#deps.database.engine, writer, id);
      if (known !== undefined && known.state !== 'staging') return { state: known.state };
      const refused = lacks ?? (await this.#occupied(writer, id, asked.company_id));
      if (refused !== undefined) return { state: known?.state ?? 'none', refused };
      await putArrival(writer, {
        id,
        company_id: asked.company_id,
        from_region: asked.from,
        state: 'staging',
        attempt: Math.max(asked.attempt, known?.attempt ?? 0),
        created_at: now,
        updated_at: now,
      });
      return { state: 'staging' };
    });
  }

  /** What must be here, and is not, for the company to be at home here. */
  async #lacks({ tables, types, keys }: Announcement): Promise<string | undefined> {
    const own = fingerprintOf(await this.#tables());
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

  async #occupied(writer: Writer, id: string, companyId: string): Promise<string | undefined> {
    const company = await companyById(writer, companyId);
    if (company?.region === null) return 'The company is at home in the other region.';
    if (await arrivesOtherwise(writer, companyId, id)) return 'The company is arriving in the other region.';
    if (await isLeaving(writer, companyId)) return 'The other region is not done with the move before this.';
    return undefined;
  }

  /** @throws {PlatformError} request.malformed for a chunk that is not what it says */
  async stage(id: string, chunk: Chunk): Promise<Taken> {
    const rows = sha256(chunk.content) === chunk.sha256 ? parseRows(chunk.content) : undefined;
    if (rows?.length !== chunk.rows) throw new PlatformError('request.malformed');
    return this.#deps.database.write(async (writer) => {
      const arrival = await lockedArrival(this.#deps.database.engine, writer, id);
      if (arrival?.state !== 'staging') return { state: arrival?.state ?? 'none' };
      const { table, chunk: number, content } = chunk;
      await stage(writer, { move_id: id, table_name: table, chunk: number, content });
      return { state: 'staging' };
    });
  }

  async fetchBlobs(id: string, hashes: readonly string[]): Promise<Taken> {
    const arrival = await arrivalById(this.#deps.database.reader, id);
    if (arrival?.state !== 'staging') return { state: arrival?.state ?? 'none' };
    for (const hash of hashes) {
      // Both look at the hash; what is here already is held anew until the rows that name it are.
      const bytes = await this.#deps.blobs
        .read(hash)
        .catch(() => this.#deps.fetch(arrival.from_region, id, hash));
      if ((await this.#deps.blobs.keep(bytes)) !== hash) throw new Error(`Blob ${hash} arrived damaged.`);
    }
    return { state: 'staging' };
  }

  async activate(id: string, manifest: Manifest): Promise<Taken> {
    const shapes = await this.#tables();
    try {
      return await this.#deps.database.write(async (writer) => {
        const arrival = await lockedArrival(this.#deps.database.engine, writer, id);
        if (arrival === undefined) return NONE;
        if (arrival.state !== 'staging') return { state: arrival.state };
        if (arrival.attempt !== manifest.attempt) {
          return { state: 'staging', refused: 'That attempt was given up.' };
        }
        await this.#takeIn(writer, arrival, manifest, shapes);
        return { state: 'active' };
      });
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }

  async #takeIn(
    writer: Writer,
    arrival: CompanyArrivalRow,
    manifest: Manifest,
    shapes: readonly TableShape[],
  ): Promise<void> {
    const { id, company_id: companyId, from_region: from } = arrival;
    const { engine } = this.#deps.database;
    for (const shape of shapes) {
      // The card, its code, and nothing else: a company that was at home here before left no row.
      await deleteRows(writer, shape, companyId);
      await insertStaged(engine, writer, shape, {
        moveId: id,
        chunks: manifest.tables[shape.name]?.chunks ?? 0,
      });
    }
    for (const shape of shapes) {
      const here = await digestOf(writer, shape, companyId);
      const there = manifest.tables[shape.name];
      if (here.rows !== there?.rows || here.sha256 !== there.sha256) {
        throw new Refusal({
          state: 'staging',
          differs: true,
          refused: `Table ${shape.name} has ${here.rows} rows where it should have ${there?.rows}, or other ones.`,
        });
      }
    }
    if ((await unknownCustomers(writer, companyId)) > 0) throw notYet('Customers of the company are');
    for (const [webhookId, rows] of Object.entries(manifest.parked)) {
      await parkThrough(writer, webhookId, rows);
    }
    await settleRegistrations(writer, companyId, from);
    await deleteDepartedOf(writer, companyId);
    await this.#deps.blobs.refer(writer, await photoBlobs(writer, companyId));
    await takeHome(writer, companyId, manifest.card_version);
    await this.#followFields(writer, arrival, manifest, shapes);
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

  /**
   * Slots show of the fields that they follow what is known of those where they are. Of two regions, either may have heard
   * first of a change: what this one knew already, the slots are still to be told; what it does not know yet will be told
   * to them when it comes.
   */
  async #followFields(
    writer: Writer,
    { id, company_id: companyId }: CompanyArrivalRow,
    manifest: Manifest,
    shapes: readonly TableShape[],
  ): Promise<void> {
    const shape = shapes.find(({ name }) => name === 'slot_values');
    if (shape === undefined) return;
    const chunks = manifest.tables[shape.name]?.chunks ?? 0;
    const where = { moveId: id, companyId, chunks };
    const events: RaisedEvent[] = [];
    for (const state of await fieldsApart(this.#deps.database.engine, writer, shape, where)) {
      const { person_id: personId, field_id: fieldId, version, updated_at } = state;
      if (version === null || updated_at === null) {
        // A field that a home does not have is deleted; a field that is not known here may also be a new one.
        if (state.home !== null) throw notYet('Fields of its customers are');
        events.push(...(await this.#deps.liveSlots.drop(writer, { personId, fieldId })));
      } else if (updated_at >= state.known_updated_at) {
        const field = { person_id: personId, id: fieldId };
        const { known_version, known_private, known_verification } = state;
        const before = { version: known_version, private: known_private, verification: known_verification };
        const after = { version, private: state.private ?? known_private, verification: state.verification };
        events.push(
          ...(await this.#deps.liveSlots.follow(writer, {
            before: { ...field, ...before },
            after: { ...field, ...after },
            copies: [],
          })),
        );
      }
    }
    await this.#deps.outbox.raise(writer, events);
  }

  /** Ends what its source has ended without being able to say so. */
  async sweep(): Promise<void> {
    const before = this.#deps.clock.now() - STALE_MS;
    for (const { id, company_id, from_region: from, state } of await staleArrivals(
      this.#deps.database.reader,
      before,
    )) {
      // A region that does not answer is asked next time.
      const there = await this.#deps.ask(from, id).catch(() => undefined);
      if (state === 'staging' && (there === 'none' || there === 'undone')) {
        await this.undo(id, { company_id, from });
      } else if (state === 'active' && (there === 'none' || there === 'done')) await this.finish(id);
    }
  }

  async retract(id: string, attempt: number): Promise<Taken> {
    return this.#change(id, (writer, arrival) =>
      putArrival(writer, { ...arrival, attempt: Math.max(attempt, arrival.attempt) }),
    );
  }

  async undo(id: string, whose: { company_id: string; from: string }): Promise<Taken> {
    const now = this.#deps.clock.now();
    return this.#deps.database.write(async (writer) => {
      const known = await lockedArrival(this.#deps.database.engine, writer, id);
      if (known !== undefined && known.state !== 'staging') return { state: known.state };
      // Also of a move that never got here: what was sent before and comes late then finds it undone.
      await putArrival(writer, {
        id,
        company_id: whose.company_id,
        from_region: whose.from,
        state: 'undone',
        attempt: known?.attempt ?? 0,
        created_at: now,
        updated_at: now,
      });
      await deleteStaged(writer, id);
      return { state: 'undone' };
    });
  }

  async finish(id: string): Promise<Taken> {
    return this.#deps.database.write(async (writer) => {
      const arrival = await lockedArrival(this.#deps.database.engine, writer, id);
      if (arrival?.state !== 'active') return { state: arrival?.state ?? 'none' };
      await deleteStaged(writer, id);
      await putArrival(writer, { ...arrival, state: 'done', updated_at: this.#deps.clock.now() });
      return { state: 'done' };
    });
  }

  /** Changes an arrival that is staged; gives the state in which it was. */
  #change(id: string, change: (writer: Writer, arrival: CompanyArrivalRow) => Promise<void>): Promise<Taken> {
    return this.#deps.database.write(async (writer) => {
      const arrival = await lockedArrival(this.#deps.database.engine, writer, id);
      if (arrival === undefined) return NONE;
      if (arrival.state === 'staging') await change(writer, arrival);
      return { state: arrival.state };
    });
  }

  #tables(): Promise<readonly TableShape[]> {
    this.#shapes ??= shapesOf(this.#deps.database, this.#deps.tables);
    return this.#shapes;
  }
}

/** What a table of a company comes to here. */
async function digestOf(writer: Writer, shape: TableShape, companyId: string): Promise<TableDigest> {
  const digest = new RowDigest(shape.apartPlaces, shape.columns.length);
  for (const part of await partsOf(writer, shape, companyId)) {
    for (let after: Row | undefined; ; ) {
      await breath();
      const rows = await readStretch(writer, shape, { companyId, part, after, most: shape.page });
      for (const row of rows) digest.add(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < shape.page) break;
      after = shape.keyPlaces.map((place) => last[place] ?? null);
    }
  }
  return digest.end();
}

function parseRows(content: string): readonly unknown[] | undefined {
  try {
    const rows: unknown = JSON.parse(content);
    return Array.isArray(rows) && rows.every((row) => Array.isArray(row)) ? rows : undefined;
  } catch {
    return undefined;
  }
}
