import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact, Id, NewestPageQuery, Nullable, Page, rowPlace, Time } from './common.ts';
import { RowPlugin } from './plugins.ts';

export const Whoami = Type.Object({
  company_user_id: Id,
  service_id: Id,
  company_name: Type.Optional(Type.String({ description: 'when asked for' })),
  service_name: Type.Optional(Type.String({ description: 'when asked for' })),
});
export type Whoami = Static<typeof Whoami>;
export const WhoamiQuery = Exact({
  names: Type.Optional(Type.Boolean({ description: 'tell the names of both as well' })),
});

/** A request row as the company's backend reads it; it has no `audience` (wire 2.5). */
export const CompanyRequestField = Type.Object({
  id: Id,
  slug: Type.String(),
  label: Type.String(),
  type: Type.String(),
  one_time: Type.Boolean(),
  mandatory_provide: Type.Boolean(),
  mandatory_connected: Type.Boolean(),
  verified: Type.Boolean(),
  verified_max_age_days: Nullable(Type.Integer()),
  plugin: Type.Optional(RowPlugin),
});
export type CompanyRequestField = Static<typeof CompanyRequestField>;
/** The same row, or a field of the latest version of a flow: then with the last three members (wire 13.9). */
export const CompanyRequestRow = Type.Object({
  ...CompanyRequestField.properties,
  id: Type.String({ description: 'of a field of a flow: the id of the flow, a dot, and the slug' }),
  flow_id: Type.Optional(Id),
  flow_name: Type.Optional(Type.String()),
  flow_version: Type.Optional(Type.Integer()),
});
export type CompanyRequestRow = Static<typeof CompanyRequestRow>;
export const CompanyRequestFields = Type.Object({ request_fields: Type.Array(CompanyRequestRow) });

/** The attestation of a value. The last three members are all present or all absent. */
export const VerificationMembers = {
  verified_hash: Type.Optional(Type.String()),
  verified_salt: Type.Optional(Type.String()),
  verified_at: Type.Optional(Time),
  verified_expires_at: Type.Optional(Time),
  verified_method: Type.Optional(Type.String()),
  verified_provider: Type.Optional(Type.String()),
  verification_id: Type.Optional(Type.String()),
};

/** One answer in a `values` map. */
export const CompanyValue = Type.Object({
  value: Type.Optional(Type.String({ description: 'the wrapper, as JSON text' })),
  value_url: Type.Optional(Type.String({ description: 'path of the binary answer' })),
  live: Type.Boolean(),
  updatedAt: Time,
  updated_at: Time,
  ...VerificationMembers,
  content_sha256: Type.Optional(Type.String()),
  expired: Type.Optional(Type.Boolean()),
  expired_at: Type.Optional(Time),
});
export type CompanyValue = Static<typeof CompanyValue>;

export const CustomerType = Type.Union([Type.Literal('person'), Type.Literal('company')]);
export type CustomerType = Static<typeof CustomerType>;

const connectionMembers = {
  user_id: Id,
  display_name: Type.String(),
  connected_at: Time,
  customer_type: CustomerType,
  share_code: Nullable(Type.String()),
  values: Type.Record(Type.String(), CompanyValue),
  values_private: Type.Record(Type.String(), Type.Boolean()),
  pending_consent: Type.Array(Type.String({ description: 'slug still unanswered' })),
};
/** A row of the connection list. */
export const CompanyConnectionRow = Type.Object({ connection_id: Id, id: Id, ...connectionMembers });
export type CompanyConnectionRow = Static<typeof CompanyConnectionRow>;
export const CompanyConnectionPage = Page(CompanyConnectionRow);
export type CompanyConnectionPage = Static<typeof CompanyConnectionPage>;
/** One connection by its id. */
export const CompanyConnection = Type.Object({ connection_id: Id, ...connectionMembers });
export type CompanyConnection = Static<typeof CompanyConnection>;

