export * from '../http/errors.ts';
export type { RetryOptions } from '../http/retry.ts';
export type { Runtime } from '../http/runtime.ts';
export type { TransportOptions } from '../http/transport.ts';
export { AccountClient, type AccountClientOptions } from './account-client.ts';
export { CompanyClient, type CreatedService } from './company-client.ts';
export { DelegatesClient } from './delegates.ts';
export { FlowAuthoring, type FlowRef } from './flows.ts';
export { type PhotoFile, ProfileClient } from './profile.ts';
