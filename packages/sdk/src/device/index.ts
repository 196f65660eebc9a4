/** For the pages of a platform: what a person's device does with a password, a recovery code and a typed value. */
export {
  checkRecoveryKey,
  newRecoveryKey,
  openRecoveryKey,
  sealRecoveryKey,
} from '../account/recovery-key.ts';
export { BinaryHandle, contentOfEnvelope } from '../data/binary-handle.ts';
export {
  type NewFlowRun,
  type SharedAnswers,
  type StartedVersion,
  type StartParts,
  sharedTags,
  startRun,
} from '../data/flow-start.ts';
export { PeopleKeys } from '../data/people-keys.ts';

export { documentActs, type Signer } from '../documents/acts.ts';
export type { DocumentContent, OpenDocumentFile } from '../documents/document-content.ts';
export { companySide } from '../flows/company-side.ts';
export { customerKeys } from '../flows/customer-keys.ts';
export { answersNotIn, type ShownAnswer } from '../flows/document-answers.ts';
export { FlowFileHandle, FlowRuns } from '../flows/flow-runs.ts';
export { nodeOf, type OpenFlowRun, stepIssues } from '../flows/open-run.ts';
export { textOfPages } from '../flows/pdf-pages.ts';
export { chosenDocuments } from '../flows/run-documents.ts';
export type { FlowAnswerInput, FlowAnswers } from '../flows/typed-answers.ts';
export * from '../http/errors.ts';
export type { OnProgress, Progress, Transfer } from '../http/progress.ts';
export type { Runtime } from '../http/runtime.ts';
export { type Answer, type Call, jsonOf, Transport, type TransportOptions } from '../http/transport.ts';
export {
  type Asking,
  type ChangedKey,
  ConfirmedKeys,
  codeOf,
  connectionOf,
  type NamedKey,
  type Thing,
} from '../known-keys/confirmed-keys.ts';
export { checkLink, connectLink } from '../known-keys/connect-link.ts';
export { deriveFrom } from '../login/login-secret.ts';
export {
  type NewLogin,
  newCredentials,
  newLogin,
  passwordMaterial,
  recoveryMaterial,
} from '../login/material.ts';
export { checkPassword } from '../login/password-rules.ts';
export { Pins } from '../login/pins.ts';
export { asAsked } from '../person/consent-address.ts';
export { type ApprovedChallenge, type OpenDocument, PersonDocuments } from '../person/documents.ts';
export { saveField } from '../person/edit-field.ts';
export { openFileAnswer, type PersonFileContent, PersonFiles } from '../person/files.ts';
export { type PersonFlowKeys, PersonFlows } from '../person/flows.ts';
export { type PersonMessage, PersonMessages } from '../person/messages.ts';
export { type FilledBlocks, pluginAnswer } from '../plugin-fields/plugin-answer.ts';
export {
  type ComputedOutputs,
  type Filled,
  type OfferedOptions,
  PluginFields,
  type PluginOption,
} from '../plugin-fields/plugin-fields.ts';
export { openLoginKey } from '../portal/portal-login.ts';
export { plaintextOf, type ValueInput } from '../values/plaintext.ts';
export { type TypedValue, typedValue } from '../values/typed-value.ts';
