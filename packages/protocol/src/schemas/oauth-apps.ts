import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { DisplayName, EncryptedPrivateKey, Exact, Id, Nullable, Time } from './common.ts';
import { CreateServiceRequest } from './services.ts';

/** RFC 6749 section 2.1: a confidential app keeps a secret, a public one cannot. */
export const AppType = Type.Union([Type.Literal('confidential'), Type.Literal('public')]);
export type AppType = Static<typeof AppType>;
/** How a sign-in delivers its claims: sealed to the app's key, or as plaintext. */
export const ClaimsDelivery = Type.Union([Type.Literal('encrypted'), Type.Literal('plaintext')]);
export type ClaimsDelivery = Static<typeof ClaimsDelivery>;

/** How id_tokens are signed (RFC 7518 3.1, RFC 8037). */
export const IdTokenAlgorithm = Type.Union([Type.Literal('RS256'), Type.Literal('EdDSA')]);
export type IdTokenAlgorithm = Static<typeof IdTokenAlgorithm>;

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

/** The claims of the scopes `profile` and `email`. */
export const StandardClaim = Type.Union([Type.Literal('name'), Type.Literal('email')]);
export type StandardClaim = Static<typeof StandardClaim>;
/** What an app wants of a standard claim, whatever a request says: the stricter of the two holds. */
export const ClaimConfig = Type.Array(
  Exact({
    name: StandardClaim,
    required: Type.Optional(Type.Boolean()),
    verified: Type.Optional(Type.Boolean()),
    verified_max_age_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
    plugin: Type.Optional(Type.Unknown({ description: 'no plugin can answer a claim; refused' })),
    type: Type.Optional(Type.Literal('plugin', { description: 'refused as `plugin` is' })),
  }),
  { maxItems: 2, description: 'one entry for each standard claim' },
);
export type ClaimConfig = Static<typeof ClaimConfig>;

const settings = {
  claims_delivery: Type.Optional(ClaimsDelivery),
  service_id: Type.Optional(
    Nullable(Type.String({ maxLength: 64, description: 'the service of connect and 2fa_enroll' })),
  ),
  require_2fa: Type.Optional(Type.Boolean({ description: 'people prove a second factor at each consent' })),
  detached: Type.Optional(
    Type.Boolean({
      description:
        'whether sign-ins may be approved on another screen (response_mode detached); without it yes for a confidential app, no for a public one',
    }),
  ),
  claim_config: Type.Optional(ClaimConfig),
  id_token_signed_response_alg: Type.Optional(IdTokenAlgorithm),
};
const keyFile = CreateServiceRequest.properties.private_key_pem;

export const CreateOAuthAppRequest = Exact({
  name: DisplayName,
  redirect_uris: RedirectUris,
  app_type: Type.Optional(AppType),
  confidential: Type.Optional(Type.Boolean({ description: 'false is app_type public' })),
  ...settings,
  public_key: Type.Optional(PublicKey),
  encrypted_private_key: Type.Optional(EncryptedPrivateKey),
  private_key_pem: keyFile,
});
export type CreateOAuthAppRequest = Static<typeof CreateOAuthAppRequest>;

/** The redirect URIs replace the whole set. Other members that are left out do not change. */
export const UpdateOAuthAppRequest = Exact({
  redirect_uris: RedirectUris,
  name: Type.Optional(DisplayName),
  ...settings,
  public_key: Type.Optional(PublicKey),
});
export type UpdateOAuthAppRequest = Static<typeof UpdateOAuthAppRequest>;

/** A key pair, made as the one of a service is. */
export const ReplaceOAuthAppKeyRequest = Exact({
  public_key: Type.String({ maxLength: 600, description: 'SPKI DER of an RSA-2048 key, base64' }),
  encrypted_private_key: EncryptedPrivateKey,
  private_key_pem: keyFile,
});
export type ReplaceOAuthAppKeyRequest = Static<typeof ReplaceOAuthAppKeyRequest>;

export const OAuthApp = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  app_type: AppType,
  confidential: Type.Boolean(),
  redirect_uris: Type.Array(Type.String()),
  service_id: Nullable(Id),
  require_2fa: Type.Boolean(),
  detached: Type.Boolean({ description: 'whether sign-ins may be approved on another screen' }),
  claims_delivery: ClaimsDelivery,
  claim_config: ClaimConfig,
  id_token_signed_response_alg: IdTokenAlgorithm,
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

export const OAuthAppPrivateKey = Type.Object({
  client_id: Type.String(),
  public_key: Type.String(),
  public_key_sha256: Type.String(),
  encrypted_private_key: EncryptedPrivateKey,
  private_key_pem: Nullable(Type.String()),
});
export type OAuthAppPrivateKey = Static<typeof OAuthAppPrivateKey>;
