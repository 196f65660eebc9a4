import {
  AcceptConnectRequest,
  AskedConnectRequestList,
  type BlockedService,
  BlockedServiceList,
  MessageQuery,
  PersonConnection,
  PersonConnectRequest,
  PersonConnectRequestList,
  SendConnectRequest,
  SentConnectRequest,
} from '@symbolon/protocol';
import { actorOf, dataClientOf, namedService, personOf } from '../../../access/callers.ts';
import type { CallPresence } from '../../../access/presence.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { pageBefore } from '../../../http/page.ts';
import { answerErrors, proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import { connectionAct } from '../../sharing/index.ts';
import type { ConnectRequestAnswers } from './answers.ts';
import type { ConnectRequests } from './connect-requests.ts';

interface Deps {
  readonly connectRequests: ConnectRequests;
  readonly answers: ConnectRequestAnswers;
  readonly presence: CallPresence;
}

const sending = {
  errors: [
    'company_connections.exists',
    'company_connections.not_found',
    'company_connections.persons_only',
    'company_connections.request_cap',
    'services.audience_b2b_only',
  ],
  summary: 'Ask a person to connect',
  description:
    'The answer arrives as an event with the request_id. While the request is open, the same call gives it again; after 30 days it is rejected.',
  looksUp: 'company_connections.not_found',
  body: SendConnectRequest,
  created: SentConnectRequest,
} as const;

/** The same for the staff of the company, which sees what was asked. */
export function staffConnectRequestRoutes(
  app: App,
  { connectRequests }: Pick<Deps, 'connectRequests'>,
): void {
  const route = routesOf(app, { tags: ['connect requests'], access: ['portal'] });
  const path = '/api/services/:id/connect-requests';
  route(
    `GET ${path}`,
    {
      errors: ['services.not_found'],
      summary: 'Whom the service has asked to connect, newest first',
      description:
        'A request is listed for 30 days. A person whom the service has not met is known by the code alone.',
      query: MessageQuery,
      ok: AskedConnectRequestList,
    },
    (request) => connectRequests.list(namedService(request), pageBefore(request.query)),
  );
  route(
    `POST ${path}`,
    { ...sending, errors: [...sending.errors, 'services.not_found'], role: 'support' },
    (request) =>
      connectRequests.send({ ...namedService(request), actor: actorOf(request) }, request.body.share_code),
  );
}

export function connectRequestRoutes(app: App, { connectRequests, answers, presence }: Deps): void {
  const service = routesOf(app, { tags: ['connect requests'], access: ['data_client'] });

  service('POST /api/company-data/connect-requests', sending, (request) =>
    connectRequests.send(dataClientOf(request), request.body.share_code),
  );

  const person = routesOf(app, { tags: ['connect requests'], access: ['person'] });
  const path = '/api/person/connect-requests';
  const byId = { federated: { by: 'id', missing: 'connect_requests.not_found' } } as const;

  person(
    `GET ${path}`,
    {
      summary: 'Services that ask this person to connect, oldest first',
      federated: {
        by: 'list',
        list: listOf<PersonConnectRequest>('connect_requests', (asked) => asked.request_id),
      },
      ok: PersonConnectRequestList,
    },
    (request) => answers.list(personOf(request)),
  );

  person(
    `GET ${path}/:id`,
    { errors: ['connect_requests.not_found'], summary: 'One of them', ...byId, ok: PersonConnectRequest },
    (request) => answers.get(personOf(request), request.params.id),
  );

  person(
    `POST ${path}/:id/accept`,
    {
      errors: [
        ...answerErrors,
        ...proofErrors,
        'connect_requests.not_found',
        'connections.exists',
        'connections.not_found',
        'connections.two_factor_required',
        'contact_data.mandatory_missing',
        'contact_data.usertype_forbidden',
        'profile.not_found',
        'services.audience_b2b_only',
      ],
      summary: 'Connect to the service that asks',
      description:
        'With the decisions, and where the service wants it the proof, of connecting by its codes. A person who connects by other ways has accepted too.',
      ...byId,
      body: AcceptConnectRequest,
      created: PersonConnection,
    },
    async (request) => {
      const { id } = request.params;
      const { decisions, proof } = request.body;
      const { company, service: asking } = await answers.get(personOf(request), id);
      const act = connectionAct({ company_code: company.company_code, service_code: asking.share_code });
      const proven =
        proof === undefined ? undefined : await presence.presenceOf(request, act, proof, { strong: true });
      return answers.accept(personOf(request), id, { decisions, presence: proven });
    },
  );

  person(
    `POST ${path}/:id/reject`,
    { errors: ['connect_requests.not_found'], summary: 'Reject', ...byId },
    (request) => answers.reject(personOf(request), request.params.id),
  );

  person(
    `POST ${path}/:id/block`,
    {
      errors: ['connect_requests.not_found'],
      summary: 'See no requests of this service any more',
      description: 'The service is not told: its requests stay open until they expire.',
      ...byId,
    },
    (request) => answers.block(personOf(request), request.params.id),
  );

  person(
    'GET /api/person/blocked-services',
    {
      summary: 'Services whose requests this person does not see',
      federated: {
        by: 'list',
        list: listOf<BlockedService>('blocked_services', (blocked) => blocked.service.id),
      },
      ok: BlockedServiceList,
    },
    (request) => answers.blocked(personOf(request)),
  );

  person(
    'DELETE /api/person/blocked-services/:id',
    {
      errors: ['connect_requests.not_blocked'],
      summary: 'See the requests of a service again',
      federated: { by: 'id', missing: 'connect_requests.not_blocked' },
    },
    (request) => answers.unblock(personOf(request), request.params.id),
  );
}
