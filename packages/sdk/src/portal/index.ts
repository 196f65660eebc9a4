export { CompanyClient, type CreatedService, type RecoveredSecret } from '../account/company-client.ts';
export { DelegatesClient } from '../account/delegates.ts';
export * from '../http/errors.ts';
export type { RetryOptions } from '../http/retry.ts';
export type { Runtime } from '../http/runtime.ts';
export type { TransportOptions } from '../http/transport.ts';
export {
  type PortalAccess,
  PortalClient,
  type PortalSessionToken,
  type SecondFactor,
} from './portal-client.ts';
export { type PortalProof, PortalSecurity } from './security.ts';
