import type { Writer } from '../../../db/database.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { statusOf } from './challenges.ts';
import { deleteOfService } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly personSignals: PersonSignals;
}

/** What deleted services asked people to approve. */
export class DeletedChallenges {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Deletes some of a service's. @returns how many, and what has the devices of those who were still asked close the cards */
  async deleteSome(
    writer: Writer,
    serviceId: string,
    most: number,
  ): Promise<{ rows: number; saved: () => void }> {
    const { clock, database, personSignals } = this.#deps;
    const rows = await deleteOfService(database.engine, writer, serviceId, most);
    const pending = rows.filter((row) => statusOf(row, clock.now()) === 'pending');
    return {
      rows: rows.length,
      saved() {
        for (const { person_id, id } of pending)
          personSignals.tell(person_id, { kind: 'two_factor_challenge_closed', id });
      },
    };
  }
}
