import { PlatformError } from '../../../core/errors.ts';
import type { Reader } from '../../../db/database.ts';
import { exists } from '../../../db/rows.ts';

/** A service of a company. */
export interface ServiceRef {
  readonly companyId: string;
  readonly serviceId: string;
}

/** @throws {PlatformError} services.not_found for the service of another company, or none */
export async function checkService(reader: Reader, { companyId, serviceId }: ServiceRef): Promise<void> {
  const found = reader
    .selectFrom('services')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', serviceId);
  if (!(await exists(found))) throw new PlatformError('services.not_found');
}
