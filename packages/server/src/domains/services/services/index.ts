import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { serviceRoutes } from './routes.ts';
import { ServiceConfig } from './service-config.ts';
import { ServiceKeys } from './service-keys.ts';
import { Services } from './services.ts';
import { serviceTables } from './tables.ts';

export { rowPluginUses } from './plugin-rows.ts';
export { sharedBy, toRequestField } from './service-config.ts';
export type { ServiceRef, Services } from './services.ts';
export { findService, type ListedService, listedService, requestRows, settleTurned } from './store.ts';
export type { RequestFieldRow, ServiceRow, ShareFieldRow } from './tables.ts';

export function createServiceAdministration(
  core: Core,
  needs: NeedsOf<typeof Services> &
    Omit<NeedsOf<typeof ServiceConfig>, 'services'> &
    Omit<NeedsOf<typeof ServiceKeys>, 'services'>,
) {
  const services = new Services({ ...core, ...needs });
  const own = { ...core, ...needs, services };
  const serviceKeys = new ServiceKeys(own);
  const serviceConfig = new ServiceConfig(own);
  const proofHeader = `x-${core.config.headerName}-proof`.toLowerCase();
  const domain: Domain = {
    tables: serviceTables,
    routes: (app) => serviceRoutes(app, { ...needs, services, serviceConfig, serviceKeys, proofHeader }),
  };
  return { services, domain };
}
