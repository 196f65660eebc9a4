import { dirname, resolve } from 'node:path';
import {
  AppType,
  AudienceRequest,
  ClaimConfig,
  ClaimsDelivery,
  CreateServiceRequest,
  Exact,
  IdTokenAlgorithm,
  limits,
  RequestFieldInput,
  ShareFieldInput,
  WebhookRequest,
} from '@symbolon/protocol';
import { type Static, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { Problem } from '../problem.ts';
import { readStructured } from '../resources/structured-file.ts';

const PARTS_MOST = 500;
const { hmac_secret, auth_token, auth_password, auth_header_value, ...sent } = WebhookRequest.properties;
/** Secrets of a webhook stand in files of their own, whose paths are relative to the company's file. */
const Path = Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }));
export const secretMembers = Object.keys({ hmac_secret, auth_token, auth_password, auth_header_value });

const WebhookPart = Exact({
  ...sent,
  hmac_secret_file: Path,
  auth_token_file: Path,
  auth_password_file: Path,
  auth_header_value_file: Path,
});
const ServicePart = Exact({
  code: Type.String({ pattern: limits.serviceShareCode }),
  name: CreateServiceRequest.properties.name,
  admin_email: CreateServiceRequest.properties.admin_email,
  audience: Type.Optional(AudienceRequest.properties.audience),
  require_2fa: Type.Optional(Type.Boolean()),
  number_matching: Type.Optional(Type.Boolean()),
  fields: Type.Optional(Type.Array(RequestFieldInput, { maxItems: limits.requestFieldsMost })),
  share_fields: Type.Optional(Type.Array(ShareFieldInput, { maxItems: limits.requestFieldsMost })),
  webhooks: Type.Optional(Type.Array(WebhookPart, { maxItems: PARTS_MOST })),
});
const AppPart = Exact({
  name: CreateServiceRequest.properties.name,
  redirect_uris: Type.Array(Type.String({ maxLength: 2000 }), {
    minItems: 1,
    maxItems: limits.redirectUrisMost,
    uniqueItems: true,
  }),
  app_type: Type.Optional(AppType),
  service: Type.Optional(Type.String({ pattern: limits.serviceShareCode })),
  claims_delivery: Type.Optional(ClaimsDelivery),
  require_2fa: Type.Optional(Type.Boolean()),
  detached: Type.Optional(Type.Boolean()),
  claim_config: Type.Optional(ClaimConfig),
  id_token_signed_response_alg: Type.Optional(IdTokenAlgorithm),
  public_key: Type.Optional(Type.String({ maxLength: 600 })),
});
const CompanyShape = Exact({
  version: Type.Literal(1),
  company: Type.Optional(Type.String({ maxLength: 20 })),
  services: Type.Optional(Type.Array(ServicePart, { maxItems: PARTS_MOST })),
  apps: Type.Optional(Type.Array(AppPart, { maxItems: PARTS_MOST })),
});

export type CompanyFile = Static<typeof CompanyShape>;
export type WantedService = Static<typeof ServicePart>;
export type WantedWebhook = Static<typeof WebhookPart>;
export type WantedApp = Static<typeof AppPart>;

/** A company as a file says it, and the folder that paths in it are relative to. */
export type Wanted = { file: CompanyFile; folder: string };

/** @throws Problem, which says where, for what has not the shape, names something twice or names a service that it has not */
export async function readCompanyFile(path: string): Promise<Wanted> {
  const read = await readStructured(path);
  const wrong = [...new Map(Errors(CompanyShape, read).map((error) => [error.instancePath, error])).values()];
  if (wrong.length > 0) {
    const places = wrong.slice(0, SHOWN_MOST).map((error) => `${error.instancePath || '/'} ${error.message}`);
    throw new Problem(`${path} is no file of a company: ${places.join('; ')}.`, { exitCode: 2 });
  }
  const file = read as CompanyFile;
  const { services = [], apps = [] } = file;
  refuseTwice(
    'services',
    services.map(({ code }) => code),
  );
  refuseTwice(
    'apps',
    apps.map(({ name }) => name),
  );
  for (const { code, fields = [], share_fields = [], webhooks = [] } of services) {
    refuseTwice(
      `fields of ${code}`,
      fields.map(({ slug }) => slug),
    );
    refuseTwice(
      `share_fields of ${code}`,
      share_fields.map(({ slug }) => slug),
    );
    refuseTwice(
      `webhooks of ${code}`,
      webhooks.map(({ url }) => url),
    );
  }
  return { file, folder: path === '-' ? process.cwd() : dirname(resolve(path)) };
}

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Problem(`The ${what} have ${twice} twice.`, { exitCode: 2 });
}

const SHOWN_MOST = 5;
