/** How a signer confirmed that it is them. */
export const METHODS = {
  biometric: 'Biometric check on the signer’s device',
  twofa: 'Two-factor authentication',
  email: 'Code sent to the signer’s e-mail address',
} as const;

/** One party's signature or acceptance. Times are milliseconds. */
export interface Act {
  readonly action: 'signed' | 'accepted';
  readonly name: string;
  /** Whether the name is the one of a verified identity. */
  readonly nameVerified: boolean;
  readonly onBehalfOf?: string;
  /** Not said where nothing had to be confirmed. */
  readonly method?: keyof typeof METHODS;
  readonly at: number;
  readonly viewedAt?: number;
  /** Lowercase hex SHA-256 of the encrypted copy that this party received. */
  readonly contentSha256?: string;
  /** BCP 47: decides which of the Han fonts draws the name. */
  readonly language?: string;
}

/** What the seal says of a document, on its page for people and in the file for programs. */
export interface SealedFacts {
  readonly documentName: string;
  /** Lowercase hex SHA-256 of the file that was signed. */
  readonly sha256: string;
  readonly sentBy?: string;
  readonly sentAt: number;
  readonly sealedAt: number;
  readonly acts: readonly Act[];
}
