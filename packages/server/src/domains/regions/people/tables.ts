import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    remote_slots: RemoteSlotRow;
    remote_service_keys: RemoteServiceKeyRow;
    remote_request_rows: RemoteRequestRow;
  }
}

/** At a person's home: a live slot in another region, which gets every new value of the field. */
export interface RemoteSlotRow {
  person_id: string;
  field_id: string;
  registration: string;
  company_id: string;
  service_id: string;
  connection_id: string;
  request_field_id: string;
  slug: string;
  /** When it was registered; a newer one is in `remote_service_keys`. */
  service_public_key: string;
  /** The field may not be deleted while the slot exists. As it was registered; what changed is in `remote_request_rows`. */
  mandatory: Flag;
  registered_at: number;
  /** The version of the field whose value the slot has; null where it was registered before that was kept. */
  field_version: number | null;
}

/** The newest key of a service in another region that was replaced there. */
export interface RemoteServiceKeyRow {
  company_id: string;
  service_id: string;
  public_key: string;
}

/** Whether a request row in another region is mandatory, since that was changed there. */
export interface RemoteRequestRow {
  company_id: string;
  request_field_id: string;
  mandatory: Flag;
}

export const remotePersonTables = defineTables({
  remote_slots: {
    key: ['person_id', 'registration'],
    belongsTo: { persons: 'person_id', companies: 'company_id' },
    // The rows belong to the people, who stay.
    move: 'stays',
  },
  remote_service_keys: {
    key: ['company_id', 'service_id'],
    belongsTo: { companies: 'company_id' },
    move: 'stays',
  },
  remote_request_rows: {
    key: ['company_id', 'request_field_id'],
    belongsTo: { companies: 'company_id' },
    move: 'stays',
  },
});
