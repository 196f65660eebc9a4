import { Pins as PinsBody, PutPinsRequest } from '@symbolon/protocol';
import { loginOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Pins } from './pins.ts';

export function pinRoutes(app: App, pins: Pins): void {
  const person = routesOf(app, { tags: ['person'], access: ['person'] });
  const portal = routesOf(app, { tags: ['portal security'], access: ['portal'], role: 'viewer' });

  person('GET /api/person/pins', { summary: READ, description: OPAQUE, ok: PinsBody }, (request) =>
    pins.ofPerson(personOf(request)),
  );
  person(
    'PUT /api/person/pins',
    { errors: ['people.pins_outdated'], summary: STORE, description: GROWS, body: PutPinsRequest },
    (request) => pins.putOfPerson(personOf(request), request.body),
  );
  portal('GET /api/account/pins', { summary: READ, description: OPAQUE, ok: PinsBody }, (request) =>
    pins.ofLogin(loginOf(request)),
  );
  portal(
    'PUT /api/account/pins',
    { errors: ['people.pins_outdated'], summary: STORE, description: GROWS, body: PutPinsRequest },
    (request) => pins.putOfLogin(loginOf(request), request.body),
  );
}

const READ = 'The keys you have confirmed';
const STORE = 'Store the keys you have confirmed';
const OPAQUE = 'One list, encrypted on the device. The counter is 0 before anything was stored.';
const GROWS = 'The counter must be higher than the stored one: 409 people.pins_outdated.';
