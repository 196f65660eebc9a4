export * from '../http/errors.ts';
export type { RetryOptions } from '../http/retry.ts';
export type { Runtime } from '../http/runtime.ts';
export type { TransportOptions } from '../http/transport.ts';
export {
  type CreatedService,
  type PortalAccess,
  PortalClient,
  type PortalSessionToken,
  type RecoveredSecret,
} from './portal-client.ts';
