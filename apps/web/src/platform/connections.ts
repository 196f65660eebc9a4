import type { Decision, PersonConnection, PersonConsent } from '@symbolon/protocol';
import { type RowAnswers, sealAnswers } from './answers.ts';
import { call } from './inner/api.ts';
import { lastOffline } from './offline.ts';
import { keys, type Query } from './queries.ts';

/** A service that the person is connected to, what it asks and what it gets. */
export type Connection = PersonConnection;

const CONNECTIONS = '/api/person/connections';
const CONSENTS = '/api/person/consents';
const at = (id: string, act = '') => `${CONNECTIONS}/${encodeURIComponent(id)}${act}`;

/** Oldest first. */
export const connections: Query<Connection[]> = {
  key: keys.connections,
  read: async () => (await call<{ connections: Connection[] }>('GET', CONNECTIONS)).connections,
};

/** @throws NotFoundError `connections.not_found` */
export function connection(id: string): Promise<Connection> {
  return call('GET', at(id));
}

export const connectionQuery = (id: string): Query<Connection> => ({
  key: keys.connection(id),
  read: () => connection(id).catch((error) => listed(id, error)),
});

/** Without a network: as it stands in the list that was kept, where the page of it was not. */
async function listed(id: string, error: unknown): Promise<Connection> {
  const all = lastOffline() === undefined ? [] : await connections.read(undefined);
  const found = all.find(({ connection_id }) => connection_id === id);
  if (found === undefined) throw error;
  return found;
}

/** What services have asked for since they were connected. */
export const openConsents: Query<PersonConsent[]> = {
  key: keys.consents,
  read: async () => (await call<{ consents: PersonConsent[] }>('GET', CONSENTS)).consents,
};

/**
 * Answers rows; those that are not named stay as they are.
 * @throws UnconfirmedKeyError `sdk.service_key_changed`
 */
export async function answer(
  personId: string,
  { connection_id, service }: Connection,
  rows: RowAnswers,
): Promise<Connection> {
  const decisions = await sealAnswers(
    personId,
    { service, of: { kind: 'connection', id: connection_id } },
    rows,
  );
  return call('PUT', at(connection_id, '/mappings'), { decisions });
}

/** Takes an answer away from the service. @throws ConflictError `contact_data.mandatory` */
export function stopSharing({ connection_id }: Connection, rowId: string): Promise<Connection> {
  const decisions: Decision[] = [{ request_field_id: rowId, kind: 'remove' }];
  return call('PUT', at(connection_id, '/mappings'), { decisions });
}

/** Answers what the service has asked for since. @throws UnconfirmedKeyError `sdk.service_key_changed` */
export async function provide(
  personId: string,
  consentId: string,
  { connection_id, service }: Connection,
  rows: RowAnswers,
): Promise<Connection> {
  const decisions = await sealAnswers(
    personId,
    { service, of: { kind: 'connection', id: connection_id } },
    rows,
  );
  return call('POST', `${CONSENTS}/${encodeURIComponent(consentId)}/provide`, { decisions });
}

export function decline(consentId: string): Promise<Connection> {
  return call('POST', `${CONSENTS}/${encodeURIComponent(consentId)}/decline`, {});
}

/** @throws ConflictError `company_connections.active_contract` */
export function disconnect({ connection_id }: Connection): Promise<void> {
  return call('DELETE', at(connection_id));
}
