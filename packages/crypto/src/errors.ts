/**
 * The one error class of this package. Branch on `code`, which is stable; the text is for people.
 *
 * A failed RSA unwrap and a failed tag check have the same code and text on purpose: a difference would give an
 * attacker an oracle for the padding.
 */
export class CryptoError extends Error {
  readonly code: CryptoErrorCode;

  constructor(code: CryptoErrorCode, message?: string) {
    super(message ?? TEXTS[code]);
    this.name = 'CryptoError';
    this.code = code;
  }
}

/** Every code a {@link CryptoError} can carry. */
export type CryptoErrorCode = keyof typeof TEXTS;

const TEXTS = {
  base64_invalid: 'The text is not canonical base64.',
  wrapper_malformed: 'The value is not an encrypted wrapper.',
  wrapper_tampered: 'The wrapper cannot be opened: wrong key, or altered ciphertext.',
  key_invalid: 'The key is not usable here.',
  passphrase_wrong: 'The passphrase does not open this key.',
  pem_malformed: 'The text is not an encrypted PKCS#8 PEM.',
  encrypted_key_malformed: 'The encrypted private key does not have the required shape.',
  envelope_malformed: 'The text is not a file envelope.',
  login_version_unknown:
    'The platform names a way to derive the login keys that this version does not know. Update it.',
  login_version_lowered:
    'The platform names an older way to derive the login keys than before, so nothing was sent. Report this to its operator.',
  pins_tampered: 'The list of confirmed keys cannot be opened: wrong key, or altered data.',
  pins_outdated:
    'The platform gave an older list of confirmed keys than before. Report this to its operator.',
  bundle_tampered: 'The bundle cannot be opened: wrong key, or altered ciphertext.',
} as const;
