import { PlatformError } from '../core/errors.ts';
import type { Regions } from '../core/regions.ts';

/** Finds those who are at home in another region. */
export interface HomesElsewhere {
  /** The home region of a company that is known to be in another region. */
  ofCompany(companyId: string): Promise<string | undefined>;
  /** The home region of the company that took a portal session along when it moved. */
  ofSession(sessionToken: string): Promise<string | undefined>;
}

/** With one region, everyone is at home in it. */
export const noHomesElsewhere: HomesElsewhere = {
  ofCompany: async () => undefined,
  ofSession: async () => undefined,
};

/**
 * Sends a caller to another region.
 * @param home undefined when no other region is known; then nothing happens
 * @throws {PlatformError} region.rebase_required naming the base URL of that region
 */
export function refuseBase(regions: Pick<Regions, 'apiUrl'>, home: string | undefined): void {
  const base = home === undefined ? undefined : regions.apiUrl(home);
  if (base !== undefined) throw new PlatformError('region.rebase_required', { details: { api_url: base } });
}
