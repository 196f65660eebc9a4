import { type Static, Type } from 'typebox';
import { Time } from './common.ts';

/** What the event stream of a person's devices tells of. */
export const personSignalKinds = [
  /** Someone asks for an approval. */
  'two_factor_challenge',
  /** A challenge needs no answer any more. */
  'two_factor_challenge_closed',
  /** Sessions or credentials changed; a stream whose own session ended is closed. */
  'session_changed',
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
