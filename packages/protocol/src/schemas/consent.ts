import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact, Id, Nullable, Time, WrapperInput } from './common.ts';
import { Decision, Lookup } from './person.ts';
import { NamedRowPlugin } from './plugins.ts';
import { PresenceProof } from './presence.ts';
import { RequestField } from './services.ts';

/*
 * The consent page: an app sends a person to it with a request in the address, and the person approves or refuses (wire 10.4).
 */

/** What a person is asked for. `oidc` is a standard request of OpenID Connect. */
export const ConsentMode = Type.Union([
  Type.Literal('signin'),
  Type.Literal('one_time'),
  Type.Literal('connect'),
  Type.Literal('2fa_enroll'),
  Type.Literal('oidc'),
]);
export type ConsentMode = Static<typeof ConsentMode>;

export const OpenConsentRequest = Exact({
  query: Type.String({
    maxLength: limits.consentQueryMost,
    description: 'the query of the page’s address, with or without the question mark',
  }),
});
export type OpenConsentRequest = Static<typeof OpenConsentRequest>;

/** A claim as the page shows it; the stricter of request and app holds. */
export const ConsentClaim = Type.Object({
  name: Type.String(),
  type: Type.String(),
  label: Nullable(Type.String()),
  suggest: Nullable(Type.Union([Type.String(), Type.Boolean()], { description: 'as the app sent it' })),
  required: Type.Boolean(),
  verified: Type.Boolean(),
  verified_max_age_days: Nullable(Type.Integer()),
  delivery: Type.Union([Type.Literal('wrapper'), Type.Literal('plaintext')], {
    description: 'plaintext: the person hands the value over, and the site can read it',
  }),
  plugin: Type.Optional(NamedRowPlugin),
});
export type ConsentClaim = Static<typeof ConsentClaim>;

export const ConsentRequest = Type.Object({
  request_id: Id,
  request_token: Type.String({ description: 'sent with every further call about the request' }),
  expires_at: Time,
  mode: ConsentMode,
  detached: Type.Boolean({ description: 'another screen waits for the answer' }),
  app: Type.Object({
    client_id: Type.String(),
    name: Type.String(),
    origin: Type.String({ description: 'where the person comes from and goes back to' }),
    public_key: Nullable(Type.String()),
    public_key_sha256: Nullable(Type.String()),
  }),
  company: Type.Object({
    company_user_id: Id,
    display_name: Type.String(),
    company_code: Type.String(),
    level: Type.String(),
    since: Time,
  }),
  service: Nullable(Type.Object({ id: Id, name: Type.String(), share_code: Type.String() })),
  claims: Type.Array(ConsentClaim),
  connect: Nullable(Lookup),
  needs: Type.Object({
    two_factor: Type.Boolean({ description: 'approving takes a proof with two factors' }),
    presence: Type.Boolean({ description: 'approving takes a proof of presence' }),
    digits: Type.Optional(
      Type.Literal(true, { description: 'approving takes the two digits that the other screen shows' }),
    ),
  }),
});
export type ConsentRequest = Static<typeof ConsentRequest>;

/** Back to the site. */
export const ConsentRedirect = Type.Object({ redirect_to: Type.String() });
export type ConsentRedirect = Static<typeof ConsentRedirect>;
export const OpenedConsent = Type.Union([ConsentRequest, ConsentRedirect]);
export type OpenedConsent = Static<typeof OpenedConsent>;

/** It holds the request itself. */
const RequestToken = Type.String({ minLength: 1, maxLength: 131_072 });
export const BeginConsentRequest = Exact({ request_token: RequestToken });
export type BeginConsentRequest = Static<typeof BeginConsentRequest>;

/** What the page knows of the person who signed in at it. */
export const BegunConsent = Type.Object({
  request_id: Id,
  remembered: Type.Record(Type.String(), Id, {
    description: 'the fields that answered this app’s claims the last time, by the claim’s name',
  }),
  connected: Type.Boolean({ description: 'of connect: the person is connected to the service already' }),
  enrolled: Type.Boolean({ description: 'of 2fa_enroll: the person is enrolled with the service already' }),
  request_fields: Type.Array(RequestField, { description: 'of connect: what is still to be answered' }),
});
export type BegunConsent = Static<typeof BegunConsent>;

export const ClaimAnswer = Exact({
  name: Type.String({ maxLength: 100 }),
  field_id: Type.Optional(Id),
  wrapper: Type.Optional(WrapperInput),
  plaintext: Type.Optional(Type.String({ maxLength: 500 })),
});
export type ClaimAnswer = Static<typeof ClaimAnswer>;

export const ConsentDecision = {
  claims: Type.Optional(Type.Array(ClaimAnswer, { maxItems: limits.claimsMost })),
  decisions: Type.Optional(Type.Array(Decision, { maxItems: limits.requestFieldsMost })),
};
export const ApproveConsentRequest = Exact({
  request_token: RequestToken,
  ...ConsentDecision,
  proof: Type.Optional(PresenceProof),
  digits: Type.Optional(
    Type.String({ minLength: 1, maxLength: 8, description: 'the two digits that the other screen shows' }),
  ),
});
export type ApproveConsentRequest = Static<typeof ApproveConsentRequest>;
export const RefuseConsentRequest = Exact({
  request_token: RequestToken,
  not_me: Type.Optional(Type.Boolean({ description: 'the person did not start this sign-in' })),
});
export type RefuseConsentRequest = Static<typeof RefuseConsentRequest>;

/** What the page does after the decision: go back to the site, or say that the other screen goes on. */
export const DecidedConsent = Type.Union([ConsentRedirect, Type.Object({ detached: Type.Literal(true) })]);
export type DecidedConsent = Static<typeof DecidedConsent>;

/** What a person was asked by sign-in apps, and what they answered. */
export const SignIn = Type.Object({
  sign_in_id: Id,
  app: Type.Object({ client_id: Type.String(), name: Nullable(Type.String()) }),
  company: Type.Object({ company_user_id: Id, display_name: Type.String(), company_code: Type.String() }),
  mode: ConsentMode,
  outcome: Type.Union([
    Type.Literal('approved'),
    Type.Literal('refused'),
    Type.Literal('not_me'),
    Type.Literal('revoked'),
  ]),
  claims: Type.Array(Type.String(), { description: 'names of the claims that were answered' }),
  two_factor: Type.Boolean(),
  detached: Type.Boolean(),
  at: Time,
});
export type SignIn = Static<typeof SignIn>;
export const SignInList = Type.Object({ sign_ins: Type.Array(SignIn) });

/** The form of `/oauth2/result`. */
export const ResultForm = Type.Object({
  client_id: Type.String(),
  state: Type.String(),
  client_secret: Type.Optional(Type.String({ description: 'of a confidential app' })),
});
export const DetachedPending = Type.Object({
  status: Type.Literal('pending'),
  digits: Type.Optional(
    Type.String({
      description: 'of a public app, once the link was opened: shown to the person, who types them',
    }),
  ),
});
export const DetachedResultBody = Type.Union([
  Type.Object({ code: Type.String(), state: Type.String() }),
  Type.Object({ enrolled: Type.Literal(true), state: Type.String() }),
]);
export type DetachedResultBody = Static<typeof DetachedResultBody>;
