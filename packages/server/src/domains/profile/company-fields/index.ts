import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { CompanyFields } from './company-fields.ts';
import { CustomFields } from './custom-fields.ts';
import { companyFieldRoutes } from './routes.ts';
import { companyFieldTables } from './tables.ts';

export { businessCards } from './company-fields.ts';

export function createCompanyFields(
  core: Core,
  needs: NeedsOf<typeof CustomFields> & Omit<NeedsOf<typeof CompanyFields>, 'customFields'>,
): Domain {
  const customFields = new CustomFields({ ...core, ...needs });
  const companyFields = new CompanyFields({ ...core, ...needs, customFields });
  return {
    tables: companyFieldTables,
    routes: (app) => companyFieldRoutes(app, { companyFields, customFields }),
  };
}
