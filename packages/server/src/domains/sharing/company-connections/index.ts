import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import { businessCards } from '../../profile/index.ts';
import type { Connections } from '../connections/index.ts';
import { CompanyConnections } from './company-connections.ts';
import { CompanyConsents } from './company-consents.ts';
import { companyConnectionRoutes } from './routes.ts';

/** A company as the customer of other companies' services. */
export function createCompanyConnections(
  core: Core,
  needs: { connections: Connections; registry: FieldTypeRegistry; outbox: Outbox; audit: Audit },
): Domain {
  const companyConnections = new CompanyConnections({ ...core, ...needs, profilesOf: businessCards });
  const companyConsents = new CompanyConsents({ ...core, ...needs, companyConnections });
  return { routes: (app) => companyConnectionRoutes(app, { companyConnections, companyConsents }) };
}
