import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Clients } from '../clients/index.ts';
import type { ActProofs, RecoveryCopies } from '../companies/index.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Audit, Jobs, ServiceLogs } from '../operations/index.ts';
import type { PluginSpecs } from '../plugins/index.ts';
import type { Photos } from '../profile/index.ts';
import { serviceJobRoutes } from './jobs/routes.ts';
import { ServiceJobs } from './jobs/service-jobs.ts';
import { Keys } from './keys/keys.ts';
import { keyRoutes } from './keys/routes.ts';
import type { ServiceCustomers } from './ports.ts';
import { rowPluginUses } from './services/plugin-rows.ts';
import { serviceRoutes } from './services/routes.ts';
import { ServiceConfig } from './services/service-config.ts';
import { ServiceKeys } from './services/service-keys.ts';
import { Services } from './services/services.ts';
import { serviceTables } from './services/tables.ts';
import { sharePhotoRoutes } from './share-photos/routes.ts';
import { SharePhotos } from './share-photos/share-photos.ts';

export { type DeletedService, type PublishedRows, type ServiceCustomers, turnedOneTime } from './ports.ts';
export { reasonOf, sharedBy, toRequestField } from './services/service-config.ts';
export type { ServiceRef, Services } from './services/services.ts';
export {
  findService,
  type ListedService,
  listedService,
  requestRows,
  settleTurned,
} from './services/store.ts';
export type { RequestFieldRow, ServiceRow, ShareFieldRow } from './services/tables.ts';

/** Services: what they ask for, what they share, their keys. */
export function createServices(
  core: Core,
  needs: {
    audit: Audit;
    logs: ServiceLogs;
    jobs: Jobs;
    clients: Clients;
    recovery: RecoveryCopies;
    actProofs: ActProofs;
    photos: Photos;
    registry: FieldTypeRegistry;
    pluginSpecs: PluginSpecs;
    customers: ServiceCustomers;
  },
) {
  const services = new Services({ ...core, ...needs });
  const own = { ...core, ...needs, services };
  const serviceConfig = new ServiceConfig(own);
  const serviceKeys = new ServiceKeys(own);
  const serviceJobs = new ServiceJobs(own);
  const keys = new Keys(core);
  const sharePhotos = new SharePhotos(own);
  const proofHeader = `x-${core.config.headerName}-proof`.toLowerCase();
  const domain: Domain = {
    tables: serviceTables,
    routes(app) {
      serviceRoutes(app, { ...own, serviceConfig, serviceKeys, proofHeader });
      serviceJobRoutes(app, { serviceJobs });
      keyRoutes(app, { keys });
      sharePhotoRoutes(app, { sharePhotos });
    },
    endsWith: [{ company: services }],
    pluginUses: [rowPluginUses],
  };
  return { services, domain: combine(domain) };
}
