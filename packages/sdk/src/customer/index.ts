export * from '../flows/index.ts';
export * from '../http/errors.ts';
export type { OnProgress, Progress, Transfer } from '../http/progress.ts';
export type { RetryOptions } from '../http/retry.ts';
export type { Runtime } from '../http/runtime.ts';
export type { TransportOptions } from '../http/transport.ts';
export { type ConnectLink, connectLink, readConnectLink } from '../known-keys/connect-link.ts';
export { FileKeyStore } from '../known-keys/file-keys.ts';
export { type Fingerprints, type KeyStore, MemoryKeyStore } from '../known-keys/key-store.ts';
export { BufferLockedError, type DeadLetter } from '../pump/change-buffer.ts';
export { ChangePump, type ChangePumpOptions, type PumpStats } from '../pump/change-pump.ts';
export { PlainDate } from '../values/plain-date.ts';
export type { PrivateKeySource } from '../values/private-key-source.ts';
export type { CustomerChange } from './customer-change.ts';
export {
  CustomerClient,
  type CustomerClientOptions,
  type CustomerFile,
  type DocumentRef,
} from './customer-client.ts';
export type { CustomerAnswer, CustomerAnswers } from './decisions.ts';
export { CustomerFlows, type FlowRunRef } from './flows.ts';
