import type { Reader } from '../../../db/database.ts';
import { serviceByCodes, serviceWithCompany } from './store.ts';

/** A service with what people see of its company. */
export type ListedService = NonNullable<Awaited<ReturnType<typeof serviceByCodes>>>;

/** Finds a service by the codes people use; undefined when there is none. */
export function findService(reader: Reader, companyCode: string, serviceCode: string) {
  return serviceByCodes(reader, companyCode, serviceCode);
}

/** Finds a service by its id; undefined when there is none. */
export function listedService(reader: Reader, serviceId: string) {
  return serviceWithCompany(reader, serviceId);
}
