import type { Core, Domain } from '../../domain.ts';
import type { Connections } from '../connections/index.ts';
import { CompanyData } from './company-data.ts';
import { companyDataRoutes } from './routes.ts';

export { attestation, fileUrl } from './answers.ts';

/** What a company's backend reads with its data client. */
export function createCompanyData(core: Core, needs: { connections: Connections }) {
  const companyData = new CompanyData({ ...core, ...needs });
  const domain: Domain = { routes: (app) => companyDataRoutes(app, { companyData }) };
  return { companyData, domain };
}
