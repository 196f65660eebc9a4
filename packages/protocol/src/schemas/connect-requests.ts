import { type Static, Type } from 'typebox';
import { CompanyLevelName } from './admin.ts';
import { Exact, Id, Nullable, Time } from './common.ts';
import { DecisionsRequest } from './person.ts';
import { PresenceProof } from './presence.ts';

/** A service asks a person to connect. */
export const SendConnectRequest = Exact({
  share_code: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: "the person's" }),
});
export type SendConnectRequest = Static<typeof SendConnectRequest>;
export const SentConnectRequest = Type.Object({ request_id: Id });
export type SentConnectRequest = Static<typeof SentConnectRequest>;

/** What a service has asked: who the person is, it learns with the connection. */
export const AskedConnectRequest = Type.Object({
  request_id: Id,
  share_code: Type.String({ description: 'by which the person is known now' }),
  state: Type.Union([Type.Literal('open'), Type.Literal('accepted'), Type.Literal('rejected')]),
  created_at: Time,
  expires_at: Type.String({ format: 'date-time', description: 'an open one is rejected then' }),
});
export type AskedConnectRequest = Static<typeof AskedConnectRequest>;
export const AskedConnectRequestList = Type.Object({
  connect_requests: Type.Array(AskedConnectRequest),
  next: Nullable(Type.String({ description: 'goes into before for the page that follows' })),
});
export type AskedConnectRequestList = Static<typeof AskedConnectRequestList>;

const askingMembers = {
  service: Type.Object({ id: Id, name: Type.String(), share_code: Type.String() }),
  company: Type.Object({ user_id: Id, display_name: Type.String(), company_code: Type.String() }),
};
/** What a service asks of a person; the codes lead to what it asks for. */
export const PersonConnectRequest = Type.Object({
  request_id: Id,
  service: askingMembers.service,
  company: Type.Object({
    ...askingMembers.company.properties,
    level: CompanyLevelName,
    since: Time,
  }),
  created_at: Time,
  expires_at: Time,
});
export type PersonConnectRequest = Static<typeof PersonConnectRequest>;
export const PersonConnectRequestList = Type.Object({ connect_requests: Type.Array(PersonConnectRequest) });
export type PersonConnectRequestList = Static<typeof PersonConnectRequestList>;

/** The act of the proof is `connect <company code>/<service code>`. */
export const AcceptConnectRequest = Exact({
  ...DecisionsRequest.properties,
  proof: Type.Optional(PresenceProof),
});
export type AcceptConnectRequest = Static<typeof AcceptConnectRequest>;

export const BlockedService = Type.Object({ ...askingMembers, created_at: Time });
export type BlockedService = Static<typeof BlockedService>;
export const BlockedServiceList = Type.Object({ blocked_services: Type.Array(BlockedService) });
export type BlockedServiceList = Static<typeof BlockedServiceList>;
