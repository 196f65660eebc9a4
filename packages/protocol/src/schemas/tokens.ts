import { type Static, Type } from 'typebox';

/** The form of `POST /oauth2/token`; the route checks it itself, with the errors of OAuth (RFC 6749 5.2). */
export const TokenForm = Type.Object({
  grant_type: Type.Union([Type.Literal('client_credentials'), Type.Literal('authorization_code')]),
  client_id: Type.Optional(Type.String({ description: 'unless sent by HTTP Basic' })),
  client_secret: Type.Optional(Type.String()),
  code: Type.Optional(Type.String({ description: 'of a sign-in; like the rest, with authorization_code' })),
  redirect_uri: Type.Optional(Type.String({ description: 'the one of the request' })),
  code_verifier: Type.Optional(Type.String({ description: 'when the request had a code_challenge' })),
});

/** Answer of `POST /oauth2/token` (wire 4.1, 5.1). */
export const TokenResponse = Type.Object({
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds' }),
  access_token: Type.String(),
  api_url: Type.String({ description: 'base for every data call while the token lives' }),
});
export type TokenResponse = Static<typeof TokenResponse>;

export const TokenError = Type.Object({
  error: Type.String({ description: 'OAuth error code' }),
  error_key: Type.String(),
  error_description: Type.String(),
});
