/** What a region can be kept from, in the order in which the stricter hides the other. */
export type MaintenanceState = 'writes_paused' | 'out_of_order';

/** The feed drains: reads that delete what they give (wire 7, `db.writes_paused`). */
const FEED_DRAINS: ReadonlySet<string> = new Set(['/api/company-data/changes', '/api/customer/changes']);

/**
 * Wire 7: token requests keep working, also when the front door or another region received them and asks for the token or
 * for the home of the client's company. Which grants, out of order, the grant itself decides.
 */
const TOKEN_ROUTES: ReadonlySet<string> = new Set([
  '/oauth2/token',
  '/internal/token',
  '/internal/signing-keys',
  '/internal/directory/home',
  '/internal/directory/find',
]);

/** Nothing of these is bound to the region's data (wire 5.2), and load balancers must go on seeing the health. */
const STATELESS = [
  '/api/health',
  '/api/regions',
  '/openapi.json',
  '/explorer',
  '/docs',
  '/llms.txt',
  '/errors',
  '/.well-known/',
  '/oauth2/jwks',
];

/** By these an operator looks, backs up, and ends the state. */
const OPERATOR_SWITCHES: ReadonlySet<string> = new Set([
  '/api/admin/maintenance/writes-paused',
  '/api/admin/maintenance/out-of-order',
  '/api/admin/backup',
]);

/**
 * Whether a state refuses a call: the rows `db.writes_paused` and `platform.out_of_order` of wire 7.
 * @param route the route's own pattern; empty for an unknown address
 */
export function refuses(state: MaintenanceState, method: string, route: string): boolean {
  if (route === '/' || TOKEN_ROUTES.has(route) || OPERATOR_SWITCHES.has(route)) return false;
  if (state === 'writes_paused') return method === 'GET' ? FEED_DRAINS.has(route) : route !== '';
  if (method === 'GET' && route.startsWith('/api/admin/')) return false;
  return !STATELESS.some((path) => route === path || route.startsWith(path));
}
