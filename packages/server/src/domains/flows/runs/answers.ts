import type { Route } from '@symbolon/flows';
import { type AnswerFlowRunRequest, type FlowDefinition, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { type Caller, requireRun, type SeenRun } from './access.ts';
import type { NextState, RunChanges } from './run-changes.ts';
import { bindingsOf, type LastAct, placesOf, RUN_STATES, versionOf } from './states.ts';
import { insertStep } from './step-store.ts';
import { insertCopies } from './store.ts';
import { readSubmission, type Submission, slugsOf } from './submissions.ts';
import type { FlowRunCopyRow, FlowRunRow } from './tables.ts';
import { deleteUploads, uploadsOf } from './upload-store.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly flows: PublishedFlows;
  readonly changes: RunChanges;
}

/** How parties answer, and how a run ends before its time (wire 13.11). */
export class Answers {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Answers the step that waits for the caller. Of two submits at once the first counts; the same one once more changes nothing.
   * @returns the run as it stands then
   * @throws {PlatformError} flows.run_not_found, flows.not_your_turn, flows.answer_unknown, flows.copies_missing,
   *   flows.route_invalid, flows.run_too_large, and what a sealed value is refused with
   */
  async submit(caller: Caller, id: string, request: AnswerFlowRunRequest): Promise<SeenRun> {
    const { changes, database, flows } = this.#deps;
    for (;;) {
      const seen = await requireRun(database.reader, caller, id);
      if (isRepeat(seen.run, caller.userId, request)) return seen;
      const { run } = seen;
      const node = turnOf(run, caller.userId);
      const definition = await flows.definition(database.reader, versionOf(run));
      const submission = readSubmission(definition, node, bindingsOf(run), request);
      if (run.bytes + submission.bytes > limits.flowRunBytesMost)
        throw new PlatformError('flows.run_too_large');
      const next = nextState(definition, node, submission.route, run);
      const accepted = await changes.ifUnchanged(seen, async (writer) => {
        await this.#keep(writer, run, caller.userId, submission);
        await this.#note(writer, run, node);
        const raised = await changes.move(writer, seen, next, {
          bytes: run.bytes + submission.bytes,
          private_slugs: JSON.stringify([
            ...new Set([...(JSON.parse(run.private_slugs) as string[]), ...submission.privateSlugs]),
          ]),
          last_act: {
            user: caller.userId,
            slugs: submission.slugs,
            next: 'state' in next ? null : next.node,
          },
        });
        await changes.raise(writer, raised);
        return true;
      });
      if (accepted === undefined) continue;
      changes.tell(seen, 'party' in next ? bindingsOf(run).get(next.party) : undefined);
      return requireRun(database.reader, caller, id);
    }
  }

  /**
   * Cancels a run: the company at any time, a customer by declining. All copies of its documents end. What is cancelled
   * already stays as it is.
   * @throws {PlatformError} flows.run_not_found, flows.run_ended
   */
  async cancel(caller: Caller, id: string): Promise<SeenRun> {
    const { changes, database } = this.#deps;
    for (;;) {
      const seen = await requireRun(database.reader, caller, id);
      if (seen.run.status === RUN_STATES.completed) throw new PlatformError('flows.run_ended');
      if (seen.run.status === RUN_STATES.cancelled) return seen;
      const cancelled = await changes.ifUnchanged(seen, async (writer) => {
        await changes.raise(writer, ...(await changes.cancel(writer, [seen])));
        return true;
      });
      if (cancelled === undefined) continue;
      changes.tell(seen);
      return requireRun(database.reader, caller, id);
    }
  }

  /** Notes when a step was answered. */
  #note(writer: Writer, run: FlowRunRow, node: string): Promise<void> {
    const { company_id, service_id, id: run_id, acts } = run;
    const answered_at = this.#deps.clock.now();
    return insertStep(writer, { company_id, service_id, run_id, place: acts + 1, node, answered_at });
  }

  /** Stores the copies of a step. */
  async #keep(writer: Writer, run: FlowRunRow, uploaderId: string, { copies }: Submission): Promise<void> {
    const { clock, ids } = this.#deps;
    const { company_id, service_id } = run;
    const named = copies.flatMap(({ value }) => (typeof value === 'string' ? [] : [value.file]));
    const service = { companyId: company_id, serviceId: service_id };
    const found = await uploadsOf(writer, service, { uploaderId, ids: named }, clock.now());
    const uploads = new Map(found.map((upload) => [upload.id, upload]));
    const rows = copies.map(({ slug, userId, value }, index): FlowRunCopyRow => {
      const shared = { company_id, service_id, run_id: run.id, user_id: userId, kind: 'answer' as const };
      const place = placesOf(run.acts + 1) + index;
      if (typeof value === 'string') return { ...shared, key: slug, place, id: ids.uuid(), value };
      const upload = uploads.get(value.file);
      // Refuse copies made for another field, run or user.
      if (upload?.run_id !== run.id || upload.slug !== slug || upload.user_id !== userId)
        throw new PlatformError('flows.copies_missing');
      return { ...shared, key: slug, place, id: upload.id, value: upload.value };
    });
    await deleteUploads(writer, found);
    await insertCopies(writer, rows);
  }
}

/** Whether a submit is the one that the run accepted last, once more. */
function isRepeat({ last_act }: FlowRunRow, userId: string, request: AnswerFlowRunRequest): boolean {
  if (last_act === null) return false;
  const last = JSON.parse(last_act) as LastAct;
  const slugs = slugsOf(request);
  const isSame = last.user === userId && JSON.stringify(last.slugs) === JSON.stringify(slugs);
  // Steps without answers differ by where they lead.
  return isSame && (slugs.length > 0 || (request.next_node ?? null) === last.next);
}

/** The node that waits for a user. @throws {PlatformError} flows.not_your_turn */
export function turnOf(run: FlowRunRow, userId: string): string {
  const { status, current_node: node } = run;
  const party = bindingsOf(run)
    .entries()
    .find(([key, user]) => user === userId && status === `awaiting_${key}`);
  if (node === null || party === undefined) throw new PlatformError('flows.not_your_turn');
  return node;
}

/** What follows a step. At the end of a flow with documents these are to be made, if its last step has any. */
function nextState(
  definition: FlowDefinition,
  node: string,
  route: Route,
  { output_mode }: FlowRunRow,
): NextState {
  if (!('leaf' in route)) return { node: route.next_node, party: route.next_party };
  const outputs = definition.nodes.find(({ key }) => key === node)?.outputs ?? [];
  return output_mode === 'document' && outputs.length > 0
    ? { state: RUN_STATES.generating, node }
    : { state: RUN_STATES.completed };
}
