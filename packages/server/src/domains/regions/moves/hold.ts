import type { FastifyBaseLogger } from 'fastify';
import type { Timers } from '../../../core/timers.ts';
import type { Database } from '../../../db/database.ts';
import type { Table } from '../../../db/table-registry.ts';
import {
  dropTrigger,
  type Hold,
  isOfHold,
  makeTriggers,
  sendingTriggers,
  triggersOfHolds,
  writingTriggers,
} from './hold-store.ts';
import { serviceIdsOf, unfinishedMoves, webhookIdsOf } from './store.ts';
import { shapesOf, type TableShape } from './table-store.ts';

/** The right to send what a webhook's queue holds, as the webhooks give it. */
interface Lease {
  release(): Promise<void>;
}

/** Who sends a company's events on its way out, as far as a hold must have them stop. */
export interface Senders {
  /** The lease of a webhook, or undefined while somebody has it. */
  lease(webhookId: string): Promise<Lease | undefined>;
  /** Asks whoever has the lease to come to an end. */
  interrupt(webhookId: string): Promise<void>;
  /** Resolves when nothing that was delivered is left in a queue. */
  settleDeliveries(): Promise<void>;
  /** Gives out no more rows of these feeds in this process. */
  holdFeeds(feeds: readonly string[]): void;
  freeFeeds(feeds: readonly string[]): void;
  /** Whether nobody has rows of these feeds any more of which it is not known whether they arrived. */
  feedsSettled(feeds: readonly string[]): Promise<boolean>;
}

/** What is on its way has so long to arrive; somebody's slow download must not hold up everybody. */
const SETTLE_MS = 15_000;
const LOOK_MS = 20;

/** What had to be settled did not: the company goes on as before. */
export class NotSettled extends Error {
  override readonly name = 'NotSettled';
}

/** What this process itself holds of a company that is held: it ends with the process. */
interface Held {
  readonly feeds: readonly string[];
  readonly leases: Map<string, Lease>;
}

interface Deps {
  readonly database: Database;
  readonly tables: readonly Table[];
  readonly senders: Senders;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
}

/**
 * Holds everything still that belongs to a company. Phases:
 * 1. nobody begins to send events of the company any more, and what was sent is acknowledged, so that nothing goes out
 * twice; 2. triggers refuse every write of its rows, in all processes, for as long as the row of the move says so; making
 * them waits for whoever is writing. What is written once they are all there, nobody has answered yet.
 */
export class Holds {
  readonly #deps: Deps;
  readonly #held = new Map<string, Held>();
  #shapes: Promise<readonly TableShape[]> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The tables of companies as this database has them. */
  shapes(): Promise<readonly TableShape[]> {
    this.#shapes ??= shapesOf(this.#deps.database, this.#deps.tables);
    return this.#shapes;
  }

  /** The row of the move says that it holds. Repeating it does nothing. @throws {NotSettled} */
  async begin(hold: Hold): Promise<void> {
    await this.#settle(hold);
    for (const shape of await this.#heldShapes()) {
      await this.#trigger(shape, hold, (of) => [...writingTriggers(of, hold), ...sendingTriggers(of, hold)]);
    }
    const held = this.#held.get(hold.moveId);
    const webhooks = await webhookIdsOf(this.#deps.database.reader, hold.companyId);
    // One that was made meanwhile may be sending.
    if (webhooks.some((id) => held?.leases.has(id) !== true)) throw new NotSettled('A webhook was added.');
  }

  /** After a restart: takes up what this process would hold, had it not ended. */
  async resume(hold: Hold): Promise<void> {
    if (this.#deps.database.engine === 'sqlite' && !this.#held.has(hold.moveId)) await this.#settle(hold);
  }

  /** After the hold was lifted, by the row of the move: clears away what is left of it. */
  async end(hold: Hold): Promise<void> {
    await this.forget(hold);
    await this.#dropTriggers((name) => isOfHold(name, hold.moveId));
  }

  /** Clears away what is left of holds that are over. */
  async tidy(): Promise<void> {
    const underWay = await unfinishedMoves(this.#deps.database.reader);
    await this.#dropTriggers((name) => !underWay.some((move) => isOfHold(name, move.id)));
  }

  /** Those that cannot be dropped now keep nobody from anything, and are dropped another time. */
  async #dropTriggers(which: (name: string) => boolean): Promise<void> {
    const { engine, reader } = this.#deps.database;
    const triggers = (await triggersOfHolds(engine, reader)).filter(({ name }) => which(name));
    for (const trigger of triggers) {
      try {
        await this.#deps.database.write((writer) => dropTrigger(engine, writer, trigger));
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        this.#deps.log.info({ trigger: trigger.name }, 'a trigger of a hold that is over is dropped later');
      }
    }
  }

  /** Lets go of what this process itself holds; the triggers stay. */
  async forget({ moveId }: Hold): Promise<void> {
    const held = this.#held.get(moveId);
    if (held === undefined) return;
    this.#held.delete(moveId);
    this.#deps.senders.freeFeeds(held.feeds);
    for (const lease of held.leases.values()) {
      await lease.release().catch((error: unknown) => {
        this.#deps.log.error({ err: error, move: moveId }, 'giving back a lease failed; it runs out');
      });
    }
  }

  async #heldShapes(): Promise<TableShape[]> {
    return (await this.shapes()).filter((shape) => shape.frozen);
  }

  async #settle(hold: Hold): Promise<void> {
    const { reader } = this.#deps.database;
    const feeds = [...(await serviceIdsOf(reader, hold.companyId)), hold.companyId];
    const held = this.#held.get(hold.moveId) ?? { feeds, leases: new Map() };
    this.#held.set(hold.moveId, held);
    this.#deps.senders.holdFeeds(held.feeds);
    const changes = (await this.shapes()).find((shape) => shape.name === 'changes');
    if (changes !== undefined) await this.#trigger(changes, hold, (of) => sendingTriggers(of, hold));
    for (let waited = 0; ; waited += LOOK_MS) {
      let settled = await this.#deps.senders.feedsSettled(held.feeds);
      for (const id of await webhookIdsOf(reader, hold.companyId)) {
        if (held.leases.has(id)) continue;
        const lease = await this.#deps.senders.lease(id);
        if (lease !== undefined) held.leases.set(id, lease);
        else {
          settled = false;
          await this.#deps.senders.interrupt(id);
        }
      }
      if (settled) {
        if (held.leases.size > 0) await this.#deps.senders.settleDeliveries();
        return;
      }
      if (waited >= SETTLE_MS) throw new NotSettled('Events on their way were not settled in time.');
      await new Promise<void>((resolve) => this.#deps.timers.after(LOOK_MS, resolve));
    }
  }

  async #trigger(
    shape: TableShape,
    hold: Hold,
    triggers: (shape: TableShape) => Parameters<typeof makeTriggers>[4],
  ): Promise<void> {
    await this.#patiently(() =>
      this.#deps.database.write((writer) =>
        makeTriggers(this.#deps.database.engine, writer, shape, hold, triggers(shape)),
      ),
    );
  }

  /** PostgreSQL gives up waiting for a table after a while, so that others need not wait as well; then it is tried again. */
  async #patiently(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt >= LOCK_ATTEMPTS) throw error;
        await new Promise<void>((resolve) => this.#deps.timers.after(LOOK_MS * attempt, resolve));
      }
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_ATTEMPTS = 10;

export type { Hold } from './hold-store.ts';
