import type { AddDeviceRequest, Device, DeviceList, EventTicket } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';

const DEVICES = '/api/person/devices';

/** The browsers that hear events and that push messages wake (wire 10.3): `devices` of a person client. */
export class PersonDevices {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** `push` has the key that a browser subscribes with, while the platform sends push messages. */
  list(): Promise<DeviceList> {
    return this.#api.json({ method: 'GET', path: DEVICES });
  }

  /** @param subscription `PushSubscription.toJSON()` of the browser; the same one again replaces the one before */
  add(subscription: AddDeviceRequest): Promise<Device> {
    return this.#api.json({ method: 'POST', path: DEVICES, json: subscription });
  }

  remove(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: DEVICES + path`/${id}` });
  }

  /** For the `EventSource` of a browser, which sends no token: `/api/person/events?ticket=…`, once, within a minute. */
  eventTicket(): Promise<EventTicket> {
    return this.#api.json({ method: 'POST', path: '/api/person/events/ticket' });
  }
}
