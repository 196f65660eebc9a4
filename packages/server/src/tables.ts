import type { Table } from './db/table-registry.ts';
import { dbTables } from './db/tables.ts';
import { accountClientTables } from './domains/clients/account-clients/tables.ts';
import { clientTables } from './domains/clients/data-clients/tables.ts';
import { oauthAppTables } from './domains/clients/oauth-apps/tables.ts';
import { webhookTables } from './domains/delivery/webhooks/tables.ts';
import { delegateTables } from './domains/identity/delegates/tables.ts';
import { fieldTables } from './domains/identity/fields/tables.ts';
import { peopleTables } from './domains/identity/people/tables.ts';
import { portalTables } from './domains/identity/portal/tables.ts';
import { recoveryTables } from './domains/identity/recovery/tables.ts';
import { blobTables } from './domains/operations/blobs/tables.ts';
import { journalTables } from './domains/operations/journal/tables.ts';
import { serviceLogTables } from './domains/operations/service-log/tables.ts';
import { companyFieldTables } from './domains/profile/company-fields/tables.ts';
import { photoTables } from './domains/profile/photos/tables.ts';
import { directoryTables } from './domains/regions/directory/tables.ts';
import { messageTables } from './domains/regions/messages/tables.ts';
import { moveTables } from './domains/regions/moves/tables.ts';
import { remotePersonTables } from './domains/regions/people/tables.ts';
import { registryTables } from './domains/registry/tables.ts';
import { shareCodeTables } from './domains/services/keys/tables.ts';
import { serviceTables } from './domains/services/services/tables.ts';
import { connectionTables } from './domains/sharing/connections/tables.ts';
import { eventTables } from './events/tables.ts';

/** Every table of the database: what belongs to a row of another table comes after that table. */
export const tables: readonly Table[] = [
  ...dbTables,
  ...registryTables,
  ...portalTables,
  ...delegateTables,
  ...peopleTables,
  ...fieldTables,
  ...shareCodeTables,
  ...serviceTables,
  ...clientTables,
  ...accountClientTables,
  ...oauthAppTables,
  ...recoveryTables,
  ...companyFieldTables,
  ...photoTables,
  ...webhookTables,
  ...connectionTables,
  ...eventTables,
  ...serviceLogTables,
  ...journalTables,
  ...blobTables,
  ...remotePersonTables,
  ...messageTables,
  ...directoryTables,
  ...moveTables,
];
