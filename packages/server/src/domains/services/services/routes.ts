import {
  AdminEmailRequest,
  AudienceRequest,
  CreateServiceRequest,
  DataClient,
  DataClientWithSecret,
  FormerServiceKeyList,
  Id,
  limits,
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
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Clients } from '../../clients/data-clients/clients.ts';
import type { ServiceConfig } from './service-config.ts';
import type { ServiceKeys } from './service-keys.ts';
import type { ServiceRef, Services } from './services.ts';

const params = Type.Object({ id: Id });
const access = ['portal', 'account_client'] as const;
const config = { access } as const;
const tags = ['services'];

export function serviceRoutes(
  app: App,
  {
    services,
    serviceConfig,
    serviceKeys,
    clients,
  }: { services: Services; serviceConfig: ServiceConfig; serviceKeys: ServiceKeys; clients: Clients },
): void {
  const refOf = (
    request: FastifyRequest<{ Params: { id: string } }> | { params: { id: string } },
  ): ServiceRef => ({
    companyId: companyOf(request as FastifyRequest),
    serviceId: request.params.id,
    actor: actorOf(request as FastifyRequest),
  });
  /** A reference to a service the company owns; routes of other features' rules check it first. */
  const ownedOf = async (request: { params: { id: string } }): Promise<ServiceRef> => {
    const ref = refOf(request);
    await services.get(ref);
    return ref;
  };

  app.post(
    '/api/services',
    {
      config: {
        access,
        invalidKeys: { '/admin_email': 'services.admin_email_invalid', '/name': 'services.name_invalid' },
      },
      schema: {
        tags,
        summary: 'Create a service',
        description:
          'The key pair is made by the caller, by the recipe; the platform never sees passphrase or private key.',
        body: CreateServiceRequest,
        response: { 201: Service },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await services.create(companyOf(request), request.body, actorOf(request))),
  );

  app.get(
    '/api/services',
    {
      config,
      schema: { tags, summary: 'List services', querystring: PageQuery, response: { 200: Page(Service) } },
    },
    async (request) =>
      services.list(companyOf(request), {
        limit: request.query.limit ?? limits.pageDefault,
        offset: request.query.offset ?? 0,
      }),
  );

  app.get(
    '/api/services/:id',
    { config, schema: { tags, summary: 'Read a service', params, response: { 200: Service } } },
    async (request) => services.get(refOf(request)),
  );

  app.put(
    '/api/services/:id',
    {
      config: { access, invalidKeys: { '/name': 'services.name_invalid' } },
      schema: {
        tags,
        summary: 'Rename a service',
        params,
        body: RenameServiceRequest,
        response: { 200: Service },
      },
    },
    async (request) => services.rename(refOf(request), request.body.name),
  );

  app.delete(
    '/api/services/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a service',
        params,
        querystring: Type.Object({
          confirm: Type.Optional(Type.Boolean({ description: 'end its connections too' })),
        }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await services.delete(refOf(request), request.query.confirm ?? false);
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/api/services/:id/share-code',
    {
      config: { access, invalidKeys: { '/share_code': 'services.share_code_invalid' } },
      schema: {
        tags,
        summary: 'Set the share code',
        params,
        body: ShareCodeRequest,
        response: { 200: Service },
      },
    },
    async (request) => services.setShareCode(refOf(request), request.body.share_code),
  );

  app.put(
    '/api/services/:id/admin-email',
    {
      config: { access, invalidKeys: { '/admin_email': 'services.admin_email_invalid' } },
      schema: {
        tags,
        summary: 'Set the admin e-mail',
        params,
        body: AdminEmailRequest,
        response: { 200: Service },
      },
    },
    async (request) => services.setAdminEmail(refOf(request), request.body.admin_email),
  );

  app.put(
    '/api/services/:id/audience',
    {
      config,
      schema: {
        tags,
        summary: 'Set who may connect',
        params,
        body: AudienceRequest,
        response: { 200: Service },
      },
    },
    async (request) => services.setAudience(refOf(request), request.body.audience),
  );

  app.put(
    '/api/services/:id/require-2fa',
    {
      config,
      schema: {
        tags,
        summary: 'Set the require-2fa flag',
        params,
        body: RequireTwoFactorRequest,
        response: { 200: Service },
      },
    },
    async (request) => services.setRequireTwoFactor(refOf(request), request.body.require_2fa),
  );

  app.put(
    '/api/services/:id/number-matching',
    {
      config,
      schema: {
        tags,
        summary: 'Set number matching',
        params,
        body: NumberMatchingRequest,
        response: { 200: Service },
      },
    },
    async (request) => services.setNumberMatching(refOf(request), request.body.number_matching),
  );

  app.get(
    '/api/services/:id/request-fields',
    {
      config,
      schema: { tags, summary: 'Read the request fields', params, response: { 200: RequestFieldConfig } },
    },
    async (request) => serviceConfig.requestFields(refOf(request)),
  );

  app.put(
    '/api/services/:id/request-fields',
    {
      config,
      schema: {
        tags,
        summary: 'Publish the request fields',
        description:
          'The whole new set, made from the version that config_token names; a stale token changes nothing.',
        params,
        body: PublishRequestFieldsRequest,
        response: { 200: RequestFieldConfig },
      },
    },
    async (request) => serviceConfig.publishRequestFields(refOf(request), request.body),
  );

  app.get(
    '/api/services/:id/share-fields',
    {
      config,
      schema: { tags, summary: 'Read the share fields', params, response: { 200: ShareFieldConfig } },
    },
    async (request) => serviceConfig.shareFields(refOf(request)),
  );

  app.put(
    '/api/services/:id/share-fields',
    {
      config,
      schema: {
        tags,
        summary: 'Publish the share fields',
        params,
        body: PublishShareFieldsRequest,
        response: { 200: ShareFieldConfig },
      },
    },
    async (request) => serviceConfig.publishShareFields(refOf(request), request.body),
  );

  app.put(
    '/api/services/:id/key',
    {
      config: { access, role: 'admin' },
      schema: {
        tags,
        summary: 'Replace the key pair',
        description:
          'Values that are stored keep opening with the key they were sealed to; what is given from now on is sealed to the new one.',
        params,
        body: ReplaceServiceKeyRequest,
        response: { 200: Service },
      },
    },
    async (request) => serviceKeys.replace(refOf(request), request.body),
  );

  app.get(
    '/api/services/:id/former-keys',
    {
      config,
      schema: {
        tags,
        summary: 'The key pairs that were replaced',
        description: 'Latest first, each wrapped under the passphrase of its own.',
        params,
        response: { 200: FormerServiceKeyList },
      },
    },
    async (request) => ({ keys: await serviceKeys.former(refOf(request)) }),
  );

  app.get(
    '/api/services/:id/private-key',
    {
      config,
      schema: { tags, summary: 'The wrapped private key', params, response: { 200: ServicePrivateKey } },
    },
    async (request) => services.privateKey(refOf(request)),
  );

  app.get(
    '/api/services/:id/private-key.pem',
    {
      config: { access, alwaysJson: true },
      schema: {
        tags,
        summary: 'The private key as an encrypted PKCS#8 PEM',
        params,
        response: { 200: { content: { 'application/x-pem-file': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const pem = await services.privateKeyPem(refOf(request));
      return reply
        .type('application/x-pem-file')
        .header('content-disposition', `attachment; filename="service-${request.params.id}.pem"`)
        .send(pem as never);
    },
  );

  app.post(
    '/api/services/:id/client',
    {
      config,
      schema: { tags, summary: 'Register the data client', params, response: { 201: DataClientWithSecret } },
    },
    async (request, reply) => reply.code(201).send(await clients.registerDataClient(await ownedOf(request))),
  );

  app.get(
    '/api/services/:id/client',
    { config, schema: { tags, summary: 'Read the data client', params, response: { 200: DataClient } } },
    async (request) => clients.dataClient(await ownedOf(request)),
  );

  app.post(
    '/api/services/:id/client/regenerate-secret',
    {
      config,
      schema: {
        tags,
        summary: 'Give the data client a new secret',
        params,
        response: { 200: DataClientWithSecret },
      },
    },
    async (request) => clients.regenerateSecret(await ownedOf(request)),
  );

  app.delete(
    '/api/services/:id/client',
    { config, schema: { tags, summary: 'Delete the data client', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await clients.deleteDataClient(await ownedOf(request));
      return reply.code(204).send(null);
    },
  );
}
