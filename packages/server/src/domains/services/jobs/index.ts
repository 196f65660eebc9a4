import type { Core, Domain } from '../../domain.ts';
import type { Jobs } from '../../operations/index.ts';
import type { Services } from '../services/index.ts';
import { serviceJobRoutes } from './routes.ts';
import { ServiceJobs } from './service-jobs.ts';

export function createServiceJobs(core: Core, needs: { jobs: Jobs; services: Services }): Domain {
  const serviceJobs = new ServiceJobs({ ...core, ...needs });
  return { routes: (app) => serviceJobRoutes(app, { serviceJobs }) };
}
