import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../core/clock.ts';
import type { Timers } from '../../../core/timers.ts';
import { type Database, lock, type Writer } from '../../../db/database.ts';
import { deleteChunk } from '../../../db/table-registry.ts';
import type { CompanyPart } from '../../identity/ports.ts';
import type { OperatorActs } from '../../operations/journal/operator-acts.ts';
import { cardOf } from '../companies/cards.ts';
import type { Directory } from '../directory/directory.ts';
import type { RegionMessages } from '../messages/messages.ts';
import type { Destination, Manifest, Taken } from './destination.ts';
import type { Hold, Holds } from './hold.ts';
import {
  changeMove,
  companyById,
  deleteChunks,
  departSessions,
  dropRegistrations,
  makeCard,
  needsOf,
  parkedRows,
  registerSlots,
  sealedTexts,
  serviceIdsOf,
  setLifted,
  slotRanges,
  takeMove,
  unfinishedMoves,
} from './store.ts';
import { deleteRows, fingerprintOf, type TableShape } from './table-store.ts';
import type { CompanyMoveRow } from './tables.ts';
import { type Passage, Transfer } from './transfer.ts';

/** An instance that says nothing for so long is dead, and another carries its moves on. */
const WORKER_MS = 30_000;
/** Who finds the company's rows held waits no longer than this (and half the time of a retry of wire 7 on average). */
const HOLD_MS = 60_000;
/** After a hold that was given up, and twice that after the next. */
const PAUSE_MS = 15_000;
const PAUSE_MOST_MS = 10 * 60_000;
/** Passages while the company works: each has less to bring than the one before. */
const PASSAGES_MOST = 5;
/** Fewer stretches than this are brought while the company is held. */
const FEW = 20;
/** Less than blobs are held that nothing names yet. */
const BLOBS_MS = 5 * 60_000;
const TRIES = 5;
const TRY_MS = 300;
const ROWS_AT_ONCE = 5000;
/** After something failed that holds nobody up. */
const RETRY_MS = 5000;
/** And that holds a company up. */
const RETRY_HELD_MS = 1000;
/** Calls that were let in before the switch have ended by then: nothing of the company is written here after it. */
const LAST_CALLS_MS = 120_000;

/** What is told before and after each step: for tests, which fail there. */
export type Steps = (step: string) => Promise<void>;

/** The move is in other hands, or was changed meanwhile; whoever has it goes on. */
class OutOfHand extends Error {}
/** It goes no further for now; the company works on. */
class NotNow extends Error {}

interface Deps {
  readonly database: Database;
  readonly holds: Holds;
  readonly destinationOf: (region: string) => Destination;
  readonly directory: Directory;
  readonly messages: RegionMessages;
  readonly parts: readonly CompanyPart[];
  readonly acts: OperatorActs;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly ownRegion: string;
  readonly worker: string;
  readonly steps?: Steps;
}

/**
 * Moves of companies away from this region. A row says how far each is, and every step may be done twice:
 * - `copying`: everything is brought to the destination while the company works, passage by passage;
 * - `holding`, `held`: nobody writes the company's rows any more, and what changed since is brought;
 * - `activating`: the destination is asked to be the company's home. Before it was asked everything can be taken back, and
 *   is, when anything fails; from here on its answer decides;
 * - `switched`: the company is at home there. Here a card is left, and what nobody can reach any more is deleted;
 * - `done`.
 * `undoing` and `undone` are the way back, open until the destination is asked.
 */
export class Departures {
  readonly #deps: Deps;
  readonly #step: Steps;

