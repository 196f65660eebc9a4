import { type Static, Type } from 'typebox';
import { Exact, Nullable, Time, Wrapper } from './common.ts';
import { IdTokenAlgorithm } from './oauth-apps.ts';

/** How a person came to an app. `oidc` is a standard OpenID Connect request, which names no mode. */
export const SignInMode = Type.Union([
  Type.Literal('signin'),
  Type.Literal('one_time'),
  Type.Literal('connect'),
  Type.Literal('oidc'),
]);
export type SignInMode = Static<typeof SignInMode>;

/** Answer of `POST /oauth2/token` to the code of a sign-in. */
export const SignInTokenResponse = Type.Object({
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds' }),
  access_token: Type.String({ description: 'for /api/oauth/userinfo alone' }),
  scope: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String({ description: 'signed; for scope openid' })),
  mode: SignInMode,
});
export type SignInTokenResponse = Static<typeof SignInTokenResponse>;

/** What an app reads about a person who approved it. Wrappers are sealed to the app's key. */
export const UserInfo = Type.Object({
  sub: Type.String({ description: 'the share code, as in the id_token' }),
  share_code: Type.String(),
  mode: SignInMode,
  two_factor: Type.Boolean({ description: 'whether the person proved a second factor for this sign-in' }),
  values: Type.Optional(Type.Record(Type.String(), Wrapper, { description: 'missing when there is none' })),
  values_attestation: Type.Optional(
    Type.Record(Type.String(), Wrapper, {
      description:
        'of verified claims in values: {hash, salt, verified_at, verified_expires_at, verified_method?, verified_provider?, verification_id?}',
    }),
  ),
});
export type UserInfo = Static<typeof UserInfo>;

/** A key that signs id_tokens, without its private half. */
export const SigningKeyView = Type.Object({
  kid: Type.String(),
  algorithm: IdTokenAlgorithm,
  created_at: Time,
  signs_from: Time,
  published_until: Nullable(Time),
});
export type SigningKeyView = Static<typeof SigningKeyView>;
export const SigningKeyList = Type.Object({ signing_keys: Type.Array(SigningKeyView) });
export const RotateSigningKeysRequest = Exact({
  compromised: Type.Optional(
    Type.Boolean({ description: 'the new keys sign at once, and the older ones are published no more' }),
  ),
});
