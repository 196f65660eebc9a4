import { ANY, COMPANY, DATA, PORTAL } from './callers.ts';
import type { Resource } from './types.ts';

const PEOPLE: Resource = {
  name: 'people',
  does: 'people and companies that are connected to a service, by its data client; values stay sealed',
  as: DATA,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them; symbolon connections opens what they share',
      call: 'GET /api/company-data/connections',
      items: 'items',
      paged: 'offset',
      columns: ['connection_id', 'display_name', 'share_code', 'customer_type', 'connected_at'],
      examples: ['people list --config client.json', 'people list --limit 10 --json'],
    },
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/company-data/connections/{connection}',
      args: ['connection'],
      examples: ['people get CONNECTION_ID --config client.json'],
    },
    {
      name: 'delete',
      does: 'end the connection',
      call: 'DELETE /api/company-data/connections/{connection}',
      args: ['connection'],
      asks: 'The service can no longer read what they shared.',
      examples: ['people delete CONNECTION_ID --config client.json --yes'],
    },
    {
      name: 'asked',
      does: 'list what they are asked, with the fields of published flows',
      call: 'GET /api/company-data/request-fields',
      items: 'request_fields',
      columns: ['slug', 'type', 'label', 'mandatory_provide'],
      examples: ['people asked --config client.json'],
    },
  ],
};

const LOGS: Resource = {
  name: 'logs',
  does: 'what happened',
  as: DATA,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'the log of a service, the latest first, by its data client',
      call: 'GET /api/company-data/logs',
      items: 'items',
      paged: 'before',
      columns: ['created_at', 'type', 'message'],
      examples: ['logs list --config client.json', 'logs list --limit 20 --json'],
    },
    {
      name: 'audit',
      does: 'who did what to the account, the latest first, by a login of the portal',
      call: 'GET /api/account/audit-log',
      items: 'items',
      paged: 'before',
      columns: ['at', 'action', 'target', 'actor'],
      as: PORTAL,
      examples: ['logs audit --limit 20'],
    },
  ],
};

const KEYS: Resource = {
  name: 'keys',
  does: 'keys',
  as: ANY,
  verbs: [
    {
      name: 'get',
      does: 'show the public key that the platform names for a person, a company or a service',
      call: 'GET /api/keys/{code}/{service-code?}',
      args: ['code', 'service-code?'],
      examples: ['keys get ACME SHOP', 'keys get K7QX2M --json'],
    },
  ],
};

const STATUSES = ['offering', 'ready_to_sign', 'active', 'active_but_ending', 'ended'];
const DOCUMENTS: Resource = {
  name: 'documents',
  does: 'documents',
  as: DATA,
  verbs: [
    {
      name: 'get',
      does: 'show one',
      call: 'GET /api/company-data/documents/{document}',
      args: ['document'],
      examples: ['documents get DOCUMENT_ID --config client.json'],
    },
    {
      name: 'set',
      does: 'change what is given, and keep the rest',
      call: 'PUT /api/company-data/documents/{document}',
      args: ['document'],
      options: [
        { member: 'status', does: 'what it is now; send it alone', choices: STATUSES },
        { member: 'name', does: 'what people see' },
        { member: 'description', does: 'of what it is', clears: true },
      ],
      fileOnly: ['metadata'],
      examples: ['documents set DOCUMENT_ID --status ended'],
    },
    {
      name: 'delete',
      does: 'delete one',
      call: 'DELETE /api/company-data/documents/{document}',
      args: ['document'],
      asks: 'The customers lose it too.',
      examples: ['documents delete DOCUMENT_ID --yes'],
    },
  ],
};

