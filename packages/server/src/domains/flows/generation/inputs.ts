import { type FlowInput, limits } from '@symbolon/protocol';
import { clearsIn, PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { fileText, storedFile } from '../../../core/stored-file.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import { type Caller, requireRun } from '../runs/access.ts';
import { refuseOthers } from './generator.ts';
import { inputsOf, putInput } from './store.ts';

/** How long an input waits for the documents. */
const WAIT_MS = 60 * 60_000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly blobs: Blobs;
}

/** Files that documents of a run need, encrypted with the one-time key of whoever makes them. */
export class Inputs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Keeps a file for an hour, in the place of the one that the caller sent for the same source.
   * @throws {PlatformError} flows.run_not_found, flows.not_your_turn, flows.inputs_limit
   */
  async upload(caller: Caller, runId: string, sourceKey: string, value: LargeText): Promise<FlowInput> {
    const { blobs, clock, database, ids } = this.#deps;
    const { run } = await requireRun(database.reader, caller, runId);
    refuseOthers(run, caller.userId);
    const blob = await value.store();
    const id = ids.uuid();
    await writeLocked(database, 'services', run.service_id, async (writer) => {
      refuseOthers((await requireRun(writer, caller, runId)).run, caller.userId);
      const sender = { companyId: run.company_id, runId, userId: caller.userId };
      const others = (await inputsOf(writer, sender, clock.now())).filter(
        (row) => row.source_key !== sourceKey,
      );
      const bytes = others.reduce((sum, row) => sum + (storedFile(row.value)?.bytes ?? 0), blob.bytes);
      if (others.length >= limits.flowInputsMost || bytes > limits.flowInputBytesMost)
        throw new PlatformError('flows.inputs_limit', {
          details:
            others.length > 0 ? clearsIn(Math.min(...others.map((row) => row.expires_at)) - clock.now()) : {},
        });
      await blobs.holdOn(writer, blob.hash);
      await putInput(writer, {
        ...{ company_id: run.company_id, service_id: run.service_id, run_id: runId },
        ...{ user_id: caller.userId, source_key: sourceKey, id },
        value: fileText({ id, hash: blob.hash, bytes: blob.bytes, form: 'raw' }),
        expires_at: clock.now() + WAIT_MS,
      });
    });
    return { input: id };
  }
}
