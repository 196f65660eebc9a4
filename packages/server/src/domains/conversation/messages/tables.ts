import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    message_threads: MessageThreadRow;
    messages: MessageRow;
  }
}

/** The messages of one connection, as a whole. It goes with the connection. */
export interface MessageThreadRow {
  company_id: string;
  connection_id: string;
  service_id: string;
  /** Of the newest message: ids grow within a thread, whichever process makes them. */
  last_id: string;
  message_count: number;
  /** The login of the company that looks after it. A login may be gone. */
  assigned_to: string | null;
  /** 1 from a message of the customer until staff says that it is done. */
  is_open: number;
}

export interface MessageRow {
  company_id: string;
  connection_id: string;
  id: string;
  sender: 'service' | 'customer';
  /** JSON of wrappers: the copy for the service key, and the one for the customer's. */
  service_body: string;
  customer_body: string;
  created_at: number;
  /** When the recipient read it. */
  read_at: number | null;
}

const ofConnection = { companies: 'company_id', connections: 'connection_id' } as const;

export const messageTables = defineTables({
  message_threads: { key: ['company_id', 'connection_id'], belongsTo: ofConnection, move: {} },
  messages: {
    key: ['company_id', 'connection_id', 'id'],
    belongsTo: ofConnection,
    move: { page: VALUES_PAGE, bulk: true },
  },
});
