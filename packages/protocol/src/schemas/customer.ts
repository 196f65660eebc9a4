import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Id, Nullable, Time } from './common.ts';
import { ChangeEvent, CompanyRequestField, DrainedAfter } from './company-data.ts';
import { decisionSchemas } from './decisions.ts';
import { CustomerDocument } from './documents.ts';
import { Audience, RowReason, ShareField } from './services.ts';

/** A company, as other companies see it. */
export const CompanyIdentity = Type.Object({
  user_id: Id,
  display_name: Type.String(),
  share_code: Type.String({ description: 'the company code' }),
});
export type CompanyIdentity = Static<typeof CompanyIdentity>;

/** A service a company can be a customer of: answers are sealed to its key. */
export const CustomerServiceCard = Type.Object({
  id: Id,
  name: Type.String(),
  share_code: Type.String(),
  audience: Audience,
  public_key: Type.String(),
  public_key_sha256: Type.String(),
});
export type CustomerServiceCard = Static<typeof CustomerServiceCard>;

const { id, slug, label, type, ...rules } = CompanyRequestField.properties;
/** A request row that is asked of companies. */
export const CustomerRequestField = Type.Object({
  id,
  slug,
  label,
  type,
  field_type: Type.String({ description: 'the same as type' }),
  ...rules,
  audience: Audience,
  reason: RowReason,
});
export type CustomerRequestField = Static<typeof CustomerRequestField>;

export const CustomerLookup = Type.Object({
  company: CompanyIdentity,
  service: CustomerServiceCard,
  request_fields: Type.Array(CustomerRequestField),
  shared: Type.Array(ShareField),
});
export type CustomerLookup = Static<typeof CustomerLookup>;

const schemas = decisionSchemas('typed', { upload_id: Type.Optional(Id) });
/** How a company answers one request row: always with a value of its own, or with an upload where the row is of a file type. */
export const CustomerDecision = schemas.Decision;
export type CustomerDecision = Static<typeof CustomerDecision>;
export const CustomerConnectRequest = schemas.ConnectRequest;
export type CustomerConnectRequest = Static<typeof CustomerConnectRequest>;
export const CustomerDecisionsRequest = schemas.DecisionsRequest;
export type CustomerDecisionsRequest = Static<typeof CustomerDecisionsRequest>;

export const CustomerMapping = Type.Object({
  request_field_id: Id,
  slug: Type.String(),
  kind: Type.Union([Type.Literal('typed'), Type.Literal('one_time')]),
  updated_at: Time,
});
export type CustomerMapping = Static<typeof CustomerMapping>;

/** The connection to one service of the other company. */
export const ServiceLink = Type.Object({
  service_link_id: Id,
  service_id: Id,
  service_name: Type.String(),
  service_code: Type.String(),
  shared: Type.Array(ShareField),
  mappings: Type.Array(CustomerMapping),
  pending_consent: Nullable(Type.Object({ id: Id, request_fields: Type.Array(CustomerRequestField) })),
  documents: Type.Array(CustomerDocument),
});
export type ServiceLink = Static<typeof ServiceLink>;

/** The connection of a company to another company, with the links to its services. */
export const CustomerConnection = Type.Object({
  id: Id,
  customer_type: Type.Literal('company'),
  company: CompanyIdentity,
  company_profile: Type.Array(ShareField),
  services: Type.Array(ServiceLink),
  documents: Type.Array(CustomerDocument),
});
export type CustomerConnection = Static<typeof CustomerConnection>;
export const CustomerConnectionList = Type.Object({ connections: Type.Array(CustomerConnection) });

/** What a service has asked for since the company connected. */
export const CustomerConsent = Type.Object({
  id: Id,
  connection_id: Id,
  service_link_id: Id,
  company: CompanyIdentity,
  service: CustomerServiceCard,
  request_fields: Type.Array(CustomerRequestField),
  created_at: Time,
});
export type CustomerConsent = Static<typeof CustomerConsent>;
export const CustomerConsentList = Type.Object({ consents: Type.Array(CustomerConsent) });

/**
 * An event of a customer company's account feed. In the common members the customer is the company itself; the codes name
 * the service of the event.
 */
export const CustomerChangeEvent = Type.Object(
  {
    id: Id,
    event: Type.String(),
    person_user_id: ChangeEvent.properties.person_user_id,
    share_code: ChangeEvent.properties.share_code,
    at: Time,
    customer_type: ChangeEvent.properties.customer_type,
    company_share_code: Type.String(),
    service_share_code: Type.String(),
    connection_id: Type.Optional(Id),
    service_link_id: Type.Optional(Id),
    service_public_key_sha256: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
export type CustomerChangeEvent = Static<typeof CustomerChangeEvent>;
export const CustomerChangeBatch = Type.Object({ changes: Type.Array(CustomerChangeEvent) });
export type CustomerChangeBatch = Static<typeof CustomerChangeBatch>;
export const CustomerChangeQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
  after: DrainedAfter,
});
