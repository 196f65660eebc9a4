import { deleteBy, putBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { FlowRunInputRow } from './tables.ts';

interface Sender {
  readonly companyId: string;
  readonly runId: string;
  readonly userId: string;
}

/** What a party has sent for a run and is still there. */
export function inputsOf(reader: Reader, sender: Sender, now: number): Promise<FlowRunInputRow[]> {
  return reader
    .selectFrom('flow_run_inputs')
    .selectAll()
    .where('company_id', '=', sender.companyId)
    .where('run_id', '=', sender.runId)
    .where('user_id', '=', sender.userId)
    .where('expires_at', '>', now)
    .execute();
}

/** Puts an input in the place of the one that the sender had for this source. */
export async function putInput(writer: Writer, row: FlowRunInputRow): Promise<void> {
  await putBy(writer, 'flow_run_inputs', ['company_id', 'run_id', 'user_id', 'source_key'], row);
}

/** Everything that was sent for a run. */
export async function deleteInputs(
  writer: Writer,
  { companyId, runId }: Pick<Sender, 'companyId' | 'runId'>,
): Promise<void> {
  await deleteBy(writer, 'flow_run_inputs', { company_id: companyId, run_id: runId });
}

/** The keys of customers, base64 SPKI, by their ids. */
export async function customerKeys(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const people = await reader
    .selectFrom('persons')
    .select(['id', 'public_key'])
    .where('id', 'in', ids)
    .execute();
  const companies = await reader
    .selectFrom('companies')
    .select(['id', 'account_public_key as public_key'])
    .where('id', 'in', ids)
    .execute();
  return new Map([...people, ...companies].map(({ id, public_key }) => [id, public_key]));
}

export async function serviceKey(
  reader: Reader,
  { companyId, serviceId }: { companyId: string; serviceId: string },
): Promise<string | undefined> {
  const row = await reader
    .selectFrom('services')
    .select('public_key')
    .where(unindexed('company_id'), '=', companyId)
    .where('id', '=', serviceId)
    .executeTakeFirst();
  return row?.public_key;
}
