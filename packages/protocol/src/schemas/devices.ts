import { type Static, Type } from 'typebox';
import { Exact, Id, Nullable, Time } from './common.ts';

/** What the event stream of a person's devices tells of. */
export const personSignalKinds = [
  /** Someone asks for an approval. */
  'two_factor_challenge',
  /** A challenge needs no answer any more. */
  'two_factor_challenge_closed',
  /** Something changed in the thread with a service: the id is the connection's. */
  'message',
  /** A service asks for a connection. */
  'connect_request',
  /** Sessions or credentials changed; a stream whose own session ended is closed. */
  'session_changed',
  /** A service has a document for the person, or changed or deleted one. */
  'document',
  /** Something happened to a run of a flow in which the person takes part. */
  'flow_run',
] as const;
export type PersonSignalKind = (typeof personSignalKinds)[number];

/** Why the platform ends an event stream, in its last event, `stream_closed`. */
export const streamEndings = ['session_ended', 'too_many_streams', 'stopping'] as const;
export type StreamEnding = (typeof streamEndings)[number];

export const EventTicket = Type.Object({ ticket: Type.String(), expires_at: Time });
export type EventTicket = Static<typeof EventTicket>;
export const EventStreamQuery = Type.Object({
  ticket: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'instead of the Authorization header, once' }),
  ),
});

/** What a push message says, by the signal it is sent for: what kind of thing waits, but neither its sender nor its content. */
export const pushKinds = {
  two_factor_challenge: 'approval',
  message: 'message',
  connect_request: 'request',
  flow_run: 'flow',
} as const satisfies Partial<Record<PersonSignalKind, string>>;
/** The signals that can wake devices. */
export type PushedSignalKind = keyof typeof pushKinds;

/** `PushSubscription.toJSON()` of a browser. */
export const AddDeviceRequest = Exact({
  endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
  expirationTime: Type.Optional(Nullable(Type.Number())),
  keys: Exact({
    p256dh: Type.String({ maxLength: 100, description: '65 bytes, base64url: a point on P-256' }),
    auth: Type.String({ maxLength: 32, description: '16 bytes, base64url' }),
  }),
});
export type AddDeviceRequest = Static<typeof AddDeviceRequest>;
export const Device = Type.Object({
  id: Id,
  name: Type.String({ description: 'the browser, such as Firefox on Linux' }),
  service: Type.String({ description: 'host of its push service' }),
  current: Type.Boolean({ description: 'made in the session that asks' }),
  created_at: Time,
});
export type Device = Static<typeof Device>;
export const DeviceList = Type.Object({
  push: Type.Object({
    enabled: Type.Boolean(),
    application_server_key: Nullable(
      Type.String({ description: 'for PushManager.subscribe; null while push is off' }),
    ),
  }),
  devices: Type.Array(Device),
});
export type DeviceList = Static<typeof DeviceList>;
