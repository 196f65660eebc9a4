import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Clients } from '../clients/data-clients/clients.ts';
import { type Core, combine } from '../domain.ts';
import type { RecoveryCopies } from '../identity/recovery/recovery.ts';
import type { Audit } from '../operations/journal/audit.ts';
import type { ServiceLogs } from '../operations/service-log/logs.ts';
import type { Photos } from '../profile/photos/photos.ts';
import { createKeys } from './keys/index.ts';
import type { ServiceCustomers } from './ports.ts';
import { createServiceAdministration } from './services/index.ts';
import { createSharePhotos } from './share-photos/index.ts';

/** Services: what they ask for, what they share, their keys. */
export function createServices(
  core: Core,
  needs: {
    audit: Audit;
    logs: ServiceLogs;
    clients: Clients;
    recovery: RecoveryCopies;
    photos: Photos;
    registry: FieldTypeRegistry;
    customers: ServiceCustomers;
  },
) {
  const administration = createServiceAdministration(core, needs);
  const sharePhotos = createSharePhotos(core, { ...needs, ...administration });
  const keys = createKeys(core);
  return { ...administration, domain: combine(administration.domain, keys, sharePhotos) };
}
