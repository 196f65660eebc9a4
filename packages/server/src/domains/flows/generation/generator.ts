import { PlatformError } from '../../../core/errors.ts';
import type { SeenRun } from '../runs/access.ts';
import { type LastAct, RUN_STATES } from '../runs/states.ts';

/** Who answered the last step and makes the documents; undefined when no documents are to be made. */
export function generatorOf({ last_act, output_mode }: SeenRun['run']): string | undefined {
  if (output_mode !== 'document' || last_act === null) return undefined;
  const { user, next } = JSON.parse(last_act) as LastAct;
  return next === null ? user : undefined;
}

/** @throws {PlatformError} flows.not_your_turn when the documents are to be made by another party, or not now */
export function refuseOthers(run: SeenRun['run'], userId: string): void {
  if (run.status !== RUN_STATES.generating || generatorOf(run) !== userId)
    throw new PlatformError('flows.not_your_turn');
}
