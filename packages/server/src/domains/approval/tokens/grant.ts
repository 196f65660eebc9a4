/** How a person came to an app. */
export type SignInMode = 'signin' | 'one_time' | 'connect' | 'oidc';

/** Claims that the id_token carries readable, as the person's device handed them over. */
export interface PlaintextClaims {
  readonly name?: string;
  readonly email?: string;
  /** Only true when the standing attestation was recomputed over exactly this address. */
  readonly email_verified?: boolean;
}

/** What a person approved for an app. */
export interface Grant {
  readonly companyId: string;
  readonly clientId: string;
  readonly personId: string;
  /** Of the credentials with which the person was signed in; null where none is known. */
  readonly personEpoch: number | null;
  /** The person's generated share code. */
  readonly shareCode: string;
  readonly mode: SignInMode;
  /** The one of the request; null for a detached sign-in. */
  readonly redirectUri: string | null;
  /** S256 (RFC 7636); null without PKCE. */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly scope: string | null;
  readonly twoFactor: boolean;
  /** Wrappers sealed to the app's key, as JSON text, by the claim's name. */
  readonly values: Readonly<Record<string, string>>;
  readonly attestations: Readonly<Record<string, string>>;
  /** For the id_token of an app that wants its claims readable. */
  readonly plaintext?: PlaintextClaims;
  /** When the person last proved to be present, in milliseconds since 1970; left out when not for this sign-in. */
  readonly authTime?: number;
}
