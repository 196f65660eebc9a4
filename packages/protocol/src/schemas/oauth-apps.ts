import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { DisplayName, Exact, Nullable, Time } from './common.ts';

/** RFC 6749 section 2.1: a confidential app keeps a secret, a public one cannot. */
export const AppType = Type.Union([Type.Literal('confidential'), Type.Literal('public')]);
export type AppType = Static<typeof AppType>;
/** How a sign-in delivers its claims: sealed to the app's key, or as plaintext. */
export const ClaimsDelivery = Type.Union([Type.Literal('encrypted'), Type.Literal('plaintext')]);
export type ClaimsDelivery = Static<typeof ClaimsDelivery>;

const RedirectUris = Type.Array(Type.String({ maxLength: 2000 }), {
  minItems: 1,
  maxItems: limits.redirectUrisMost,
  uniqueItems: true,
  description: 'https, http on loopback, or an app scheme; matched exactly',
});
const PublicKey = Nullable(
  Type.String({
    maxLength: 600,
    description: 'SPKI DER of an RSA-2048 key, base64; claims are sealed to it',
  }),
);

export const CreateOAuthAppRequest = Exact({
  name: DisplayName,
  redirect_uris: RedirectUris,
  app_type: Type.Optional(AppType),
  claims_delivery: Type.Optional(ClaimsDelivery),
  public_key: Type.Optional(PublicKey),
});
export type CreateOAuthAppRequest = Static<typeof CreateOAuthAppRequest>;

/** The redirect URIs replace the whole set. Other members that are left out do not change. */
export const UpdateOAuthAppRequest = Exact({
  redirect_uris: RedirectUris,
  name: Type.Optional(DisplayName),
  claims_delivery: Type.Optional(ClaimsDelivery),
  public_key: Type.Optional(PublicKey),
});
export type UpdateOAuthAppRequest = Static<typeof UpdateOAuthAppRequest>;

export const OAuthApp = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  app_type: AppType,
  redirect_uris: Type.Array(Type.String()),
  claims_delivery: ClaimsDelivery,
  public_key: Nullable(Type.String()),
  public_key_sha256: Nullable(Type.String()),
  grant_types: Type.Array(Type.String()),
  created_at: Time,
  updated_at: Time,
  secret_created_at: Nullable(Time),
});
export type OAuthApp = Static<typeof OAuthApp>;
export const OAuthAppList = Type.Object({ oauth_apps: Type.Array(OAuthApp) });
export const OAuthAppWithSecret = Type.Object({
  ...OAuthApp.properties,
  client_secret: Nullable(Type.String({ description: 'shown this once; null for a public app' })),
});
export type OAuthAppWithSecret = Static<typeof OAuthAppWithSecret>;
