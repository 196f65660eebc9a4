export { Credentials, isReady, type Proven, type StoredLogin } from './credentials.ts';
export {
  type LoginKind,
  NOT_YOU,
  passkeyAdded,
  passkeyRemoved,
  passwordChanged,
  quoted,
  recovered,
  recoveryCodeReplaced,
  recoveryCodeUsed,
  secondFactorCodesReplaced,
  secondFactorOff,
  secondFactorOn,
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
