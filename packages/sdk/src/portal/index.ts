export { CompanyClient, type CreatedService } from '../account/company-client.ts';
export { DelegatesClient } from '../account/delegates.ts';
export { FlowAuthoring, type FlowRef } from '../account/flows.ts';
export { documentActs, type Signer } from '../documents/acts.ts';
export type { DocumentContent, OpenDocumentFile } from '../documents/document-content.ts';
export type { Comparison, PdfText, ShownAnswer } from '../flows/document-answers.ts';
export * from '../http/errors.ts';
export type { OnProgress, Progress, Transfer } from '../http/progress.ts';
export type { RetryOptions } from '../http/retry.ts';
export type { Runtime } from '../http/runtime.ts';
export type { TransportOptions } from '../http/transport.ts';
export { type ConnectLink, connectLink, readConnectLink } from '../known-keys/connect-link.ts';
export type { AskCode } from '../login/registration.ts';
export {
  CustomerDocuments,
  type DocumentRef,
  type OpenReceivedDocument,
  type ReceivedDocument,
} from './customer-documents.ts';
export type { PortalAccess, PortalOptions, PortalSessionToken, SecondFactor, SignInAccess } from './enter.ts';
export { PortalClient } from './portal-client.ts';
export type { PortalProof, PresentLogin } from './portal-login.ts';
export { type RecoveredSecret, RecoveryClient } from './recovery.ts';
export { type RunComparison, type RunDocumentRef, RunDocuments } from './run-documents.ts';
export { PortalSecurity } from './security.ts';
