import {
  AddedPlugin,
  AddPluginRequest,
  EnablePluginRequest,
  Plugin,
  PluginList,
  RegistryPass,
  UpdatePluginRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { PluginCall, Plugins } from './plugins.ts';

const PATH = '/api/account/plugins';
const invalidKeys = {
  '': 'plugins.body_invalid',
  '/base_url': 'plugins.body_invalid',
  '/token': 'plugins.body_invalid',
} as const;

const callOf = (request: FastifyRequest): PluginCall => ({
  companyId: companyOf(request),
  actor: actorOf(request),
  host: request.headers.host,
});

export function pluginRoutes(app: App, { plugins }: { readonly plugins: Plugins }): void {
  const route = routesOf(app, { tags: ['plugins'], access: ['portal'] });

  route(`GET ${PATH}`, { summary: 'List plugins', ok: PluginList }, (request) =>
    plugins.list(companyOf(request)),
  );

  route(
    `POST ${PATH}`,
    {
      errors: ['plugins.duplicate', 'plugins.limit_reached', 'plugins.url_invalid'],
      summary: 'Add a plugin',
      description:
        'Takes the base URL of an HTTPS server of the company. Show the pass to the forwarder next.',
      invalidKeys,
      body: AddPluginRequest,
      created: AddedPlugin,
    },
    (request) => plugins.add(callOf(request), request.body),
  );

  route(
    `POST ${PATH}/builtin/:key`,
    {
      errors: ['plugins.builtin_unknown', 'plugins.duplicate', 'plugins.limit_reached'],
      summary: 'Switch a plugin of the platform on',
      params: { key: Type.String({ maxLength: 100 }) },
      invalidKeys: { '/token': 'plugins.builtin_token_locked' },
      body: EnablePluginRequest,
      created: AddedPlugin,
    },
    (request) => plugins.enable(callOf(request), request.params.key),
  );

  route(
    `PUT ${PATH}/:id`,
    {
      errors: ['plugins.builtin_token_locked', 'plugins.not_found'],
      summary: 'Replace the token of a plugin',
      description: 'An empty text keeps the stored token, null clears it.',
      invalidKeys,
      body: UpdatePluginRequest,
      ok: Plugin,
    },
    (request) => plugins.setToken(callOf(request), request.params.id, request.body.token),
  );

  route(
    `POST ${PATH}/:id/registry-pass`,
    {
      errors: ['plugins.not_found'],
      summary: 'A pass to refresh the description of a plugin',
      ok: RegistryPass,
    },
    (request) => plugins.registryPass(callOf(request), request.params.id),
  );

  route(
    `DELETE ${PATH}/:id`,
    { errors: ['plugins.in_use', 'plugins.not_found'], summary: 'Delete a plugin that nothing uses' },
    (request) => plugins.delete(callOf(request), request.params.id),
  );
}
