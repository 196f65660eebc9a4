import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import {
  DisplayName,
  EncryptedPrivateKey,
  Exact,
  Id,
  Label,
  Nullable,
  Slug,
  shownText,
  Time,
  WrapperInput,
} from './common.ts';
import { CompanyRequestField } from './company-data.ts';
import { NamedRowPlugin, RowPluginInput } from './plugins.ts';

export const Audience = Type.Union([Type.Literal('person'), Type.Literal('company'), Type.Literal('both')]);
export type Audience = Static<typeof Audience>;

/** Wire 2.2. The last two are additions: a PEM for the download, and the passphrase sealed to the recovery key. */
export const CreateServiceRequest = Exact({
  name: DisplayName,
  admin_email: Type.String({ maxLength: 254 }),
  public_key: Type.String({ maxLength: 600 }),
  encrypted_private_key: EncryptedPrivateKey,
  private_key_pem: Type.Optional(Type.String({ maxLength: 8000 })),
  passphrase_recovery_copy: Type.Optional(WrapperInput),
});
export type CreateServiceRequest = Static<typeof CreateServiceRequest>;

export const Service = Type.Object({
  id: Id,
  name: Type.String(),
  share_code: Type.String(),
  company_code: Type.String(),
  admin_email: Type.String(),
  audience: Audience,
  require_2fa: Type.Boolean(),
  number_matching: Type.Boolean(),
  public_key: Type.String(),
  public_key_sha256: Type.String(),
  connection_count: Type.Integer(),
  created_at: Time,
  updated_at: Time,
});
export type Service = Static<typeof Service>;

export const RenameServiceRequest = Exact({ name: DisplayName });
export const ShareCodeRequest = Exact({ share_code: Type.String({ pattern: limits.serviceShareCode }) });
export const AdminEmailRequest = Exact({ admin_email: Type.String({ maxLength: 254 }) });
export const AudienceRequest = Exact({ audience: Audience });
export const RequireTwoFactorRequest = Exact({ require_2fa: Type.Boolean() });
export const NumberMatchingRequest = Exact({ number_matching: Type.Boolean() });

/** Why a row is asked: the company's own words, for those who are asked. There is none where it says nothing. */
export const RowReason = Type.Optional(Type.String({ description: 'why it is asked, one line' }));

/** A row of the request-field configuration as it is published. Its slug identifies it. */
export const RequestFieldInput = Exact({
  slug: Slug,
  label: Label,
  type: Type.String({ minLength: 1, maxLength: 40 }),
  one_time: Type.Optional(Type.Boolean()),
  mandatory_provide: Type.Optional(Type.Boolean()),
  mandatory_connected: Type.Optional(Type.Boolean()),
  verified: Type.Optional(Type.Boolean()),
  verified_max_age_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 36500 }))),
  audience: Type.Optional(Audience),
  reason: Type.Optional(Nullable(shownText(limits.requestReasonMost))),
  plugin: Type.Optional(Nullable(RowPluginInput)),
});
export type RequestFieldInput = Static<typeof RequestFieldInput>;
export const RequestField = Type.Object({
  ...CompanyRequestField.properties,
  audience: Audience,
  reason: RowReason,
  plugin: Type.Optional(NamedRowPlugin),
});
export type RequestField = Static<typeof RequestField>;
export const RequestFieldConfig = Type.Object({
  config_token: Type.String(),
  version: Type.Integer(),
  request_fields: Type.Array(RequestField),
});
export type RequestFieldConfig = Static<typeof RequestFieldConfig>;
export const PublishRequestFieldsRequest = Exact({
  config_token: Type.String({ maxLength: 100 }),
  request_fields: Type.Array(RequestFieldInput, { maxItems: limits.requestFieldsMost }),
});
export type PublishRequestFieldsRequest = Static<typeof PublishRequestFieldsRequest>;

/** A row that the service shows about itself: plaintext by design (wire 2.3). */
export const ShareField = Type.Object({
  slug: Type.String(),
  label: Type.String(),
  type: Type.String(),
  value: Type.String(),
});
export type ShareField = Static<typeof ShareField>;
export const ShareFieldInput = Exact({
  slug: Slug,
  label: Label,
  type: Type.String({ minLength: 1, maxLength: 40 }),
  value: Type.String({ minLength: 1, maxLength: 10_000 }),
});
export const ShareFieldConfig = Type.Object({
  config_token: Type.String(),
  version: Type.Integer(),
  share_fields: Type.Array(ShareField),
});
export type ShareFieldConfig = Static<typeof ShareFieldConfig>;
export const PublishShareFieldsRequest = Exact({
  config_token: Type.String({ maxLength: 100 }),
  share_fields: Type.Array(ShareFieldInput, { maxItems: limits.requestFieldsMost }),
});
export type PublishShareFieldsRequest = Static<typeof PublishShareFieldsRequest>;

/** A new key pair that replaces the current one, by the recipe of wire 2.2. */
export const ReplaceServiceKeyRequest = Exact({
  public_key: CreateServiceRequest.properties.public_key,
  encrypted_private_key: CreateServiceRequest.properties.encrypted_private_key,
  private_key_pem: CreateServiceRequest.properties.private_key_pem,
  passphrase_recovery_copy: CreateServiceRequest.properties.passphrase_recovery_copy,
});
export type ReplaceServiceKeyRequest = Static<typeof ReplaceServiceKeyRequest>;

export const ServicePrivateKey = Type.Object({
  service_id: Id,
  public_key: Type.String(),
  public_key_sha256: Type.String(),
  encrypted_private_key: EncryptedPrivateKey,
});
export type ServicePrivateKey = Static<typeof ServicePrivateKey>;

/** A replaced key. Values that were sealed to it open only with it. */
export const FormerServiceKey = Type.Object({
  public_key: Type.String(),
  public_key_sha256: Type.String(),
  encrypted_private_key: EncryptedPrivateKey,
  private_key_pem: Nullable(Type.String()),
  replaced_at: Time,
});
export type FormerServiceKey = Static<typeof FormerServiceKey>;
export const FormerServiceKeyList = Type.Object({ keys: Type.Array(FormerServiceKey) });

export const ServiceJob = Type.Object({
  id: Id,
  kind: Type.String({ description: 'what is done; more kinds may come' }),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done')]),
  done: Type.Integer({ minimum: 0 }),
  total: Nullable(Type.Integer({ minimum: 0, description: 'null while it is not known' })),
  created_at: Time,
  updated_at: Time,
  finished_at: Nullable(Time),
});
export type ServiceJob = Static<typeof ServiceJob>;
export const ServiceJobList = Type.Object({ jobs: Type.Array(ServiceJob) });

export const DataClient = Type.Object({
  client_id: Type.String(),
  service_id: Id,
  grant_types: Type.Array(Type.String()),
  endpoints: Type.Array(Type.String({ description: 'glob pattern of the whitelist' })),
  created_at: Time,
  secret_created_at: Time,
});
export type DataClient = Static<typeof DataClient>;
export const DataClientWithSecret = Type.Object({
  ...DataClient.properties,
  client_secret: Type.String({ description: 'shown this once' }),
});
export type DataClientWithSecret = Static<typeof DataClientWithSecret>;
