export { documentActs, type Signer } from '../documents/acts.ts';
export type { DocumentContent, OpenDocumentFile } from '../documents/document-content.ts';
export * from '../flows/index.ts';
export * from '../http/errors.ts';
export type { OnProgress, Progress, Transfer } from '../http/progress.ts';
export type { RetryOptions } from '../http/retry.ts';
export type { Runtime } from '../http/runtime.ts';
export type { TransportOptions } from '../http/transport.ts';
export type { ChangedKey } from '../known-keys/confirmed-keys.ts';
export { type ConnectLink, connectLink, readConnectLink } from '../known-keys/connect-link.ts';
export type { AskCode } from '../login/registration.ts';
export type { SecondFactor } from '../login/second-step.ts';
export { type FilledBlocks, pluginAnswer } from '../plugin-fields/plugin-answer.ts';
export {
  type ComputedOutputs,
  type Filled,
  type OfferedOptions,
  PluginFields,
  type PluginOption,
} from '../plugin-fields/plugin-fields.ts';
export { PlainDate } from '../values/plain-date.ts';
export type { ValueInput } from '../values/plaintext.ts';
export type { CompositeValue, PluginValue, TypedValue } from '../values/typed-value.ts';
export { Approvals } from './approvals.ts';
export type { AssertionOptions, Authenticator, CreationOptions } from './authenticator.ts';
export { PersonConnectRequests } from './connect-requests.ts';
export { type Approval, type ClaimInput, ConsentPage } from './consent-page.ts';
export type { Answer, Answers } from './decisions.ts';
export { PersonDevices } from './devices.ts';
export { type ApprovedChallenge, type OpenDocument, PersonDocuments } from './documents.ts';
export type { PersonEvent } from './events.ts';
export type { Field } from './field.ts';
export { type PersonFileContent, PersonFiles } from './files.ts';
export { PersonFlows } from './flows.ts';
export type { AskSecondFactor } from './identity.ts';
export { type PersonMessage, PersonMessages } from './messages.ts';
export { type NewField, type PersonAccess, PersonClient, type PluginsOf } from './person-client.ts';
export { type AppKey, PersonKeys, type WithheldSlot } from './person-keys.ts';
export { PersonPresence, type PersonProof } from './presence.ts';
export { PersonSecurity } from './security.ts';