  /** @param deps.parts features that count more of a company than its rows, told when those go */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#step = deps.steps ?? (async () => {});
  }

  /** Before anything is delivered: takes up the holds that were on when this process ended. */
  async resume(): Promise<void> {
    for (const move of await unfinishedMoves(this.#deps.database.reader)) {
      if (!HOLDING.includes(move.state)) continue;
      await this.#deps.holds.resume(holdOf(move)).catch((error: unknown) => {
        this.#deps.log.error({ err: error, move: move.id }, 'a company is held, and its deliveries are not');
      });
    }
  }

  /** Carries every move on that is not at its end, as far as it goes now. */
  async run(stopping: AbortSignal = new AbortController().signal): Promise<void> {
    for (const waiting of await unfinishedMoves(this.#deps.database.reader)) {
      if (stopping.aborted) return;
      if (this.#waits(waiting)) continue;
      const { id } = waiting;
      const now = this.#deps.clock.now();
      const move = await this.#deps.database.write((writer) =>
        takeMove(writer, id, { worker: this.#deps.worker, now, until: now + WORKER_MS }),
      );
      if (move !== undefined && !this.#waits(move)) await this.#carryOn(move, stopping);
    }
  }

  async #carryOn(taken: CompanyMoveRow, stopping: AbortSignal): Promise<void> {
    let move = taken;
    try {
      for (let before: string | undefined; move.finished_at === null && move.state !== before; ) {
        before = move.state;
        // A company that is held waits for nobody: only what may take long is put off.
        if (this.#waits(move) || (stopping.aborted && !HOLDING.includes(move.state))) return;
        move = await this.#advance(move, stopping);
      }
    } catch (error) {
      if (error instanceof OutOfHand) return;
      this.#deps.log.error(
        { err: error, move: move.id },
        'a move goes no further for now; it is tried again',
      );
      const reason = reasonOf(error);
      const retryAt = this.#deps.clock.now() + (HOLDING.includes(move.state) ? RETRY_HELD_MS : RETRY_MS);
      await this.#change(move, { reason, retry_at: retryAt }).catch(() => {});
    }
  }

  #waits(move: CompanyMoveRow): boolean {
    return move.retry_at !== null && move.retry_at > this.#deps.clock.now() && move.undo_wanted === 0;
  }

  /** One step; gives the move as it then is. */
  async #advance(move: CompanyMoveRow, stopping: AbortSignal): Promise<CompanyMoveRow> {
    await this.#step(`before ${move.state}`);
    switch (move.state) {
      case 'copying':
        return this.#orLater(move, () => this.#copy(move, stopping));
      case 'holding':
        return this.#orLater(move, () => this.#hold(move));
      case 'held':
        return this.#orLater(move, () => this.#bringTheRest(move));
      case 'activating':
        return this.#activate(move);
      case 'switched':
        return this.#clear(move, stopping);
      case 'undoing':
        return this.#undo(move);
      case 'done':
      case 'undone':
        return move;
    }
  }

  /** Before the destination is asked, what fails is taken back and begun again later. */
  async #orLater(move: CompanyMoveRow, work: () => Promise<CompanyMoveRow>): Promise<CompanyMoveRow> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OutOfHand) throw error;
      this.#deps.log.warn({ err: error, move: move.id, state: move.state }, 'a move is begun again later');
      return this.#giveUpHold(move, reasonOf(error));
    }
  }

  /** Lets the company work on; what was brought stays there for the next attempt. */
  async #giveUpHold(move: CompanyMoveRow, reason: string): Promise<CompanyMoveRow> {
    const wasHeld = HOLDING.includes(move.state);
    this.#last.delete(move.id);
    const now = this.#deps.clock.now();
    const pause = Math.min(PAUSE_MS * 2 ** Math.min(move.attempts, 10), PAUSE_MOST_MS);
    // In one breath: nobody may ever take a company for held that is not.
    const given = await this.#deps.database.write(async (writer) => {
      const changed = await this.#mine(writer, move, {
        state: 'copying',
        lifted: 1,
        reason,
        retry_at: now + pause,
        ...(move.held_at === null ? {} : { held_at: null, held_ms: now - move.held_at }),
      });
      if (wasHeld) await dropRegistrations(writer, move.company_id);
      return changed;
    });
    if (wasHeld) await this.#deps.holds.end(holdOf(move));
    return given;
  }

  async #copy(move: CompanyMoveRow, stopping: AbortSignal): Promise<CompanyMoveRow> {
    if (move.undo_wanted === 1) return this.#change(move, { state: 'undoing' });
    const destination = this.#deps.destinationOf(move.to_region);
    const shapes = await this.#deps.holds.shapes();
    await this.#prepare(move, destination, shapes);
    await this.#step('prepared');
    let hand = move;
    for (let passage = 1; passage <= PASSAGES_MOST; passage++) {
      const { sent, rows } = await this.#passage(hand, destination, shapes, async () => {
        if (stopping.aborted) throw new OutOfHand();
      });
      hand = await this.#change(hand, { rows_copied: rows });
      await this.#step(`passage ${passage}`);
      await this.#bringBlobs(move, destination);
      if (sent < FEW) break;
    }
    // Durable before anything is held: whoever finds the row in this state knows that something may be.
    return this.#change(
      hand,
      {
        state: 'holding',
        lifted: 0,
        held_at: this.#deps.clock.now(),
        attempts: move.attempts + 1,
        reason: null,
        retry_at: null,
      },
      'undo',
    );
  }

  async #prepare(move: CompanyMoveRow, destination: Destination, shapes: readonly TableShape[]) {
    const { reader } = this.#deps.database;
    const { types } = await needsOf(reader, move.company_id);
    const keys = (await sealedTexts(reader, move.company_id)).map((text) =>
      Number(/^v(\d+):/.exec(text)?.[1]),
    );
    const taken = await destination.prepare(move.id, {
      company_id: move.company_id,
      from: this.#deps.ownRegion,
      attempt: move.attempts,
      tables: fingerprintOf(shapes),
      types,
      keys: [...new Set(keys)],
    });
    if (taken.refused !== undefined) throw new NotNow(taken.refused);
    if (taken.state !== 'staging') throw new NotNow(`The other region has the move as ${taken.state}.`);
  }

  async #passage(
    move: CompanyMoveRow,
    destination: Destination,
    shapes: readonly TableShape[],
    between: () => Promise<void>,
  ): Promise<Passage> {
    const transfer = new Transfer({
      database: this.#deps.database,
      destination,
      move,
      between: async () => {
        await between();
        await this.#stillMine(move);
      },
    });
    return transfer.pass(shapes);
  }

  /** The destination holds them for a while; those that it has just been told of it is not asked to look at again. */
  async #bringBlobs(move: CompanyMoveRow, destination: Destination): Promise<void> {
    const { blobs } = await needsOf(this.#deps.database.reader, move.company_id);
    const now = this.#deps.clock.now();
    const known = this.#blobs.get(move.id);
    const brought =
      known !== undefined && now - known.at < BLOBS_MS ? known : { at: now, hashes: new Set<string>() };
    const missing = blobs.filter((hash) => !brought.hashes.has(hash));
    if (missing.length === 0) return;
    const { state } = await destination.fetchBlobs(move.id, missing);
    if (state !== 'staging') throw new NotNow(`The other region has the move as ${state}.`);
    for (const hash of missing) brought.hashes.add(hash);
    this.#blobs.set(move.id, brought);
  }

  async #hold(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    this.#inTime(move);
    await this.#deps.holds.begin(holdOf(move));
    await this.#step('held');
    return this.#change(move, { state: 'held' }, 'undo');
  }

  async #bringTheRest(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    await this.#deps.holds.resume(holdOf(move));
    const destination = this.#deps.destinationOf(move.to_region);
    const taken = await this.#destinationTakes(move, destination);
    if (taken.state !== 'staging') throw new NotNow(`The other region has the move as ${taken.state}.`);
    const shapes = await this.#deps.holds.shapes();
    const passage = await this.#passage(move, destination, shapes, async () => this.#inTime(move));
    this.#last.set(move.id, { attempt: move.attempts, passage });
    await this.#step('differences brought');
    await this.#bringBlobs(move, destination);
    await this.#deps.database.write(async (writer) => {
      await this.#mine(writer, move);
      await dropRegistrations(writer, move.company_id);
    });
    for await (const range of slotRanges(this.#deps.database.reader, move.company_id)) {
      this.#inTime(move);
      await this.#deps.database.write(async (writer) => {
        await this.#mine(writer, move);
        await registerSlots(writer, move.company_id, range, this.#deps.clock.now());
      });
    }
    await this.#step('slots registered');
    this.#inTime(move);
    return this.#change(move, { state: 'activating', rows_copied: passage.rows }, 'undo');
  }

  /** Has the destination know the attempt: of those before it nothing is taken any more. */
  #destinationTakes(move: CompanyMoveRow, destination: Destination): Promise<Taken> {
    return destination.retract(move.id, move.attempts);
  }

  /** Asks until there is an answer: nobody else knows whether the company is at home there. */
  async #activate(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    await this.#deps.holds.resume(holdOf(move));
    const destination = this.#deps.destinationOf(move.to_region);
    const shapes = await this.#deps.holds.shapes();
    const company = await companyById(this.#deps.database.reader, move.company_id);
    const version = (company?.card_version ?? 0) + 1;
    let taken = await this.#destinationTakes(move, destination);
    if (taken.state === 'staging') {
      // Nobody has written since: another passage would bring nothing, but say what everything comes to.
      const last = this.#last.get(move.id);
      const { tables } =
        last?.attempt === move.attempts
          ? last.passage
          : await this.#passage(move, destination, shapes, async () => {});
      const manifest: Manifest = {
        attempt: move.attempts,
        card_version: version,
        tables,
        parked: await parkedRows(this.#deps.database.reader, move.company_id),
      };
      await this.#step('asking');
      taken = await destination.activate(move.id, manifest);
      // What other regions have to tell arrives within moments, or something is wrong with them.
      for (let tries = 1; taken.soon === true && tries < TRIES; tries++) {
        await new Promise<void>((resolve) => this.#deps.timers.after(TRY_MS, resolve));
        taken = await destination.activate(move.id, manifest);
      }
      await this.#step('asked');
    }
    if (taken.state !== 'active' && taken.state !== 'done') return this.#refused(move, destination, taken);
    const home = await this.#deps.directory.move(move.company_id, {
      from: this.#deps.ownRegion,
      to: move.to_region,
    });
    if (home !== move.to_region) {
      throw new Error(
        `The directory has the company in ${home ?? 'no region'}: it goes on when that is put right.`,
      );
    }
    await this.#step('directory moved');
    return this.#leave(move, version, shapes);
  }

  /** It said no. What it was asked before and has not answered must not be done later either. */
  async #refused(move: CompanyMoveRow, destination: Destination, taken: Taken): Promise<CompanyMoveRow> {
    const after = await destination.retract(move.id, move.attempts + 1);
    if (after.state === 'active' || after.state === 'done') throw new Error('It is the home after all.');
    if (taken.differs === true) {
      await this.#deps.database.write((writer) => deleteChunks(writer, move.id));
    }
    return this.#giveUpHold(move, taken.refused ?? `The other region has the move as ${taken.state}.`);
  }

  /** The company is at home there: here only its card is left, and nothing that anybody can reach. */
  async #leave(
    move: CompanyMoveRow,
    version: number,
    shapes: readonly TableShape[],
  ): Promise<CompanyMoveRow> {
    const { engine } = this.#deps.database;
    const { company_id: companyId, to_region: region } = move;
    const now = this.#deps.clock.now();
    const left = await this.#deps.database.write(async (writer) => {
      const changed = await this.#mine(writer, move, {
        state: 'switched',
        lifted: 1,
        switched_at: now,
        held_ms: now - (move.held_at ?? now),
      });
      await lock(engine, writer, 'companies', [companyId]);
      await lock(engine, writer, 'services', await serviceIdsOf(writer, companyId));
      await departSessions(writer, companyId);
      for (const part of this.#deps.parts) await part.dropForCompany?.(writer, companyId);
      for (const shape of shapes) {
        if (!shape.bulk && shape.frozen && shape.name !== 'companies')
          await deleteRows(writer, shape, companyId);
      }
      await makeCard(writer, companyId, { region, version });
      await this.#announce(writer, companyId);
      await this.#deps.acts.record(writer, {
        act: 'company.moved',
        subject: companyId,
        details: { to: region, move: move.id },
        source: this.#deps.ownRegion,
      });
      await setLifted(writer, move.id, 0);
      return { ...changed, lifted: 0 as const };
    });
    this.#deps.log.info(
      { company: companyId, move: move.id, to: region, heldMs: left.held_ms },
      'company moved',
    );
    this.#last.delete(move.id);
    this.#blobs.delete(move.id);
    await this.#deps.holds.forget(holdOf(move));
    await this.#step('left');
    return left;
  }

  async #announce(writer: Writer, companyId: string): Promise<void> {
    const row = await companyById(writer, companyId);
    if (row === undefined) return;
    await this.#deps.messages.sendToAll(writer, {
      kind: 'company_card',
      subject: companyId,
      body: cardOf(row, this.#deps.ownRegion),
    });
  }

  /** Deletes what nobody can reach any more, and lets go at the end. */
  async #clear(move: CompanyMoveRow, stopping: AbortSignal): Promise<CompanyMoveRow> {
    const { engine } = this.#deps.database;
    for (const shape of await this.#deps.holds.shapes()) {
      if (!shape.bulk) continue;
      const chunk = { table: shape, column: shape.owner };
      for (let deleted = ROWS_AT_ONCE; deleted >= ROWS_AT_ONCE; ) {
        if (stopping.aborted) return move;
        await this.#stillMine(move);
        deleted = await this.#deps.database.write(async (writer) => {
          await this.#mine(writer, move, { lifted: 1 });
          const count = await deleteChunk(engine, writer, chunk, move.company_id, ROWS_AT_ONCE);
          await setLifted(writer, move.id, 0);
          return count;
        });
      }
    }
    await this.#step('cleared');
    await this.#deps.destinationOf(move.to_region).finish(move.id);
    await this.#step('finished there');
    const now = this.#deps.clock.now();
    // Until then the hold refuses what calls from before the switch would still write.
    const lastCalls = (move.switched_at ?? 0) + LAST_CALLS_MS;
    if (now < lastCalls) return this.#change(move, { retry_at: lastCalls, reason: null });
    await this.#deps.database.write((writer) => deleteChunks(writer, move.id));
    await this.#step('let go');
    const done = await this.#change(move, { state: 'done', lifted: 1, finished_at: now });
    await this.#deps.holds.end(holdOf(move));
    return done;
  }

  async #undo(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    const freed = await this.#deps.database.write(async (writer) => {
      const changed = await this.#mine(writer, move, { lifted: 1 });
      await dropRegistrations(writer, move.company_id);
      return changed;
    });
    await this.#deps.holds.end(holdOf(move));
    await this.#step('freed');
    const { state } = await this.#deps.destinationOf(move.to_region).undo(move.id, {
      company_id: move.company_id,
      from: this.#deps.ownRegion,
    });
    // It was never asked to be the home, so it cannot be.
    if (state !== 'undone') throw new Error(`The other region has the move as ${state}.`);
    await this.#step('undone there');
    await this.#deps.database.write((writer) => deleteChunks(writer, move.id));
    const now = this.#deps.clock.now();
    return this.#deps.database.write(async (writer) => {
      const changed = await this.#mine(writer, freed, { state: 'undone', finished_at: now });
      await this.#deps.acts.record(writer, {
        act: 'company.move_undone',
        subject: move.company_id,
        details: { to: move.to_region, move: move.id },
        source: this.#deps.ownRegion,
      });
      return changed;
    });
  }

  /** @throws {NotNow} when the company was held for too long */
  #inTime(move: CompanyMoveRow): void {
    const held = this.#deps.clock.now() - (move.held_at ?? this.#deps.clock.now());
    if (held > HOLD_MS)
      throw new NotNow(`The company would have been held for more than ${HOLD_MS / 1000} s.`);
  }

  /** Keeps the move in these hands. @throws {OutOfHand} */
  async #stillMine(move: CompanyMoveRow): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - (this.#renewed.get(move.id) ?? 0) < WORKER_MS / 6) return;
    this.#renewed.set(move.id, now);
    await this.#change(move, {});
  }
  readonly #renewed = new Map<string, number>();
  /** What the destination has been brought of blobs, and since when. */
  readonly #blobs = new Map<string, { readonly at: number; readonly hashes: Set<string> }>();
  /** What the last passage over a company that is held came to. */
  readonly #last = new Map<string, { readonly attempt: number; readonly passage: Passage }>();

  /**
   * Writes down a step, if nobody else has gone on with the move.
   * @param orElse a move that is to be undone goes that way instead
   */
  async #change(
    move: CompanyMoveRow,
    changes: Partial<CompanyMoveRow>,
    orElse?: 'undo',
  ): Promise<CompanyMoveRow> {
    return this.#deps.database.write(async (writer) => {
      const changed = await this.#mine(writer, move, changes);
      if (orElse === undefined || changed.undo_wanted === 0) return changed;
      return this.#mine(writer, changed, { state: 'undoing' });
    });
  }

  /** Whatever a step does it does only together with this: whoever lost the move does nothing more. @throws {OutOfHand} */
  async #mine(
    writer: Writer,
    move: CompanyMoveRow,
    changes: Partial<CompanyMoveRow> = {},
  ): Promise<CompanyMoveRow> {
    const now = this.#deps.clock.now();
    const worker = { worker_until: now + WORKER_MS, updated_at: now };
    const changed = await changeMove(writer, move, { ...changes, ...worker });
    if (changed === undefined) throw new OutOfHand();
    return changed;
  }
}

/** What an operator is told; a cause says more than "the region does not answer". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  const told = cause?.message === undefined ? (message ?? String(error)) : `${message} ${cause.message}`;
  return told.slice(0, 500);
}

const HOLDING: readonly CompanyMoveRow['state'][] = ['holding', 'held', 'activating'];

const holdOf = (move: CompanyMoveRow): Hold => ({ companyId: move.company_id, moveId: move.id });
