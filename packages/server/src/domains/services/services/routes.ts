import {
  AdminEmailRequest,
  AudienceRequest,
  CreateServiceRequest,
  DataClient,
  DataClientWithSecret,
  FormerServiceKeyList,
  NumberMatchingRequest,
  Page,
  PageQuery,
  PublishRequestFieldsRequest,
  PublishShareFieldsRequest,
  RenameServiceRequest,
  ReplaceServiceKeyRequest,
  RequestFieldConfig,
  RequireTwoFactorRequest,
  Service,
  ServicePrivateKey,
  ShareCodeRequest,
  ShareFieldConfig,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { actorOf, companyOf, namedService, type OfService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { pageOf } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Clients } from '../../clients/index.ts';
import type { ServiceConfig } from './service-config.ts';
import type { KeyReading, ServiceKeys } from './service-keys.ts';
import type { ServiceRef, Services } from './services.ts';

interface Rules {
  readonly services: Services;
  readonly serviceConfig: ServiceConfig;
  readonly serviceKeys: ServiceKeys;
  readonly clients: Clients;
  /** The name of the header that a proof of presence comes in, in lower case. */
  readonly proofHeader: string;
}

const PROOF = 'A portal session sends a proof of POST /api/account/proofs for this request.';

type Route = ReturnType<typeof routesOf>;
export function serviceRoutes(app: App, rules: Rules): void {
  const route = routesOf(app, { tags: ['services'], access: ['portal', 'account_client'] });
  propertyRoutes(route, rules);
  configRoutes(route, rules);
  keyRoutes(route, rules);
  dataClientRoutes(route, rules);
}

function refOf(request: OfService): ServiceRef {
  return { ...namedService(request), actor: actorOf(request) };
}

/** A service that the company owns; rules of other features do not check that. */
async function ownedOf(request: OfService, services: Services): Promise<ServiceRef> {
  const ref = refOf(request);
  await services.get(ref);
  return ref;
}

/** Long because it declares its routes one after the other. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
function propertyRoutes(route: Route, { services }: Rules): void {
  route(
    'POST /api/services',
    {
      errors: [
        'contact_data.wrapper_invalid',
        'services.admin_email_invalid',
        'services.encrypted_private_key_invalid',
        'services.limit_reached',
        'services.name_invalid',
        'services.private_key_pem_invalid',
        'services.public_key_invalid',
      ],
      summary: 'Create a service',
      description:
        'The key pair is made by the caller, by the recipe; the platform never sees passphrase or private key.',
      invalidKeys: { '/admin_email': 'services.admin_email_invalid', '/name': 'services.name_invalid' },
      body: CreateServiceRequest,
      created: Service,
    },
    (request) => services.create(companyOf(request), request.body, actorOf(request)),
  );

  route('GET /api/services', { summary: 'List services', query: PageQuery, ok: Page(Service) }, (request) =>
    services.list(companyOf(request), pageOf(request.query)),
  );

  route(
    'GET /api/services/:id',
    { errors: ['services.not_found'], summary: 'Read a service', ok: Service },
    (request) => services.get(refOf(request)),
  );

  route(
    'PUT /api/services/:id',
    {
      errors: ['services.name_invalid', 'services.not_found'],
      summary: 'Rename a service',
      invalidKeys: { '/name': 'services.name_invalid' },
      body: RenameServiceRequest,
      ok: Service,
    },
    (request) => services.rename(refOf(request), request.body.name),
  );

  route(
    'DELETE /api/services/:id',
    {
      errors: ['services.has_connections', 'services.not_found'],
      summary: 'Delete a service',
      query: Type.Object({
        confirm: Type.Optional(Type.Boolean({ description: 'end its connections too' })),
      }),
    },
    (request) => services.delete(refOf(request), request.query.confirm ?? false),
  );

  route(
    'PUT /api/services/:id/share-code',
    {
      errors: ['services.not_found', 'services.share_code_invalid', 'services.share_code_taken'],
      summary: 'Set the share code',
      invalidKeys: { '/share_code': 'services.share_code_invalid' },
      body: ShareCodeRequest,
      ok: Service,
    },
    (request) => services.setShareCode(refOf(request), request.body.share_code),
  );

  route(
    'PUT /api/services/:id/admin-email',
    {
      errors: ['services.admin_email_invalid', 'services.not_found'],
      summary: 'Set the admin e-mail',
      invalidKeys: { '/admin_email': 'services.admin_email_invalid' },
      body: AdminEmailRequest,
      ok: Service,
    },
    (request) => services.setAdminEmail(refOf(request), request.body.admin_email),
  );

  route(
    'PUT /api/services/:id/audience',
    { errors: ['services.not_found'], summary: 'Set who may connect', body: AudienceRequest, ok: Service },
    (request) => services.setAudience(refOf(request), request.body.audience),
  );

  route(
    'PUT /api/services/:id/require-2fa',
    {
      errors: ['services.not_found'],
      summary: 'Set the require-2fa flag',
      body: RequireTwoFactorRequest,
      ok: Service,
    },
    (request) => services.setRequireTwoFactor(refOf(request), request.body.require_2fa),
  );

  route(
    'PUT /api/services/:id/number-matching',
    {
      errors: ['services.not_found'],
      summary: 'Set number matching',
      body: NumberMatchingRequest,
      ok: Service,
    },
    (request) => services.setNumberMatching(refOf(request), request.body.number_matching),
  );
}

function configRoutes(route: Route, { serviceConfig }: Rules): void {
  route(
    'GET /api/services/:id/request-fields',
    { errors: ['services.not_found'], summary: 'Read the request fields', ok: RequestFieldConfig },
    (request) => serviceConfig.requestFields(refOf(request)),
  );

  route(
    'PUT /api/services/:id/request-fields',
    {
      errors: [
        'services.config_conflict',
        'services.not_found',
        'services.request_field_plugin_invalid',
        'services.request_fields_invalid',
      ],
      summary: 'Publish the request fields',
      description:
        'The whole new set, made from the version that config_token names; a stale token changes nothing.',
      body: PublishRequestFieldsRequest,
      ok: RequestFieldConfig,
    },
    (request) => serviceConfig.publishRequestFields(refOf(request), request.body),
  );

  route(
    'GET /api/services/:id/share-fields',
    { errors: ['services.not_found'], summary: 'Read the share fields', ok: ShareFieldConfig },
    (request) => serviceConfig.shareFields(refOf(request)),
  );

  route(
    'PUT /api/services/:id/share-fields',
    {
      errors: ['services.config_conflict', 'services.not_found', 'services.share_fields_invalid'],
      summary: 'Publish the share fields',
      body: PublishShareFieldsRequest,
      ok: ShareFieldConfig,
    },
    (request) => serviceConfig.publishShareFields(refOf(request), request.body),
  );
}

function keyRoutes(route: Route, { serviceKeys, proofHeader }: Rules): void {
  const readingOf = (request: OfService): KeyReading => {
    const proof = request.headers[proofHeader];
    return {
      ref: { ...refOf(request), actor: actorOf(request) },
      caller: request.principal?.kind === 'portal' ? request.principal : undefined,
      act: `GET ${request.url.split('?', 1)[0]}`,
      proof: typeof proof === 'string' ? proof : undefined,
    };
  };
  const reading = { role: 'developer' } as const;

  route(
    'PUT /api/services/:id/key',
    {
      errors: [
        'contact_data.wrapper_invalid',
        'services.encrypted_private_key_invalid',
        'services.key_reused',
        'services.not_found',
        'services.private_key_pem_invalid',
        'services.public_key_invalid',
      ],
      summary: 'Replace the key pair',
      description:
        'Values that are stored keep opening with the key they were sealed to; what is given from now on is sealed to the new one. Clients that know one key only fail on lists with values under both.',
      role: 'admin',
      body: ReplaceServiceKeyRequest,
      ok: Service,
    },
    (request) => serviceKeys.replace(refOf(request), request.body),
  );

  route(
    'GET /api/services/:id/former-keys',
    {
      errors: ['auth.proof_required', 'services.not_found'],
      summary: 'The key pairs that were replaced',
      description: `Latest first, each wrapped under its own passphrase. ${PROOF}`,
      ...reading,
      ok: FormerServiceKeyList,
    },
    async (request) => ({ keys: await serviceKeys.former(readingOf(request)) }),
  );

  route(
    'GET /api/services/:id/private-key',
    {
      errors: ['auth.proof_required', 'services.not_found'],
      summary: 'The wrapped private key',
      description: PROOF,
      ...reading,
      ok: ServicePrivateKey,
    },
    (request) => serviceKeys.privateKey(readingOf(request)),
  );

  route(
    'GET /api/services/:id/private-key.pem',
    {
      errors: ['services.not_found', 'services.private_key_pem_missing'],
      summary: 'The private key as an encrypted PKCS#8 PEM',
      description: PROOF,
      ...reading,
      alwaysJson: true,
      ok: { content: { 'application/x-pem-file': { schema: Type.String() } } },
    },
    async (request, reply) => {
      const pem = await serviceKeys.privateKeyPem(readingOf(request));
      reply
        .type('application/x-pem-file')
        .header('content-disposition', `attachment; filename="service-${request.params.id}.pem"`);
      return pem;
    },
  );
}

function dataClientRoutes(route: Route, { services, clients }: Rules): void {
  route(
    'POST /api/services/:id/client',
    {
      errors: ['services.client_exists', 'services.level_required', 'services.not_found'],
      summary: 'Register the data client',
      created: DataClientWithSecret,
    },
    async (request) => clients.registerDataClient(await ownedOf(request, services)),
  );

  route(
    'GET /api/services/:id/client',
    {
      errors: ['services.client_not_found', 'services.not_found'],
      summary: 'Read the data client',
      ok: DataClient,
    },
    async (request) => clients.dataClient(await ownedOf(request, services)),
  );

  route(
    'POST /api/services/:id/client/regenerate-secret',
    {
      errors: ['services.client_not_found', 'services.not_found'],
      summary: 'Give the data client a new secret',
      ok: DataClientWithSecret,
    },
    async (request) => clients.regenerateSecret(await ownedOf(request, services)),
  );

  route(
    'DELETE /api/services/:id/client',
    { errors: ['services.client_not_found', 'services.not_found'], summary: 'Delete the data client' },
    async (request) => clients.deleteDataClient(await ownedOf(request, services)),
  );
}
