export * from '../http/errors.ts';
export type { TransportOptions } from '../http/transport.ts';
export type { PrivateKeySource } from '../values/private-key-source.ts';
export type { ClaimAttestation, SignInClaim } from './claims.ts';
export type { IdTokenClaims } from './id-token.ts';
export {
  type ClaimRequest,
  type DetachedOutcome,
  type PendingSignIn,
  type SignedIn,
  SignInClient,
  type SignInClientOptions,
  type SignInRequest,
} from './sign-in-client.ts';
