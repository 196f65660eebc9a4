import { resolveRows } from '@symbolon/field-types';
import type {
  AccountClient,
  AccountClientWithSecret,
  Capability,
  ClientUse,
  Delegate,
  FieldTypeRow,
} from '@symbolon/protocol';
import type { FieldTypes } from '../fields.ts';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

/** The people who sign in to the portal, and who are invited to it. */
export const delegatesQuery: Query<readonly Delegate[]> = {
  key: portalKeys.delegates,
  read: async () => (await portalCall<{ items: Delegate[] }>('GET', '/api/delegates')).items,
};
export const inviteDelegate = (email: string, role: Delegate['role']): Promise<Delegate> =>
  portalCall('POST', '/api/delegates', { email, role });
export const changeRole = (id: string, role: Delegate['role']): Promise<Delegate> =>
  portalCall('PUT', `/api/delegates/${id}`, { role });
export const resendInvitation = (id: string): Promise<void> =>
  portalCall('POST', `/api/delegates/${id}/resend`);
export const removeDelegate = (id: string): Promise<void> => portalCall('DELETE', `/api/delegates/${id}`);

/** Clients that act as the company itself. */
export const accountClientsQuery: Query<readonly AccountClient[]> = {
  key: portalKeys.accountClients,
  read: async () => (await portalCall<{ clients: AccountClient[] }>('GET', '/api/account/clients')).clients,
};
export const createAccountClient = (
  name: string,
  capabilities: readonly Capability[],
): Promise<AccountClientWithSecret> => portalCall('POST', '/api/account/clients', { name, capabilities });
export const grantCapabilities = (id: string, capabilities: readonly Capability[]): Promise<void> =>
  portalCall('PUT', `/api/account/clients/${id}/capabilities`, { capabilities });
export const rollAccountClient = (id: string): Promise<AccountClientWithSecret> =>
  portalCall('POST', `/api/account/clients/${id}/regenerate-secret`);
export const deleteAccountClient = (id: string): Promise<void> =>
  portalCall('DELETE', `/api/account/clients/${id}`);

/** When clients of every kind last obtained a token. */
export const clientUsesQuery: Query<readonly ClientUse[]> = {
  key: portalKeys.clientUses,
  read: async () => (await portalCall<{ items: ClientUse[] }>('GET', '/api/account/client-uses')).items,
};

/** The types that a service can ask for. */
export const portalFieldTypes: Query<FieldTypes> = {
  key: portalKeys.fieldTypes,
  read: async () => {
    const rows = await portalCall<FieldTypeRow[]>('GET', '/api/contact-field-types');
    return { rows, resolved: resolveRows(rows, new Map(rows.map((row) => [row.type, row]))) };
  },
};
