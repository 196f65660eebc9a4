import type { Availability } from '../../../core/availability.ts';
import { serialize } from '../../../db/database.ts';
import { HeldLeases } from '../../../db/leases.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Core } from '../../domain.ts';
import { BY_WORD_MS, type Claim, type ClaimRequest, type Claims } from './claims.ts';
import { type EventQueues, wordOf } from './event-queues.ts';
import { OwedDeletions } from './owed-deletions.ts';

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'timers'> {
  readonly availability: Pick<Availability, 'explains' | 'isAway'>;
  readonly queues: EventQueues;
  /** A name that no other running process has. */
  readonly owner: string;
}

/**
 * Claims of one process among those that share a database (PostgreSQL): rows are leased while they are being sent, and
 * carry the client that was given them, for its word may come to any process.
 */
export class LeaseClaims implements Claims {
  readonly #deps: Deps;
  readonly #leases: HeldLeases<number>;
  readonly #owed: OwedDeletions;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#owed = new OwedDeletions(deps);
    this.#leases = new HeldLeases({
      ...deps,
      rows: deps.queues.leases,
      leaseMs: LEASE_MS,
      renewMs: RENEW_MS,
    });
  }

  async start(): Promise<void> {
    await this.#leases.start();
  }

  async claim({ queue, clientId, most, after }: ClaimRequest): Promise<Claim> {
    const { database, clock, queues, owner } = this.#deps;
    if (this.#deps.availability.isAway('saving')) throw writesPaused();
    await this.#owed.settle(queue);
    const now = clock.now();
    const word = wordOf(clientId);
    if (after !== undefined) {
      const rows = await database.write(async (writer) => {
        // Calls of one client take turns, so that a later answer holds what an earlier one did.
        await serialize(database.engine, writer, [`${queue} ${clientId}`]);
        if (after !== '') await queues.confirmByWord(writer, { queue, client: clientId, after, now });
        await queues.freeClient(writer, queue, clientId);
        return queues.claimByWord(writer, queue, now, word, now + BY_WORD_MS, clientId, word, most);
      });
      return { rows, confirm: async () => {}, release: async () => {} };
    }
    const until = this.#leases.end();
    const rows = await database.write((writer) =>
      queues.claim(writer, queue, now, owner, until, clientId, word, most),
    );
    const seqs = rows.map((row) => row.seq);
    this.#leases.hold(seqs, until);
    return {
      rows,
      confirm: async () => {
        if (seqs.length === 0) return;
        await this.#owed.run(queue, async () => {
          await database.write((writer) => queues.deleteClaimed(writer, owner, seqs));
          this.#leases.forget(seqs);
        });
      },
      release: async () => {
        if (seqs.length > 0) await this.#leases.release(seqs);
      },
    };
  }

  /** Not needed: the database refuses new claims, in all processes at once. */
  pause(): void {}
  resume(): void {}

  async settled(queues: readonly string[]): Promise<boolean> {
    return !(await this.#deps.queues.anySending(this.#deps.database.reader, queues, this.#deps.clock.now()));
  }

  async stop(): Promise<void> {
    await this.#owed.stop();
    await this.#leases.stop();
  }
}
