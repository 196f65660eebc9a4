import { AddDeviceRequest, Device, DeviceList } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../access/callers.ts';
import { shortUserAgent } from '../../../access/user-agent.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { DeviceCaller, Devices } from './devices.ts';

export function deviceRoutes(app: App, { devices }: { devices: Devices }): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'GET /api/person/devices',
    {
      summary: 'Browsers that push messages wake',
      description:
        'push.enabled says whether this platform sends any; application_server_key is what a browser subscribes with.',
      ok: DeviceList,
    },
    (request) => devices.list(callerOf(request)),
  );

  route(
    'POST /api/person/devices',
    {
      errors: ['people.devices_limit', 'people.push_off', 'people.push_subscription_invalid'],
      summary: 'Wake this browser',
      description:
        'The body is the PushSubscription of the browser as JSON. The same subscription again replaces the one before.',
      body: AddDeviceRequest,
      created: Device,
    },
    (request) => devices.add(callerOf(request), request.body, shortUserAgent(request.headers['user-agent'])),
  );

  route(
    'DELETE /api/person/devices/:id',
    { errors: ['people.device_not_found'], summary: 'Wake a browser no more' },
    (request) => devices.remove(callerOf(request), request.params.id),
  );
}

function callerOf(request: FastifyRequest): DeviceCaller {
  const { principal } = request;
  const sessionId = principal?.kind === 'person' ? principal.sessionId : undefined;
  return { personId: personOf(request), sessionId };
}
