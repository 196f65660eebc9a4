import { PlatformError } from '../../../core/errors.ts';
import type { Reader } from '../../../db/database.ts';
import { groupOf } from '../../sharing/index.ts';
import type { StandingRun } from './standing-store.ts';
import { partiesOf, type RunsOf, runOfCustomer, runOfService, type StandingParty } from './store.ts';

/** Who calls: the owning company, or a customer who takes part. */
export type Caller =
  | { readonly side: 'company'; readonly userId: string; readonly of: RunsOf }
  /** @param groupId under which a company has its connections to the owning company */
  | { readonly side: 'customer'; readonly userId: string; readonly groupId?: string };

export const companyCaller = (of: RunsOf): Caller => ({ side: 'company', userId: of.companyId, of });

/** A run with the customers who take part. */
export interface SeenRun {
  readonly run: StandingRun;
  readonly parties: readonly StandingParty[];
}

/** A run that the caller may see. @throws {PlatformError} flows.run_not_found */
export async function requireRun(reader: Reader, caller: Caller, id: string): Promise<SeenRun> {
  const run =
    caller.side === 'company'
      ? await runOfService(reader, caller.of, id)
      : await runOfCustomer(reader, caller.userId, id);
  if (run === undefined) throw new PlatformError('flows.run_not_found');
  if (caller.side === 'customer' && caller.groupId !== undefined) {
    const groupId = await groupOf(reader, { companyId: run.company_id, customerId: caller.userId });
    if (groupId !== caller.groupId) throw new PlatformError('flows.run_not_found');
  }
  const [service, ids] = [{ companyId: run.company_id, serviceId: run.service_id }, [run.id]];
  return { run, parties: await partiesOf(reader, service, ids) };
}
