export { type AccountPrivateKey, openAccountEnvelope, sealAccountEnvelope } from './account-envelope.ts';
export { type Attestation, createAttestation, matchesAttestation } from './attestation.ts';
export { base64Length, decodeBase64, encodeBase64 } from './base64.ts';
export type { Bytes } from './bytes.ts';
export type { CryptoKey } from './crypto-key.ts';
export { buildDataUri, type DataUri, parseDataUri } from './data-uri.ts';
export { CryptoError, type CryptoErrorCode } from './errors.ts';
export {
  buildFileEnvelope,
  buildPagesEnvelope,
  buildPhotoEnvelope,
  type FileInput,
  type NamedFileInput,
  type PageInput,
} from './file-envelope-build.ts';
export {
  type EnvelopeEntries,
  type EnvelopeFile,
  type EnvelopePage,
  type FileEnvelope,
  type PageLabel,
  type PagesEnvelope,
  type PhotoEnvelope,
  parseFileEnvelope,
  type SingleFileEnvelope,
} from './file-envelope-parse.ts';
export { fingerprintWords } from './fingerprint-words.ts';
export { encodeHex } from './hex.ts';
export {
  checkPublicKey,
  derivePublicKey,
  fingerprint,
  generateKeyPair,
  importPrivateKey,
  importPublicKey,
  type KeyPair,
  type OaepHash,
} from './keys.ts';
export { deriveLoginKeys, LOGIN_VERSION, type LoginKeys, type LoginRecipe } from './login-keys.ts';
export {
  generateOneTimeKey,
  openBundle,
  openBundleText,
  sealBundle,
} from './one-time-bundle.ts';
export { derivePasskeyWrapKey, passkeyPrfInput } from './passkey-keys.ts';
export { decryptPem, encryptPem } from './pem.ts';
export { inspectPem, type PemInspection } from './pem-inspect.ts';
export { derivePinsKey, openPins, type SealedPins, sealPins } from './pins.ts';
export {
  decryptPrivateKey,
  type EncryptedPrivateKey,
  encryptPrivateKey,
  generatePassphrase,
  parseEncryptedPrivateKey,
} from './private-key-recipe.ts';
export { generateRecoveryCode, parseRecoveryCode } from './recovery-code.ts';
export { deriveRecoveryKeys, type RecoveryKeys } from './recovery-keys.ts';
export { openBytes, openText, type SealOptions, sealValue } from './seal.ts';
export { createServiceKey, type ServiceKey } from './service-key.ts';
export { unwrapPrivateKey, type WrappedPrivateKey, wrapPrivateKey } from './wrapped-private-key.ts';
export { isWrapper, parseWrapper, serializeWrapper, type Wrapper } from './wrapper.ts';
