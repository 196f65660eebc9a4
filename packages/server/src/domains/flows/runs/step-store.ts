import type { Reader, Writer } from '../../../db/database.ts';
import type { FlowRunStepRow } from './tables.ts';

export async function insertStep(writer: Writer, step: FlowRunStepRow): Promise<void> {
  await writer.insertInto('flow_run_steps').values(step).execute();
}

/** The steps of a run that were answered, in their order. */
export function stepsOf(
  reader: Reader,
  run: { readonly company_id: string; readonly service_id: string; readonly id: string },
): Promise<FlowRunStepRow[]> {
  return reader
    .selectFrom('flow_run_steps')
    .selectAll()
    .where('company_id', '=', run.company_id)
    .where('service_id', '=', run.service_id)
    .where('run_id', '=', run.id)
    .orderBy('place')
    .execute();
}
