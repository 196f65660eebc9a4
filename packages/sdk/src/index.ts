export type { BinaryContent, BinaryFile } from './data/binary-handle.ts';
export { BinaryHandle } from './data/binary-handle.ts';
export type { Change } from './data/change.ts';
export type { ConnectRequests } from './data/connect-requests.ts';
export type { ContractWarning } from './data/contract-check.ts';
export { type ConnectionsOptions, DataClient } from './data/data-client.ts';
export type { DocumentRecipient, Documents, IssuedDocument, NewDocument } from './data/documents.ts';
export type { FlowBinding, FlowTag, NewFlowRun } from './data/flow-start.ts';
export type { FlowDocument, Flows, ProcessedRun, PublishedFlow } from './data/flows.ts';
export type { Message, Messages } from './data/messages.ts';
export {
  type DataClientOptions,
  loadPrivateKey,
  optionsFromEnvironment,
  optionsFromFile,
} from './data/options.ts';
export type { RequestField, RequestFieldPlugin } from './data/request-field.ts';
export type {
  AskedChallenge,
  AskOptions,
  TwoFactor,
  TwoFactorResult,
  WaitOptions,
} from './data/two-factor.ts';
export { type Connection, type Log, SealedValue, type Value, type Values } from './data/value.ts';
export type { DocumentFile } from './documents/document-file.ts';
export * from './flows/index.ts';
export * from './http/errors.ts';
export type { OnProgress, Progress, Transfer } from './http/progress.ts';
export type { RetryOptions } from './http/retry.ts';
export type { Runtime } from './http/runtime.ts';
export type { TransportOptions } from './http/transport.ts';
export { type ConnectLink, connectLink, readConnectLink } from './known-keys/connect-link.ts';
export { FileKeyStore } from './known-keys/file-keys.ts';
export { type Fingerprints, type KeyStore, MemoryKeyStore } from './known-keys/key-store.ts';
export { BufferLockedError, type DeadLetter } from './pump/change-buffer.ts';
export { type ChangeFeed, ChangePump, type ChangePumpOptions, type PumpStats } from './pump/change-pump.ts';
export { PlainDate } from './values/plain-date.ts';
export type { PrivateKeySource } from './values/private-key-source.ts';
export type { CompositeValue, PluginValue, TypedValue } from './values/typed-value.ts';
