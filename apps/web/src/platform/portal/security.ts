import type { SessionView, TrustedDevice } from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const items = async <T>(path: string): Promise<readonly T[]> =>
  (await portalCall<{ items: T[] }>('GET', path)).items;

const SESSIONS = '/api/account/sessions';
/** Where this login is signed in. */
export const portalSessionsQuery: Query<readonly SessionView[]> = {
  key: portalKeys.portalSessions,
  read: () => items(SESSIONS),
};
export const endPortalSession = (id: string): Promise<void> => portalCall('DELETE', `${SESSIONS}/${id}`);
export const endOtherPortalSessions = (): Promise<void> => portalCall('DELETE', SESSIONS);

const DEVICES = '/api/account/trusted-devices';
/** Where this login is not asked for its second factor. */
export const trustedDevicesQuery: Query<readonly TrustedDevice[]> = {
  key: portalKeys.trustedDevices,
  read: () => items(DEVICES),
};
export const forgetDevice = (id: string): Promise<void> => portalCall('DELETE', `${DEVICES}/${id}`);
