import type { Config } from '../../../server/src/core/config.ts';

/** No class of requests is limited. */
export const UNLIMITED_RATES: Config['rateLimits'] = {
  token: 0,
  exchanges: 0,
  changes: 0,
  fields: 0,
  reference: 0,
  connections: 0,
  registration: 0,
  polls: 0,
  unopened: 0,
  consent: 0,
  plugins: 0,
  templates: 0,
  pages: 0,
  default: 0,
  failures: 0,
};
