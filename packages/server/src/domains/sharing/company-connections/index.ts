import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { Uploads } from '../../people/index.ts';
import { businessCards } from '../../profile/index.ts';
import type { ConnectionDocuments } from '../connections/connection-documents.ts';
import type { Connections } from '../connections/connections.ts';
import { Consents } from '../connections/consents.ts';
import { CustomerConnections } from '../connections/customer-connections.ts';
import type { SlotHome } from '../connections/slot-home.ts';
import { CompanyConnections } from './company-connections.ts';
import { companySide } from './company-side.ts';
import { companyConnectionRoutes } from './routes.ts';

/** A company as the customer of other companies' services. */
export function createCompanyConnections(
  core: Core,
  needs: {
    connections: Connections;
    connectionDocuments: ConnectionDocuments;
    registry: FieldTypeRegistry;
    outbox: Outbox;
    audit: Audit;
    slotHome: SlotHome;
    uploads: Uploads;
  },
): Domain {
  const side = companySide({ ...core, ...needs });
  const customers = new CustomerConnections({ ...core, ...needs, side });
  const companyConnections = new CompanyConnections({
    ...core,
    ...needs,
    customers,
    profilesOf: businessCards,
  });
  const consents = new Consents({ ...core, customers, side });
  return { routes: (app) => companyConnectionRoutes(app, { ...needs, companyConnections, consents }) };
}
