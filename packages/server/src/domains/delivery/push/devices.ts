import { type AddDeviceRequest, type Device, type DeviceList, limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { SessionDeletionHook } from '../../participation.ts';
import { personHome } from '../../people/index.ts';
import {
  deleteBefore,
  deleteOfOtherSessions,
  deleteOfSession,
  deleteSubscription,
  insertSubscription,
  subscriptionByEndpoint,
  subscriptionsOf,
} from './store.ts';
import {
  hashOf,
  haveSameKeys,
  invalid,
  openSubscription,
  readSubscription,
  sealSubscription,
} from './subscription.ts';
import type { PushSubscriptionRow } from './tables.ts';
import type { Vapid } from './vapid.ts';

/** Who calls, and with what. */
export interface DeviceCaller {
  readonly personId: string;
  /** Of a browser that is signed in by cookie. */
  readonly sessionId: string | undefined;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  /** Undefined: this platform sends no push messages. */
  readonly vapid: Vapid | undefined;
  readonly allowLoopback: boolean;
}

/** The browsers of people that push messages wake. */
export class Devices implements SessionDeletionHook {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} db.writes_paused */
  async list(caller: DeviceCaller): Promise<DeviceList> {
    const { database, vapid } = this.#deps;
    const keys = await vapid?.keys();
    const [person] = await personHome(database.reader, caller.personId);
    const rows = await subscriptionsOf(database.reader, caller.personId);
    return {
      push: { enabled: keys !== undefined, application_server_key: keys?.publicKey ?? null },
      devices: rows.filter(({ epoch }) => epoch === person?.epoch).map((row) => this.#view(row, caller)),
    };
  }

  /**
   * Stores a browser's subscription. One that is known is replaced; another person's goes over to the caller, whose browser
   * it now is.
   * @param name the browser, for people
   * @throws {PlatformError} people.push_off, people.push_subscription_invalid, people.devices_limit, auth.invalid
   */
  async add(caller: DeviceCaller, request: AddDeviceRequest, name: string): Promise<Device> {
    const { allowLoopback, clock, database, ids, secrets, vapid } = this.#deps;
    if (vapid === undefined) throw new PlatformError('people.push_off');
    const subscription = readSubscription(request, { allowLoopback });
    const hash = hashOf(subscription.endpoint);
    const { personId } = caller;
    const row = await writeLocked(database, 'persons', personId, async (writer) => {
      const [person] = await personHome(writer, personId);
      if (person === undefined) throw new PlatformError('auth.invalid');
      await deleteBefore(writer, personId, person.epoch);
      const known = await subscriptionByEndpoint(writer, hash);
      if (known !== undefined) {
        const isForeign = known.person_id !== personId;
        if (isForeign && !haveSameKeys(openSubscription(secrets, known), subscription))
          throw invalid('The endpoint belongs to another browser.');
        await deleteSubscription(writer, known);
      }
      const own = await subscriptionsOf(writer, personId);
      if (own.length >= limits.pushDevicesMost) throw new PlatformError('people.devices_limit');
      const id = ids.uuid();
      const made = {
        id,
        person_id: personId,
        endpoint_hash: hash,
        subscription: sealSubscription(secrets, id, subscription),
        epoch: person.epoch,
        session_id: caller.sessionId ?? null,
        name,
        created_at: clock.now(),
      };
      if (!(await insertSubscription(writer, made)))
        throw invalid('Another person is adding this endpoint at the same time. Try again.');
      return made;
    });
    return this.#view(row, caller);
  }

  /** @throws {PlatformError} people.device_not_found */
  async remove(caller: DeviceCaller, id: string): Promise<void> {
    const key = { person_id: caller.personId, id };
    const isRemoved = await this.#deps.database.write((writer) => deleteSubscription(writer, key));
    if (!isRemoved) throw new PlatformError('people.device_not_found');
  }

  dropForOtherSessions(writer: Writer, personId: string, keptId: string | undefined): Promise<void> {
    return deleteOfOtherSessions(writer, personId, keptId);
  }

  /** Part of ending a session: a signed-out browser gets no more push messages. */
  dropForSession(writer: Writer, personId: string, sessionId: string): Promise<void> {
    return deleteOfSession(writer, personId, sessionId);
  }

  #view(row: PushSubscriptionRow, { sessionId }: DeviceCaller): Device {
    const { endpoint } = openSubscription(this.#deps.secrets, row);
    return {
      id: row.id,
      name: row.name,
      service: new URL(endpoint).hostname,
      current: row.session_id !== null && row.session_id === sessionId,
      created_at: isoTime(row.created_at),
    };
  }
}
