import { sleep } from '../../../core/timers.ts';
import type { Core } from '../../domain.ts';
import type { Directory } from '../directory/directory.ts';
import { deleteRemoteSlotsOfCompany } from '../people/store.ts';
import { companyById, keysOf, needsOf, parkedRows } from './company-store.ts';
import { type Copied, copyRows } from './copy.ts';
import type { Destination, Manifest, MoveAnswer } from './destination.ts';
import { type Freezer, frozenBy } from './freeze.ts';
import type { MoveEndings } from './move-endings.ts';
import { LeaseLost, type MoveLeases } from './move-lease.ts';
import { registerSlots, slotRanges } from './registration-store.ts';
import { unfinishedMoves } from './store.ts';
import { fingerprintOf, type TableShape } from './table-store.ts';
import type { CompanyMoveRow } from './tables.ts';

/**
 * A freeze that lasts longer is given up, unless the destination has been asked to take over: a minute, and a second more for
 * each thousand rows that it has copied. A destination that does not keep up must not block the company for long, and a large
 * company must get there.
 */
const FREEZE_MS = 60_000;
const FREEZE_MS_A_ROW = 1;
/** The pause after an attempt that was given up; it doubles with every attempt. */
const PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** The pause after a failed step, for a company that works and for a frozen one. */
const RETRY_MS = 5000;
const RETRY_FROZEN_MS = 1000;
/** The destination keeps blobs that no row names yet for 15 minutes; after this long it is asked to fetch them again. */
const BLOBS_MS = 5 * 60_000;
/** How often the destination is asked again while it waits for messages from other regions. */
const ACTIVATIONS = 5;
const ACTIVATION_PAUSE_MS = 300;

/** Called before and after each step; tests make it fail there. */
export type Steps = (step: string) => Promise<void>;

/** The attempt is given up and begun again later; the company works on. */
class RetryLater extends Error {}

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'timers'> {
  readonly shapes: () => Promise<readonly TableShape[]>;
  readonly freezer: Freezer;
  readonly leases: MoveLeases;
  readonly endings: MoveEndings;
  readonly destinationOf: (region: string) => Destination;
  readonly directory: Pick<Directory, 'move'>;
  readonly ownRegion: string;
  readonly steps: Steps;
}

/**
 * Moves companies from this region to others. The state of a move is durable before its step begins, and every step may
 * run twice. The states, in the words of the wire:
 * - `copying`: the destination is prepared and fetches the company's photos; the company works;
 * - `holding`: the company is being frozen;
 * - `held`: it is frozen; its rows are copied in one pass;
 * - `activating`: the destination is asked to become the company's home. Until then every failure thaws the company and the
 *   attempt begins again later; from here on the destination's answer decides;
 * - `switched`: the company is at home there; the rows left here are deleted;
 * - `done`.
 * A move that is undone before it is `activating` goes through `undoing` to `undone`.
 */
