import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { changeMove, takeMove } from './store.ts';
import type { CompanyMoveRow } from './tables.ts';

/** When an instance has not renewed its lease for this long, another one goes on with the move. */
const LEASE_MS = 30_000;
const RENEW_MS = 5000;

/** Another instance has the move, or its state was changed; this instance stops working on it. */
export class LeaseLost extends Error {}

interface Deps extends Pick<Core, 'clock' | 'database'> {
  /** The name of this instance. */
  readonly owner: string;
}

/** Leases of moves. Every step of a move is written together with a check of its lease, which it renews. */
export class MoveLeases {
  readonly #deps: Deps;
  readonly #renewed = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes the lease of a move and reads the move; undefined while another instance has the lease. */
  async take(id: string): Promise<CompanyMoveRow | undefined> {
    const { database, clock, owner } = this.#deps;
    const now = clock.now();
    return database.write((writer) => takeMove(writer, id, { worker: owner, now, until: now + LEASE_MS }));
  }

  /** Renews the lease when it is due. @throws {LeaseLost} */
  async renew(move: CompanyMoveRow): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - (this.#renewed.get(move.id) ?? 0) < RENEW_MS) return;
    this.#renewed.set(move.id, now);
    await this.change(move, {});
  }

  /**
   * Writes a change of a move.
   * @param orUndo a move that is to be undone becomes `undoing` instead
   * @throws {LeaseLost}
   */
  async change(
    move: CompanyMoveRow,
    changes: Partial<CompanyMoveRow>,
    orUndo?: 'or undo',
  ): Promise<CompanyMoveRow> {
    return this.#deps.database.write(async (writer) => {
      const changed = await this.assertOwned(writer, move, changes);
      if (orUndo === undefined || changed.undo_wanted === 0) return changed;
      return this.assertOwned(writer, changed, { state: 'undoing' });
    });
  }

  /** Writes a change of a move in the transaction of the step that makes it. @throws {LeaseLost} */
  async assertOwned(
    writer: Writer,
    move: CompanyMoveRow,
    changes: Partial<CompanyMoveRow> = {},
  ): Promise<CompanyMoveRow> {
    const now = this.#deps.clock.now();
    const lease = { worker_until: now + LEASE_MS, updated_at: now };
    const changed = await changeMove(writer, move, { ...changes, ...lease });
    if (changed === undefined) throw new LeaseLost();
    return changed;
  }

  /** Forgets a finished move. */
  forget(moveId: string): void {
    this.#renewed.delete(moveId);
  }
}
