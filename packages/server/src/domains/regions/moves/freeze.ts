import pLimit from 'p-limit';
import { PlatformError } from '../../../core/errors.ts';
import { pollUntil, sleep } from '../../../core/timers.ts';
import { outageOf } from '../../../db/engine-errors.ts';
import type { Core } from '../../domain.ts';
import { serviceIdsOf, webhookIdsOf } from './company-store.ts';
import {
  claimTriggers,
  createTriggers,
  dropTrigger,
  type FrozenCompany,
  freezeTriggers,
  isTriggerOf,
  writeTriggers,
} from './freeze-store.ts';
import { unfinishedMoves } from './store.ts';
import type { TableShape } from './table-store.ts';
import type { CompanyMoveRow } from './tables.ts';

/** The right to deliver the events of a webhook. */
interface Lease {
  release(): Promise<void>;
}

/** What a freeze needs of feeds and webhooks. */
export interface EventDeliveries {
  /** Leases a webhook; undefined while another process has the lease. */
  lease(webhookId: string): Promise<Lease | undefined>;
  /** Asks the owner of the lease to stop. */
  interrupt(webhookId: string): Promise<void>;
  /** Resolves when every delivered event is deleted from its queue. */
  settleDeliveries(): Promise<void>;
  /** Refuses drains of these feeds in this process. */
  pauseFeeds(feeds: readonly string[]): void;
  resumeFeeds(feeds: readonly string[]): void;
  /** Whether every drain of these feeds has ended, confirmed or not. */
  feedsSettled(feeds: readonly string[]): Promise<boolean>;
}

/** Events on their way have this long to arrive: one slow client must not block the company for long. */
const SETTLE_MS = 15_000;
const POLL_MS = 20;

/** Events on their way did not settle in time; nothing is frozen. */
class NotSettled extends Error {
  override readonly name = 'NotSettled';
}

/** What this process itself has stopped for a frozen company. */
interface Stopped {
  readonly feeds: readonly string[];
  readonly leases: Map<string, Lease>;
}

interface Deps extends Pick<Core, 'database' | 'log' | 'timers'> {
  readonly shapes: () => Promise<readonly TableShape[]>;
  readonly deliveries: EventDeliveries;
}

/**
 * Freezes a company: its rows cannot be written until it thaws. Phases:
 * 1. no drain and no delivery of its events begins, and those that have begun are confirmed, so that no event is delivered
 *    twice;
 * 2. triggers refuse every write of its rows, in all processes, for as long as the row of the move says so. Creating them
 *    waits for open transactions. No call is answered with success whose write came after the last trigger.
 */
export class Freezer {
  readonly #deps: Deps;
  readonly #stopped = new Map<string, Stopped>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Call it when the row of the move says that the company is frozen. May be repeated. @throws {NotSettled} */
  async freeze(company: FrozenCompany): Promise<void> {
    await this.#stopDeliveries(company);
    await this.#createAll(
      (await this.#deps.shapes()).filter(({ frozen }) => frozen),
      company,
      (shape) => [...writeTriggers(shape, company), ...claimTriggers(shape, company)],
    );
    const leases = this.#stopped.get(company.moveId)?.leases;
    const webhooks = await webhookIdsOf(this.#deps.database.reader, company.companyId);
    // A webhook added since then may be delivering.
    if (webhooks.some((id) => leases?.has(id) !== true)) throw new NotSettled('A webhook was added.');
  }

  /** After a restart: stops again what was stopped in the memory of the only process. */
  async resume(company: FrozenCompany): Promise<void> {
    if (this.#deps.database.engine === 'postgres' || this.#stopped.has(company.moveId)) return;
    await this.#stopDeliveries(company);
  }

  /** Call it when the row of the move says that the company is not frozen any more. */
  async thaw(company: FrozenCompany): Promise<void> {
    await this.resumeDeliveries(company);
    await this.#dropTriggers((name) => isTriggerOf(name, company.moveId));
  }

  /** Drops triggers that finished moves left. */
  async dropOldTriggers(): Promise<void> {
    const moves = await unfinishedMoves(this.#deps.database.reader);
    await this.#dropTriggers((name) => !moves.some((move) => isTriggerOf(name, move.id)));
  }

  /** Releases what this process has stopped; the triggers stay. */
  async resumeDeliveries({ moveId }: FrozenCompany): Promise<void> {
    const stopped = this.#stopped.get(moveId);
    if (stopped === undefined) return;
    this.#stopped.delete(moveId);
    this.#deps.deliveries.resumeFeeds(stopped.feeds);
    for (const lease of stopped.leases.values()) {
      await lease.release().catch((error: unknown) => {
        this.#deps.log.error({ err: error, move: moveId }, 'webhook lease not released; it expires');
      });
    }
  }

  /** A trigger that cannot be dropped now refuses nothing, because its move says so; it is dropped later. */
  async #dropTriggers(which: (name: string) => boolean): Promise<void> {
    const { engine, reader } = this.#deps.database;
    const triggers = (await freezeTriggers(engine, reader)).filter(({ name }) => which(name));
    for (const trigger of triggers) {
      try {
        await this.#withRetry(DROP_ATTEMPTS, () =>
          this.#deps.database.write((writer) => dropTrigger(engine, writer, trigger)),
        );
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        this.#deps.log.info(
          { trigger: trigger.name },
          'trigger of a company move not dropped; retried later',
        );
      }
    }
  }

