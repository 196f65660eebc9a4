import type { Core, Domain } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { ConnectionDocuments, Connections } from '../connections/index.ts';
import { CompanyData, type FlowRequestRows } from './company-data.ts';
import { companyDataRoutes } from './routes.ts';

export { attestation, contentOf } from './answers.ts';
export type { FlowRequestRows } from './company-data.ts';

/** What a company's backend reads with its data client. */
export function createCompanyData(
  core: Core,
  needs: {
    connections: Connections;
    connectionDocuments: ConnectionDocuments;
    flowRequestRows: FlowRequestRows;
    blobs: Blobs;
  },
) {
  const companyData = new CompanyData({ ...core, ...needs });
  const { headerName } = core.config;
  const domain: Domain = { routes: (app) => companyDataRoutes(app, { companyData, headerName }) };
  return { companyData, domain };
}
