import {
  ForwarderCallRequest,
  ForwarderRegistryRequest,
  ForwarderReply,
  limits,
  Nullable,
  PluginManifest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { FailureLimit } from '../../access/failure-limit.ts';
import { PlatformError } from '../../core/errors.ts';
import type { App } from '../../http/app.ts';
import { pluginErrors } from '../../http/route-errors.ts';
import { routesOf } from '../../http/routes.ts';
import type { Forwarder } from './forwarder.ts';

const BODY_BYTES = limits.pluginPassCharacters + limits.pluginRequestBytes + 4096;
const Described = Type.Object({
  ...PluginManifest.properties,
  public_key: Nullable(PluginManifest.properties.public_key),
});

/** @param prefix of the addresses: empty in a process of its own */
export function forwarderRoutes(
  app: App,
  prefix: string,
  { forwarder, failures }: { forwarder: Forwarder; failures: FailureLimit },
): void {
  // Passes are counted, and bad ones by the address of who shows them.
  const route = routesOf(app, { tags: ['forwarder'], access: 'open', limit: 'own', alwaysJson: true });
  const counted = async <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
    failures.refuseSpent('token', request.ip);
    try {
      return await work();
    } catch (error) {
      if (error instanceof PlatformError && error.key === 'plugin.pass_invalid')
        await failures.failed('token', request.ip);
      throw error;
    }
  };

  route(
    `POST ${prefix}/registry`,
    {
      errors: [...pluginErrors],
      summary: 'Have a plugin describe itself',
      description: 'Takes a registry pass. The description is stored with the plugin.',
      body: ForwarderRegistryRequest,
      bodyLimit: BODY_BYTES,
      ok: Described,
    },
    (request) => counted(request, () => forwarder.registry(request.body.pass)),
  );

  route(
    `POST ${prefix}/call`,
    {
      errors: [...pluginErrors, 'plugin.key_changed'],
      summary: 'Call a plugin',
      description:
        'Takes a pass and a request that is sealed to the key of the plugin; the reply is sealed too.',
      body: ForwarderCallRequest,
      bodyLimit: BODY_BYTES,
      ok: ForwarderReply,
    },
    (request) => counted(request, async () => ({ reply: await forwarder.call(request.body) })),
  );
}
