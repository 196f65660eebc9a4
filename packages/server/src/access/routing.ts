import { PlatformError } from '../core/errors.ts';

/** Where companies and people are at home that are not at home here. */
export interface Routing {
  /** The name of this region. */
  readonly own: string;
  /** The base URL for calls to a region, without a trailing slash; undefined for an unknown one. */
  apiUrl(region: string): string | undefined;
  /** The home region of a company that is known to be in another region. */
  homeOfCompany(companyId: string): Promise<string | undefined>;
  /** The home region of the company that took a portal session along when it moved. */
  homeOfSession(sessionToken: string): Promise<string | undefined>;
}

/** With one region, everyone is at home in it. */
export function localRouting(own: string): Routing {
  const nowhere = async () => undefined;
  return { own, apiUrl: () => undefined, homeOfCompany: nowhere, homeOfSession: nowhere };
}

/**
 * Sends a caller to another region.
 * @param home undefined when no other region is known; then nothing happens
 * @throws {PlatformError} region.rebase_required naming the base URL of that region
 */
export function refuseBase(routing: Pick<Routing, 'apiUrl'>, home: string | undefined): void {
  const base = home === undefined ? undefined : routing.apiUrl(home);
  if (base !== undefined) throw new PlatformError('region.rebase_required', { details: { api_url: base } });
}