/** The customers of connections that are named, or a page of all. */
export const CustomersQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      maxLength: limits.customersAtOnce * 37 - 1,
      description: `ids of connections, with commas between them; at most ${limits.customersAtOnce}. Not together with other members`,
    }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 100, description: 'part of a name, or the beginning of a share code' }),
  ),
  kind: Type.Optional(CustomerType),
  missing: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'the id or the slug of a request row: those that are asked and have not answered it. `any`: those without some required answer',
    }),
  ),
  before: rowPlace('`next` of the page before'),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.customersAtOnce })),
});
export type CustomersQuery = Static<typeof CustomersQuery>;
/** Who a customer is, without what it shares. */
export const ServiceCustomer = Type.Object({
  connection_id: Id,
  user_id: Id,
  display_name: Type.String(),
  share_code: Nullable(Type.String()),
  customer_type: CustomerType,
  connected_at: Time,
});
export type ServiceCustomer = Static<typeof ServiceCustomer>;
export const ServiceCustomerList = Type.Object({
  customers: Type.Array(ServiceCustomer, { description: 'connections that have ended are missing' }),
  /** Where the next page begins; a search that found little so far may have more pages. */
  next: Nullable(Id),
});
export type ServiceCustomerList = Static<typeof ServiceCustomerList>;

export const NewCustomers = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'by UTC, as `2026-11-30`' }),
      connected: Type.Integer({ description: 'counted up to 10,000' }),
    }),
    { description: `the last ${limits.newCustomersDays}, the oldest first; the last one is today` },
  ),
});
export type NewCustomers = Static<typeof NewCustomers>;

export const LogEntry = Type.Object({
  id: Id,
  type: Type.String(),
  message: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
});
export type LogEntry = Static<typeof LogEntry>;
export const LogPage = Page(LogEntry);

/** An event of the feed and of webhooks (wire 6.2): common members, then those of its group. */
export const ChangeEvent = Type.Object(
  {
    id: Id,
    event: Type.String(),
    person_user_id: Id,
    share_code: Nullable(Type.String()),
    at: Time,
    customer_type: CustomerType,
    connection_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'on message_received alone: the wire knows slots by slug' }),
    ),
    slug: Type.Optional(Type.String()),
    live: Type.Optional(Type.Boolean()),
    value: Type.Optional(Type.String()),
    value_url: Type.Optional(Type.String()),
    content_sha256: Type.Optional(Nullable(Type.String({ description: 'of a file, or of what was signed' }))),
    ...VerificationMembers,
  },
  { additionalProperties: true },
);
export type ChangeEvent = Static<typeof ChangeEvent>;
export const ChangeBatch = Type.Object({ changes: Type.Array(ChangeEvent) });
export type ChangeBatch = Static<typeof ChangeBatch>;
export const ChangeFeedState = Type.Object({
  backlog: Type.Integer({ description: `events that wait, counted up to ${limits.feedCountMost}` }),
  oldest_backlog_at: Nullable(Time),
});
export type ChangeFeedState = Static<typeof ChangeFeedState>;
/** An event of a service as it was raised: what happened to whom, and nothing of what was answered. */
export const RecentEvent = Type.Object({
  id: Type.String({ description: 'the `id` with which the change feed has it' }),
  event: Type.String(),
  at: Time,
  person_user_id: Id,
  customer_type: CustomerType,
  share_code: Nullable(Type.String()),
  connection_id: Nullable(Id),
  slug: Nullable(Type.String()),
});
export type RecentEvent = Static<typeof RecentEvent>;
export const RecentEvents = Type.Object({
  ...Page(RecentEvent).properties,
  watched_until: Type.String({ description: 'until when events are noted, unless they are read again' }),
});
export type RecentEvents = Static<typeof RecentEvents>;
export const RecentEventsQuery = Type.Omit(NewestPageQuery, ['offset']);
export const DrainedAfter = rowPlace(
  'the id of the last event that the client has stored, or empty; it confirms what the client was given up to that one',
);
/** `webhook_id` drains that webhook's backlog instead of the plain feed. */
export const ChangeQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
  webhook_id: Type.Optional(Type.String({ maxLength: 64 })),
  after: DrainedAfter,
});