const FLOW_PATH = '/api/services/{service}/flows/{flow}';
const FLOWS: Resource = {
  name: 'flows',
  does: 'flows',
  as: COMPANY,
  verbs: [
    {
      name: 'get',
      does: 'show one with its draft',
      call: `GET ${FLOW_PATH}`,
      args: ['flow'],
      examples: ['flows get FLOW_ID --json'],
    },
    {
      name: 'create',
      does: 'create a draft',
      call: 'POST /api/services/{service}/flows',
      options: [{ member: 'name', does: 'what it is called' }],
      fileOnly: ['definition'],
      examples: ['flows create --name Lease', 'flows create --file lease.json'],
    },
    {
      name: 'set',
      does: 'change the draft that was read',
      call: `PUT ${FLOW_PATH}`,
      args: ['flow'],
      options: [
        { member: 'revision', does: 'the one that was read', kind: 'whole', required: true },
        { member: 'name', does: 'what it is called' },
      ],
      fileOnly: ['definition'],
      examples: ['flows set FLOW_ID --revision 3 --name Lease'],
    },
    {
      name: 'check',
      does: 'say what keeps the draft from being published',
      call: `POST ${FLOW_PATH}/check`,
      args: ['flow'],
      examples: ['flows check FLOW_ID'],
    },
    {
      name: 'versions',
      does: 'list what was published',
      call: `GET ${FLOW_PATH}/versions`,
      args: ['flow'],
      items: 'versions',
      columns: ['version', 'name', 'published_at'],
      examples: ['flows versions FLOW_ID'],
    },
    {
      name: 'delete',
      does: 'delete one',
      call: `DELETE ${FLOW_PATH}`,
      args: ['flow'],
      asks: 'Its draft and its versions are gone.',
      examples: ['flows delete FLOW_ID --yes'],
    },
  ],
};

const RUN_PATH = '/api/company-data/flow-runs/{run}';
const RUNS: Resource = {
  name: 'runs',
  does: 'runs of flows, by the data client; values stay sealed',
  as: DATA,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list them, the latest first',
      call: 'GET /api/company-data/flow-runs',
      options: [{ member: 'status', does: 'only these; awaiting_company: those whose turn is yours' }],
      items: 'items',
      paged: 'offset',
      columns: ['id', 'status', 'reference', 'created_at'],
      examples: ['runs list --config client.json', 'runs list --status awaiting_company --json'],
    },
    {
      name: 'get',
      does: 'show one',
      call: `GET ${RUN_PATH}`,
      args: ['run'],
      examples: ['runs get RUN_ID --json'],
    },
    {
      name: 'cancel',
      does: 'end one',
      call: `POST ${RUN_PATH}/cancel`,
      args: ['run'],
      asks: 'No party can answer it any more.',
      examples: ['runs cancel RUN_ID --yes'],
    },
  ],
};

const CUSTOMER: Resource = {
  name: 'customer',
  does: "the company as a customer of other companies' services",
  as: COMPANY,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      does: 'list the companies it is connected to',
      call: 'GET /api/company-connections',
      items: 'connections',
      columns: ['id', 'company'],
      examples: ['customer', 'customer list --json'],
    },
    {
      name: 'get',
      does: 'show one connection',
      call: 'GET /api/company-connections/{id}',
      args: ['id'],
      examples: ['customer get CONNECTION_ID --json'],
    },
    {
      name: 'lookup',
      does: 'show what a company, or one of its services, is and asks',
      call: 'GET /api/company-connections/lookup/{code}/{service-code?}',
      args: ['code', 'service-code?'],
      examples: ['customer lookup ACME SHOP'],
    },
    {
      name: 'consents',
      does: 'list questions that wait for an answer',
      call: 'GET /api/company-connections/consents',
      items: 'consents',
      examples: ['customer consents --json'],
    },
    {
      name: 'decline',
      does: 'decline a question',
      call: 'POST /api/company-connections/consents/{id}/decline',
      args: ['id'],
      options: [{ member: 'request_field_ids', does: 'which of its rows; left out: all', kind: 'list' }],
      asks: 'The company that asked hears of it.',
      examples: ['customer decline CONSENT_ID --yes'],
    },
    {
      name: 'delete',
      does: 'end a connection with all its services',
      call: 'DELETE /api/company-connections/{id}',
      args: ['id'],
      asks: 'The other company can no longer read what was shared.',
      examples: ['customer delete CONNECTION_ID --yes'],
    },
  ],
};

export const DATA_RESOURCES: readonly Resource[] = [PEOPLE, LOGS, KEYS, DOCUMENTS, FLOWS, RUNS, CUSTOMER];
