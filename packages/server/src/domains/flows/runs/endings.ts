import { PlatformError } from '../../../core/errors.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { ConnectionDeletionHook, PersonDeletionHook } from '../../participation.ts';
import type { RaisedTogether } from './ports.ts';
import type { RunChanges } from './run-changes.ts';
import {
  forgetParty,
  openRunIds,
  partiesOf,
  runIdsOfUser,
  runOfCustomer,
  runsByIds,
  type ServiceRef,
} from './store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly changes: RunChanges;
}

/** What becomes of runs when a party goes: a connection ends, a person deletes the account (wire 13.13). */
export class RunEndings implements ConnectionDeletionHook, PersonDeletionHook {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async connectionsEnding(
    writer: Writer,
    service: ServiceRef,
    connectionIds: readonly string[],
  ): Promise<RaisedTogether> {
    const ids = await openRunIds(writer, connectionIds);
    if (ids.length === 0) return { events: [], onAccounts: [] };
    const runs = await runsByIds(writer, service, ids);
    const parties = Map.groupBy(await partiesOf(writer, service, ids), ({ run_id }) => run_id);
    const seen = runs.map((run) => ({ run, parties: parties.get(run.id) ?? [] }));
    const raised = await this.#deps.changes.cancel(writer, seen);
    return {
      events: raised.flatMap(({ events }) => events),
      onAccounts: raised.flatMap(({ onAccounts }) => onAccounts),
    };
  }

  /** Part of deleting an account: what the person could open of runs; their connections have ended before. */
  bonds(personId: string): Promise<readonly string[]> {
    return runIdsOfUser(this.#deps.database.reader, personId);
  }

  async end(personId: string, id: string): Promise<void> {
    const { engine } = this.#deps.database;
    await this.#deps.database.write(async (writer) => {
      const run = await runOfCustomer(writer, personId, id);
      if (run === undefined) throw new PlatformError('flows.run_not_found');
      await lock(engine, writer, 'services', [run.service_id]);
      await forgetParty(writer, id, personId);
    });
  }
}