  async #stopDeliveries(company: FrozenCompany): Promise<void> {
    const { timers, database, deliveries } = this.#deps;
    const feeds = [...(await serviceIdsOf(database.reader, company.companyId)), company.companyId];
    const stopped = this.#stopped.get(company.moveId) ?? { feeds, leases: new Map<string, Lease>() };
    this.#stopped.set(company.moveId, stopped);
    deliveries.pauseFeeds(stopped.feeds);
    const changes = (await this.#deps.shapes()).find((shape) => shape.name === 'changes');
    if (changes !== undefined)
      await this.#create([changes], company, (shape) => claimTriggers(shape, company));
    const pace = { everyMs: POLL_MS, mostMs: SETTLE_MS };
    const settled = await pollUntil(timers, pace, async () => {
      const leased = await this.#leaseWebhooks(company, stopped.leases);
      return leased && (await deliveries.feedsSettled(stopped.feeds));
    });
    if (!settled) throw new NotSettled('Events on their way were not confirmed within 15 s.');
    if (stopped.leases.size > 0) await deliveries.settleDeliveries();
  }

  /** Returns whether this process has the leases of all webhooks. */
  async #leaseWebhooks(company: FrozenCompany, leases: Map<string, Lease>): Promise<boolean> {
    const ids = await webhookIdsOf(this.#deps.database.reader, company.companyId);
    for (const id of ids) {
      if (leases.has(id)) continue;
      const lease = await this.#deps.deliveries.lease(id);
      if (lease === undefined) await this.#deps.deliveries.interrupt(id);
      else leases.set(id, lease);
    }
    return ids.every((id) => leases.has(id));
  }

  /** Creates the triggers of all these tables; none is being created any more when it throws. */
  async #createAll(
    shapes: readonly TableShape[],
    company: FrozenCompany,
    triggersOf: TriggersOf,
  ): Promise<void> {
    const { together, atOnce } = PACE[this.#deps.database.engine];
    const limit = pLimit(atOnce);
    const groups = Array.from({ length: Math.ceil(shapes.length / together) }, (_, index) =>
      shapes.slice(index * together, (index + 1) * together),
    );
    const outcomes = await Promise.allSettled(
      groups.map((group) => limit(() => this.#create(group, company, triggersOf))),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** In one transaction. */
  async #create(
    shapes: readonly TableShape[],
    company: FrozenCompany,
    triggersOf: TriggersOf,
  ): Promise<void> {
    const { engine, write } = this.#deps.database;
    await this.#withRetry(LOCK_ATTEMPTS, () =>
      write(async (writer) => {
        for (const shape of shapes) await createTriggers(engine, writer, shape, company, triggersOf(shape));
      }),
    );
  }

  /** PostgreSQL gives up a lock after a while, so that other writers get their turn; then it is tried again. */
  async #withRetry(most: number, work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!isLockTimeout(error) || attempt >= most) throw error;
        await sleep(this.#deps.timers, POLL_MS * attempt);
      }
    }
  }
}

const LOCK_ATTEMPTS = 10;
/** A sweep drops later what is held for longer. */
const DROP_ATTEMPTS = 3;

/**
 * Tables that get their triggers in one transaction, and transactions at once. On SQLite each one is a sync of the disk, and everybody waits for
 * its end; on PostgreSQL each is about one table, and what costs is the way there.
 */
const PACE = { sqlite: { together: 12, atOnce: 1 }, postgres: { together: 1, atOnce: 6 } } as const;

type TriggersOf = (shape: TableShape) => ReturnType<typeof writeTriggers>;

/** Whether others held the table for too long: `write` refuses that as `db.writes_paused`. */
const isLockTimeout = (error: unknown) => error instanceof PlatformError && outageOf(error.cause) === 'busy';

/** The company that a move freezes. */
export const frozenBy = (move: CompanyMoveRow): FrozenCompany => ({
  companyId: move.company_id,
  moveId: move.id,
});

export type { FrozenCompany } from './freeze-store.ts';