export class MoveSource {
  readonly #deps: Deps;
  /** The blobs that the destination has, and when it began to fetch them, by move. */
  readonly #blobs = new Map<string, { readonly at: number; readonly hashes: Set<string> }>();
  /** What the current attempt copied, by move. */
  readonly #copied = new Map<string, Copied & { readonly attempt: number }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Call it before anything is delivered: companies that were frozen when this process ended stay frozen. */
  async resume(): Promise<void> {
    for (const move of await unfinishedMoves(this.#deps.database.reader)) {
      if (!FROZEN.includes(move.state)) continue;
      await this.#deps.freezer.resume(frozenBy(move)).catch((error: unknown) => {
        this.#deps.log.error({ err: error, move: move.id }, 'deliveries of a frozen company not stopped');
      });
    }
  }

  /** Takes every unfinished move as far as it goes now. */
  async run(stopping: AbortSignal = new AbortController().signal): Promise<void> {
    for (const waiting of await unfinishedMoves(this.#deps.database.reader)) {
      if (stopping.aborted) return;
      if (this.#isWaiting(waiting)) continue;
      const move = await this.#deps.leases.take(waiting.id);
      if (move !== undefined && !this.#isWaiting(move)) await this.#carryOn(move, stopping);
    }
  }

  async #carryOn(move: CompanyMoveRow, stopping: AbortSignal): Promise<void> {
    let current = move;
    try {
      for (let before: string | undefined; current.finished_at === null && current.state !== before; ) {
        before = current.state;
        // A process that stops still finishes what keeps a company frozen.
        if (this.#isWaiting(current) || (stopping.aborted && !FROZEN.includes(current.state))) return;
        current = await this.#advance(current, stopping);
      }
      if (current.finished_at !== null) this.#forget(current.id);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      this.#deps.log.error(
        { err: error, move: current.id, state: current.state },
        'company move failed; it is retried',
      );
      const pause = FROZEN.includes(current.state) ? RETRY_FROZEN_MS : RETRY_MS;
      const retry = { reason: reasonOf(error), retry_at: this.#deps.clock.now() + pause };
      await this.#deps.leases.change(current, retry).catch(() => {});
    }
  }

  #isWaiting(move: CompanyMoveRow): boolean {
    return move.retry_at !== null && move.retry_at > this.#deps.clock.now() && move.undo_wanted === 0;
  }

  #forget(moveId: string): void {
    this.#blobs.delete(moveId);
    this.#copied.delete(moveId);
    this.#deps.leases.forget(moveId);
  }

  /** Does one step and returns the move after it. */
  async #advance(move: CompanyMoveRow, stopping: AbortSignal): Promise<CompanyMoveRow> {
    await this.#deps.steps(`before ${move.state}`);
    switch (move.state) {
      case 'copying':
        return this.#withRetry(move, () => this.#prepare(move));
      case 'holding':
        return this.#withRetry(move, () => this.#freeze(move));
      case 'held':
        return this.#withRetry(move, () => this.#copy(move));
      case 'activating':
        return this.#activate(move);
      case 'switched':
        return this.#deps.endings.clear(move, this.#deps.destinationOf(move.to_region), stopping);
      case 'undoing':
        return this.#deps.endings.undo(move, this.#deps.destinationOf(move.to_region));
      case 'done':
      case 'undone':
        return move;
    }
  }

  /** Until the destination is asked to take over, a failure ends the attempt. */
  async #withRetry(move: CompanyMoveRow, work: () => Promise<CompanyMoveRow>): Promise<CompanyMoveRow> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const { id, state } = move;
      this.#deps.log.warn(
        { err: error, move: id, state },
        'company move attempt failed; it begins again later',
      );
      return this.#giveUp(move, reasonOf(error));
    }
  }

  /** Ends the attempt: the company thaws, and the move begins again after a pause. */
  async #giveUp(move: CompanyMoveRow, reason: string): Promise<CompanyMoveRow> {
    const wasFrozen = FROZEN.includes(move.state);
    this.#forget(move.id);
    const now = this.#deps.clock.now();
    const pause = Math.min(PAUSE_MS * 2 ** Math.min(move.attempts, 10), LONGEST_PAUSE_MS);
    // One transaction: a row that says frozen always has its triggers.
    const changed = await this.#deps.database.write(async (writer) => {
      const row = await this.#deps.leases.assertOwned(writer, move, {
        state: 'copying',
        lifted: 1,
        reason,
        retry_at: now + pause,
        ...(move.held_at === null ? {} : { held_at: null, held_ms: now - move.held_at }),
      });
      if (wasFrozen) await deleteRemoteSlotsOfCompany(writer, move.company_id);
      return row;
    });
    if (wasFrozen) await this.#deps.freezer.thaw(frozenBy(move));
    return changed;
  }

  async #prepare(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    if (move.undo_wanted === 1) return this.#deps.leases.change(move, { state: 'undoing' });
    const { reader } = this.#deps.database;
    const destination = this.#deps.destinationOf(move.to_region);
    const { types } = await needsOf(reader, move.company_id);
    const keys = await keysOf(this.#deps.database, await this.#deps.shapes(), move.company_id);
    assertStaging(
      await destination.prepare(move.id, {
        company_id: move.company_id,
        from: this.#deps.ownRegion,
        tables: fingerprintOf(await this.#deps.shapes()),
        types,
        keys,
      }),
    );
    await this.#deps.steps('prepared');
    await this.#copyBlobs(move, destination);
    await this.#deps.steps('photos copied');
    // Written before the freeze begins: after a crash this state says that triggers may exist.
    return this.#deps.leases.change(
      move,
      {
        state: 'holding',
        lifted: 0,
        held_at: this.#deps.clock.now(),
        attempts: move.attempts + 1,
        reason: null,
        retry_at: null,
      },
      'or undo',
    );
  }

  /** Makes the destination fetch the blobs of the company that it was not asked to fetch in the last minutes. */
  async #copyBlobs(move: CompanyMoveRow, destination: Destination): Promise<void> {
    const { blobs } = await needsOf(this.#deps.database.reader, move.company_id);
    const now = this.#deps.clock.now();
    const known = this.#blobs.get(move.id);
    const copied = known && now - known.at < BLOBS_MS ? known : { at: now, hashes: new Set<string>() };
    const missing = blobs.filter((hash) => !copied.hashes.has(hash));
    if (missing.length === 0) return;
    assertStaging(await destination.fetchBlobs(move.id, missing));
    for (const hash of missing) copied.hashes.add(hash);
    this.#blobs.set(move.id, copied);
  }

  async #freeze(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    this.#assertInTime(move);
    await this.#deps.freezer.freeze(frozenBy(move));
    await this.#deps.steps('frozen');
    return this.#deps.leases.change(move, { state: 'held' }, 'or undo');
  }

  async #copy(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    const { database, leases, steps } = this.#deps;
    await this.#deps.freezer.resume(frozenBy(move));
    const destination = this.#deps.destinationOf(move.to_region);
    assertStaging(await destination.startAttempt(move.id, move.attempts));
    const copied = await copyRows(await this.#deps.shapes(), {
      reader: database.reader,
      companyId: move.company_id,
      send: async (chunks) =>
        assertStaging(await destination.stage(move.id, { attempt: move.attempts, chunks })),
      check: async (rows) => {
        this.#assertInTime(move, rows);
        await leases.renew(move);
      },
    });
    this.#copied.set(move.id, { ...copied, attempt: move.attempts });
    await steps('rows copied');
    await this.#copyBlobs(move, destination);
    await database.write(async (writer) => {
      await leases.assertOwned(writer, move);
      await deleteRemoteSlotsOfCompany(writer, move.company_id);
    });
    for await (const range of slotRanges(database.reader, move.company_id)) {
      this.#assertInTime(move, copied.rows);
      await database.write(async (writer) => {
        await leases.assertOwned(writer, move);
        await registerSlots(writer, move.company_id, range, this.#deps.clock.now());
      });
    }
    await steps('slots registered');
    this.#assertInTime(move, copied.rows);
    return leases.change(move, { state: 'activating', rows_copied: copied.rows }, 'or undo');
  }

  /** Asks until the destination answers: only its answer says which region is the home. */
  async #activate(move: CompanyMoveRow): Promise<CompanyMoveRow> {
    const { reader } = this.#deps.database;
    await this.#deps.freezer.resume(frozenBy(move));
    const destination = this.#deps.destinationOf(move.to_region);
    const company = await companyById(reader, move.company_id);
    const version = (company?.card_version ?? 0) + 1;
    let answer = await destination.startAttempt(move.id, move.attempts);
    const copied = this.#copied.get(move.id);
    if (answer.state === 'staging' && copied?.attempt === move.attempts) {
      const parked = await parkedRows(reader, move.company_id);
      const { attempt, tables } = copied;
      await this.#deps.steps('asking');
      answer = await this.#ask(move, destination, { attempt, card_version: version, tables, parked });
      await this.#deps.steps('asked');
    }
    if (answer.state !== 'active' && answer.state !== 'done') return this.#refused(move, destination, answer);
    const change = { from: this.#deps.ownRegion, to: move.to_region };
    const home = await this.#deps.directory.move(move.company_id, change);
    if (home !== move.to_region) {
      throw new Error(`The directory has the company in ${home ?? 'no region'}: correct the directory.`);
    }
    await this.#deps.steps('directory moved');
    const left = await this.#deps.endings.leave(move, version);
    this.#forget(move.id);
    await this.#deps.steps('left');
    return left;
  }

  async #ask(move: CompanyMoveRow, destination: Destination, manifest: Manifest): Promise<MoveAnswer> {
    for (let asked = 1; ; asked++) {
      const answer = await destination.activate(move.id, manifest);
      if (answer.soon !== true || asked >= ACTIVATIONS) return answer;
      await sleep(this.#deps.timers, ACTIVATION_PAUSE_MS);
    }
  }

  /** The destination is not the home. A late request of this attempt must not make it the home after the company thaws. */
  async #refused(
    move: CompanyMoveRow,
    destination: Destination,
    answer: MoveAnswer,
  ): Promise<CompanyMoveRow> {
    const { state } = await destination.startAttempt(move.id, move.attempts + 1);
    if (state === 'active' || state === 'done') throw new Error('The destination is the home after all.');
    const { refused } = answer;
    const cut = 'The attempt was interrupted before the other region was asked.';
    return this.#giveUp(move, refused ?? (state === 'staging' ? cut : notStaging(state)));
  }

  /** @throws {RetryLater} when the company has been frozen for too long */
  #assertInTime(move: CompanyMoveRow, rows = 0): void {
    const now = this.#deps.clock.now();
    const most = FREEZE_MS + FREEZE_MS_A_ROW * rows;
    if (now - (move.held_at ?? now) > most) {
      throw new RetryLater(`The company would have been frozen for more than ${Math.round(most / 1000)} s.`);
    }
  }
}

/** @throws {RetryLater} */
function assertStaging({ state, refused }: MoveAnswer): void {
  if (refused !== undefined) throw new RetryLater(refused);
  if (state !== 'staging') throw new RetryLater(notStaging(state));
}

const notStaging = (state: string) => `The other region has the move as ${state}.`;

/** For operators; the cause says more than "the region does not answer". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  const reason = cause?.message === undefined ? (message ?? String(error)) : `${message} ${cause.message}`;
  return reason.slice(0, 500);
}

/** The states in which the company is frozen. */
const FROZEN: readonly CompanyMoveRow['state'][] = ['holding', 'held', 'activating'];
