import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Clients } from '../../clients/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/index.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { ServiceCustomers } from '../ports.ts';
import { serviceRoutes } from './routes.ts';
import { ServiceConfig } from './service-config.ts';
import { ServiceKeys } from './service-keys.ts';
import { Services } from './services.ts';
import { serviceTables } from './tables.ts';

export { findService, type ListedService, listedService } from './directory.ts';
export { requestRows, sharedBy, toRequestField } from './service-config.ts';
export type { ServiceRef, Services } from './services.ts';
export type { RequestFieldRow, ServiceRow, ShareFieldRow } from './tables.ts';

export function createServiceAdministration(
  core: Core,
  needs: {
    logs: ServiceLogs;
    clients: Clients;
    recovery: RecoveryCopies;
    customers: ServiceCustomers;
    registry: FieldTypeRegistry;
  },
) {
  const services = new Services({ ...core, ...needs });
  const own = { ...core, ...needs, services };
  const serviceKeys = new ServiceKeys(own);
  const serviceConfig = new ServiceConfig(own);
  const domain: Domain = {
    tables: serviceTables,
    routes: (app) => serviceRoutes(app, { ...needs, services, serviceConfig, serviceKeys }),
  };
  return { services, domain };
}
