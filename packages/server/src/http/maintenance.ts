import type { PlatformError } from '../core/errors.ts';

/** What may be refused at present, before anything is looked up. */
export interface Maintenance {
  /** Why a call may not go on; undefined when it may. @param route pattern of the route, empty for an unknown address */
  refusal(method: string, route: string): PlatformError | undefined;
}

/** Nothing is ever refused. */
export const noMaintenance: Maintenance = { refusal: () => undefined };
