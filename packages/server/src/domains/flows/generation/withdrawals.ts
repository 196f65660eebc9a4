import { PlatformError } from '../../../core/errors.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { RunCopies, Withdrawn } from '../../agreements/index.ts';
import type { Core } from '../../domain.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { type Caller, requireRun, type SeenRun } from '../runs/access.ts';
import type { RunChanges } from '../runs/run-changes.ts';
import { bindingsOf, type LastAct, RUN_STATES, versionOf } from '../runs/states.ts';
import { stepsOf } from '../runs/step-store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly changes: RunChanges;
  readonly flows: PublishedFlows;
  readonly runCopies: RunCopies;
  readonly personSignals: PersonSignals;
}

/** How unsigned documents are taken back, so that they are made again (wire 13.14). */
export class Withdrawals {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Deletes every copy of the documents of a run, and awaits the party that makes them. A run whose documents are to be made
   * stays as it is.
   * @throws {PlatformError} flows.run_not_found, flows.run_ended, flows.no_document, flows.documents_acted_on
   */
  async withdraw(caller: Caller, runId: string): Promise<SeenRun> {
    const { changes, database } = this.#deps;
    for (;;) {
      const seen = await requireRun(database.reader, caller, runId);
      const { status } = seen.run;
      if (status === RUN_STATES.generating) return seen;
      if (status === RUN_STATES.completed || status === RUN_STATES.cancelled)
        throw new PlatformError('flows.run_ended');
      if (status !== RUN_STATES.awaitingSignature) throw new PlatformError('flows.no_document');
      const step = await this.#lastStep(seen);
      const withdrawn = await this.#commit(seen, step);
      if (withdrawn === undefined) continue;
      changes.tell(seen, bindingsOf(seen.run).get(step.party));
      this.#tell(withdrawn);
      return requireRun(database.reader, caller, runId);
    }
  }

  /** Everything at once. @returns undefined when something happened to the run since it was read */
  #commit(seen: SeenRun, { node, party }: { node: string; party: string }): Promise<Withdrawn | undefined> {
    const { changes, runCopies } = this.#deps;
    const { run } = seen;
    return changes.ifUnchanged(seen, async (writer) => {
      const withdrawn = await runCopies.withdraw(writer, { companyId: run.company_id, runId: run.id });
      if (withdrawn === undefined) throw new PlatformError('flows.documents_acted_on');
      const next = { state: RUN_STATES.generating, node, turn: party };
      // Who answered last makes the documents.
      const last_act = JSON.parse(run.last_act ?? 'null') as LastAct | null;
      const moved = await changes.move(writer, seen, next, { document_id: null, failure: null, last_act });
      await changes.raise(writer, withdrawn.raised, moved);
      return withdrawn;
    });
  }

  /** The step at which the flow ended, and its party. */
  async #lastStep({ run }: SeenRun): Promise<{ node: string; party: string }> {
    const { database, flows } = this.#deps;
    const last = (await stepsOf(database.reader, run)).at(-1);
    const { nodes } = await flows.definition(database.reader, versionOf(run));
    const node = nodes.find(({ key }) => key === last?.node);
    if (node === undefined) throw new PlatformError('flows.no_document');
    return { node: node.key, party: node.party };
  }

  #tell({ documents }: Withdrawn): void {
    for (const { id, customer_id, customer_type, customer_region } of documents)
      if (customer_id !== null && customer_type === 'person')
        this.#deps.personSignals.tell(customer_id, { kind: 'document', id, push: false }, customer_region);
  }
}
