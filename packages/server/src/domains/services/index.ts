import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { RecoveryCopies } from '../accounts/index.ts';
import type { Clients } from '../clients/index.ts';
import type { ActProofs } from '../companies/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Jobs, ServiceLogs } from '../operations/index.ts';
import type { PluginSpecs } from '../plugins/index.ts';
import type { Photos } from '../profile/index.ts';
import { createServiceJobs } from './jobs/index.ts';
import { createKeys } from './keys/index.ts';
import type { ServiceCustomers } from './ports.ts';
import { createServiceAdministration, rowPluginUses } from './services/index.ts';
import { createSharePhotos } from './share-photos/index.ts';

export { type DeletedService, type PublishedRows, type ServiceCustomers, turnedOneTime } from './ports.ts';
export {
  findService,
  type ListedService,
  listedService,
  type RequestFieldRow,
  requestRows,
  type ServiceRef,
  type ServiceRow,
  type Services,
  type ShareFieldRow,
  settleTurned,
  sharedBy,
  toRequestField,
} from './services/index.ts';

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
  const administration = createServiceAdministration(core, needs);
  const sharePhotos = createSharePhotos(core, { ...needs, ...administration });
  const keys = createKeys(core);
  const jobs = createServiceJobs(core, { ...needs, ...administration });
  return {
    ...administration,
    domain: combine(administration.domain, jobs, keys, sharePhotos, {
      endsWith: [{ company: administration.services }],
      pluginUses: [rowPluginUses],
    }),
  };
}
