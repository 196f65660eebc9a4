import { lock, type Writer } from '../../../db/database.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Core } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';
import type { CompanyDeletionHook } from '../../participation.ts';
import { replicaOf } from '../companies/company-replicas.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import { deleteRemoteSlotsOfCompany } from '../people/store.ts';
import { companyById, makeCard, serviceIdsOf } from './company-store.ts';
import type { Destination } from './destination.ts';
import { type Freezer, frozenBy } from './freeze.ts';
import type { MoveLeases } from './move-lease.ts';
import type { Steps } from './move-source.ts';
import { departSessions, setLifted } from './store.ts';
import { deleteBehind, deleteRows, deleteSomeRows, type TableShape } from './table-store.ts';
import type { CompanyMoveRow } from './tables.ts';

/** No call lives longer. Until then the triggers refuse what a call from before the switch would still write. */
const LAST_CALLS_MS = 120_000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'timers'> {
  readonly shapes: () => Promise<readonly TableShape[]>;
  readonly freezer: Freezer;
  readonly leases: MoveLeases;
  readonly messages: MessageQueue;
  readonly parts: readonly CompanyDeletionHook[];
  readonly acts: OperatorActs;
  readonly ownRegion: string;
  readonly steps: Steps;
}

/** How a move ends at the source: the company has left, or the move is undone. */
export class MoveEndings {
  readonly #deps: Deps;

  /** @param deps.parts features that count more of a company than its rows, called when the rows go */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The company is at home there: leaves only its card here, and what no call can reach. */
  async leave(move: CompanyMoveRow, version: number): Promise<CompanyMoveRow> {
    const { database, leases, clock, log } = this.#deps;
    const { company_id: companyId, to_region: region } = move;
    const now = clock.now();
    const shapes = await this.#deps.shapes();
    const left = await database.write(async (writer) => {
      const changed = await leases.assertOwned(writer, move, {
        state: 'switched',
        lifted: 1,
        switched_at: now,
        held_ms: now - (move.held_at ?? now),
      });
      await lock(database.engine, writer, 'companies', [companyId]);
      await lock(database.engine, writer, 'services', await serviceIdsOf(writer, companyId));
      await departSessions(writer, companyId);
      for (const part of this.#deps.parts) await part.dropForCompany?.(writer, companyId);
      const small = shapes.filter(({ name, bulk, frozen }) => !bulk && frozen && name !== 'companies');
      await deleteRows(database.engine, writer, small, companyId);
      await makeCard(writer, companyId, { region, version });
      await this.#announce(writer, companyId);
      await this.#record(writer, move, 'company.moved');
      await setLifted(writer, move.id, 0);
      return { ...changed, lifted: 0 as const };
    });
    log.info({ company: companyId, move: move.id, to: region, frozenMs: left.held_ms }, 'company moved');
    await this.#deps.freezer.resumeDeliveries(frozenBy(move));
    return left;
  }

  async #announce(writer: Writer, companyId: string): Promise<void> {
    const row = await companyById(writer, companyId);
    if (row === undefined) return;
    await this.#deps.messages.sendToAll(writer, {
      kind: 'company_card',
      subject: companyId,
      body: replicaOf(row, this.#deps.ownRegion),
    });
  }

  async #record(writer: Writer, move: CompanyMoveRow, act: 'company.moved' | 'company.move_undone') {
    await this.#deps.acts.record(writer, {
      act,
      subject: move.company_id,
      details: { to: move.to_region, move: move.id },
      source: this.#deps.ownRegion,
    });
  }

  /** Deletes the rows of a company that left, and ends the move when the last calls have ended. */
  async clear(
    move: CompanyMoveRow,
    destination: Destination,
    stopping: AbortSignal,
  ): Promise<CompanyMoveRow> {
    const { leases, clock, steps } = this.#deps;
    const writes = new WriteSteps(this.#deps);
    for (const shape of (await this.#deps.shapes()).filter(({ bulk }) => bulk)) {
      for (let after: number | undefined = 0; after !== undefined; ) {
        if (stopping.aborted) return move;
        after = await this.#deleteSome(move, shape, after, writes);
      }
    }
    await steps('cleared');
    await destination.finish(move.id);
    await steps('finished there');
    const now = clock.now();
    const lastCalls = (move.switched_at ?? 0) + LAST_CALLS_MS;
    if (now < lastCalls) return leases.change(move, { retry_at: lastCalls, reason: null });
    await steps('let go');
    const done = await leases.change(move, { state: 'done', lifted: 1, finished_at: now });
    await this.#deps.freezer.thaw(frozenBy(move));
    return done;
  }

  /** @returns where to go on; undefined when no row is left */
  async #deleteSome(move: CompanyMoveRow, shape: TableShape, after: number, writes: WriteSteps) {
    const { database, leases } = this.#deps;
    const step = await writes.take(async (writer, most) => {
      await leases.assertOwned(writer, move, { lifted: 1 });
      const step =
        shape.feed === undefined
          ? await deleteSomeRows(database.engine, writer, shape, move.company_id, most)
          : await deleteBehind(writer, shape, move.company_id, { after, most });
      await setLifted(writer, move.id, 0);
      return step;
    });
    return step.next;
  }

  async undo(move: CompanyMoveRow, destination: Destination): Promise<CompanyMoveRow> {
    const { database, leases, steps } = this.#deps;
    const thawed = await database.write(async (writer) => {
      const changed = await leases.assertOwned(writer, move, { lifted: 1 });
      await deleteRemoteSlotsOfCompany(writer, move.company_id);
      return changed;
    });
    await this.#deps.freezer.thaw(frozenBy(move));
    await steps('freed');
    const { state } = await destination.undo(move.id, {
      company_id: move.company_id,
      from: this.#deps.ownRegion,
    });
    // The destination was never asked to be the home, so this is an error.
    if (state !== 'undone') throw new Error(`The other region has the move as ${state}.`);
    await steps('undone there');
    return database.write(async (writer) => {
      const finished = { state: 'undone', finished_at: this.#deps.clock.now() } as const;
      const changed = await leases.assertOwned(writer, thawed, finished);
      await this.#record(writer, move, 'company.move_undone');
      return changed;
    });
  }
}
