export { Credentials, isReady, type Proven } from './credentials.ts';
export {
  NOT_YOU,
  passwordChanged,
  quoted,
  recovered,
  recoveryCodeReplaced,
} from './mails.ts';
export {
  type CredentialColumns,
  checkKeyMaterial,
  credentialColumns,
  keyMembers,
  type LoginKeyColumns,
  passwordColumns,
  type RecoveryColumns,
  recoveryColumns,
  wrappedKey,
} from './material.ts';
export { type AddressProof, Registration } from './registration.ts';
