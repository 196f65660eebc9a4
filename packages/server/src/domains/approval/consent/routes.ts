import {
  ApproveConsentRequest,
  BeginConsentRequest,
  BegunConsent,
  DecidedConsent,
  OpenConsentRequest,
  OpenedConsent,
  RefuseConsentRequest,
  type SignIn,
  SignInList,
} from '@symbolon/protocol';
import { personOf, personPrincipalOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { answerErrors, proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Presence } from '../../accounts/index.ts';
import { type ConsentDecisions, consentAct } from './decisions.ts';
import type { ConsentRequests } from './requests.ts';
import type { SignIns } from './sign-in-log.ts';

interface Deps {
  readonly requests: ConsentRequests;
  readonly decisions: ConsentDecisions;
  readonly signIns: SignIns;
  readonly presence: Presence;
  /** The base URL of who issues sign-ins. */
  readonly issuer: () => string;
}

const PATH = '/api/consent/requests';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
export function consentRoutes(app: App, { requests, decisions, signIns, presence, issuer }: Deps): void {
  const route = routesOf(app, { tags: ['consent'], alwaysJson: true });
  // A request is in the home region of the app's company, which can be another one than the person's.
  const byPerson = {
    access: ['person'],
    federated: { by: 'id', missing: 'oauth.request_not_found' },
  } as const;

  route(
    `POST ${PATH}`,
    {
      errors: [
        'invalid_request',
        'oauth.client_unknown',
        'oauth.connect_no_service',
        'oauth.detached_off',
        'oauth.redirect_uri_invalid',
        'oauth.request_decided',
        'oauth.request_expired',
        'oauth.state_taken',
      ],
      summary: 'Open the request in the address of the consent page',
      description:
        'Gives what the page shows, or redirect_to where the app made a mistake. An error says that the person cannot go back: the page shows it and leads nowhere.',
      access: 'open',
      limit: 'consent',
      body: OpenConsentRequest,
      ok: OpenedConsent,
    },
    ({ body, headers }) =>
      requests.open(body.query, {
        issuer: issuer(),
        signedIn: headers.authorization !== undefined || headers.cookie !== undefined,
      }),
  );

  route(
    `POST ${PATH}/:id/begin`,
    {
      errors: [
        'oauth.request_decided',
        'oauth.request_expired',
        'oauth.request_not_found',
        'oauth.request_owned',
      ],
      summary: 'Make the request the person’s own',
      description: 'The first person who begins a request is the only one who can answer it.',
      ...byPerson,
      body: BeginConsentRequest,
      ok: BegunConsent,
    },
    (request) => requests.begin(personOf(request), request.params.id, request.body.request_token),
  );

  route(
    `POST ${PATH}/:id/approve`,
    {
      errors: [
        ...answerErrors,
        ...proofErrors,
        'connections.exists',
        'connections.two_factor_required',
        'contact_data.mandatory_missing',
        'contact_data.value_invalid',
        'invalid_request',
        'oauth.claim_invalid',
        'oauth.claims_missing',
        'oauth.connect_no_service',
        'oauth.digits_required',
        'oauth.digits_wrong',
        'oauth.redirect_uri_invalid',
        'oauth.request_decided',
        'oauth.request_expired',
        'oauth.request_not_found',
        'oauth.request_owned',
        'services.audience_b2b_only',
        'twofa.enrollments_limit',
        'twofa.level_required',
      ],
      summary: 'Approve',
      description:
        'Each claim is answered by a wrapper sealed to the app’s key, or by plaintext where the claim says so. Decisions answer the rows of the app’s service. The act of the proof is `consent <request_id> <SHA-256 of the decision>`.',
      ...byPerson,
      body: ApproveConsentRequest,
      ok: DecidedConsent,
    },
    async (request) => {
      const { id } = request.params;
      const { proof, ...sent } = request.body;
      // Whether it is strong enough is known where the request is.
      const proven =
        proof === undefined
          ? undefined
          : await presence.presenceOf(request, consentAct(id, sent), proof, { strong: false });
      return decisions.approve(personPrincipalOf(request), id, sent, proven);
    },
  );

  route(
    `POST ${PATH}/:id/refuse`,
    {
      errors: [
        'oauth.request_decided',
        'oauth.request_expired',
        'oauth.request_not_found',
        'oauth.request_owned',
      ],
      summary: 'Refuse',
      description: 'With not_me the company’s audit log says that somebody disowned a sign-in.',
      ...byPerson,
      body: RefuseConsentRequest,
      ok: DecidedConsent,
    },
    (request) => decisions.refuse(personOf(request), request.params.id, request.body),
  );

  const person = routesOf(app, { tags: ['consent'], access: ['person'] });
  person(
    'GET /api/person/sign-ins',
    {
      summary: 'What apps asked this person, oldest first',
      description: 'The latest 200 of each region.',
      federated: { by: 'list', list: listOf<SignIn>('sign_ins', (signIn) => signIn.sign_in_id) },
      ok: SignInList,
    },
    async (request) => ({ sign_ins: await signIns.list(personOf(request)) }),
  );
  person(
    'DELETE /api/person/sign-ins/:id',
    {
      errors: ['oauth.sign_in_not_found'],
      summary: 'End what the app of a sign-in can still read',
      federated: { by: 'id', missing: 'oauth.sign_in_not_found' },
    },
    (request) => signIns.revoke(personOf(request), request.params.id),
  );
}
