import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { Catalogue } from '../../registry/index.ts';
import { CompanyFields } from './company-fields.ts';
import { CustomFields } from './custom-fields.ts';
import { companyFieldRoutes } from './routes.ts';
import { companyFieldTables } from './tables.ts';

export { businessCards } from './company-fields.ts';

export function createCompanyFields(
  core: Core,
  needs: { registry: FieldTypeRegistry; catalogue: Catalogue; audit: Audit },
): Domain {
  const customFields = new CustomFields({ ...core, ...needs });
  const companyFields = new CompanyFields({ ...core, ...needs, customFields });
  return {
    tables: companyFieldTables,
    routes: (app) => companyFieldRoutes(app, { companyFields, customFields }),
  };
}
