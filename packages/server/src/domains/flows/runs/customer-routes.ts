import {
  AnswerFlowRunAsCustomerRequest,
  CustomerFlowRun,
  CustomerFlowRunList,
  Id,
  type ListedFlowRun,
  PersonFlowRunList,
  PluginPass,
  Wrapper,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { companyOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { sendWrapper } from '../../../http/large-answer.ts';
import { sendList } from '../../../http/parted-page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Caller } from './access.ts';
import { ANSWER_FILE, type RunRules } from './routes.ts';

/** Where the runs of a customer are, for one kind of customer. */
interface Places {
  readonly access: readonly ('person' | 'portal' | 'account_client')[];
  readonly run: string;
  readonly caller: (request: FastifyRequest) => Caller;
}

const PERSON: Places = {
  access: ['person'],
  run: '/api/person/flow-runs/:runId',
  caller: (request) => ({ side: 'customer', userId: personOf(request) }),
};
const COMPANY: Places = {
  access: ['portal', 'account_client'],
  run: '/api/company-connections/:id/flow-runs/:runId',
  caller: (request) => ({
    side: 'customer',
    userId: companyOf(request),
    groupId: (request.params as { id: string }).id,
  }),
};

/** Where the runs of customers are. */
export const CUSTOMER_PLACES: readonly Places[] = [PERSON, COMPANY];

const tags = ['flows'];
const federated = { by: 'id', missing: 'flows.run_not_found' } as const;

/** The routes of customers who take part in runs: people, and companies. */
export function customerRunRoutes(app: App, rules: RunRules): void {
  listRoutes(app, rules);
  for (const places of CUSTOMER_PLACES) runRoutes(app, rules, places);
}

function listRoutes(app: App, { runs }: RunRules): void {
  routesOf(app, { tags, access: PERSON.access })(
    'GET /api/person/flow-runs',
    {
      summary: 'The newest runs of flows in which the person takes part, oldest first',
      federated: { by: 'list', list: listOf<ListedFlowRun>('runs', ({ id }) => id) },
      ok: PersonFlowRunList,
    },
    (request) => runs.listForPerson(personOf(request)),
  );

  routesOf(app, { tags, access: COMPANY.access })(
    'GET /api/company-connections/:id/flow-runs',
    {
      errors: ['connections.not_found', 'flows.version_not_found'],
      summary: 'The runs of flows of another company in which this one takes part, newest first',
      federated: { by: 'id', missing: 'connections.not_found' },
      ok: CustomerFlowRunList,
    },
    async (request, reply) =>
      sendList(reply, CustomerFlowRun, {
        member: 'runs',
        parts: await runs.listInGroup(companyOf(request), request.params.id),
      }),
  );
}

function runRoutes(app: App, { answers, blobs, files, passes, runs }: RunRules, places: Places): void {
  const route = routesOf(app, { tags, access: places.access, federated });
  const path = places.run as '/:runId';

  route(
    `GET ${path}`,
    {
      errors: ['flows.run_not_found', 'flows.version_not_found'],
      summary: 'Read a run',
      description: "The answers and values of tags are the copies for the caller's key.",
      ok: CustomerFlowRun,
    },
    (request) => runs.getForCustomer(places.caller(request), request.params.runId),
  );

  route(
    `POST ${path}/answers`,
    {
      errors: [
        'contact_data.encryption_required',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
        'flows.answer_unknown',
        'flows.copies_missing',
        'flows.not_your_turn',
        'flows.route_invalid',
        'flows.run_not_found',
        'flows.run_too_large',
        'flows.version_not_found',
      ],
      summary: 'Answer the step that waits for the caller',
      description: 'Each answer is sealed once for everybody who is bound. The answer is the whole run.',
      body: AnswerFlowRunAsCustomerRequest,
      ok: CustomerFlowRun,
    },
    async (request) => {
      const caller = places.caller(request);
      const seen = await answers.submit(caller, request.params.runId, request.body);
      return runs.viewForCustomer(caller, seen);
    },
  );

  route(
    `POST ${path}/plugin-pass`,
    {
      errors: ['flows.not_your_turn', 'flows.run_not_found', 'flows.version_not_found'],
      summary: 'A pass to call the plugins of the step that waits for the caller',
      ok: PluginPass,
    },
    (request) => passes.pass(places.caller(request), request.params.runId, request.headers.host),
  );

  route(
    `POST ${path}/decline`,
    {
      errors: ['flows.run_ended', 'flows.run_not_found', 'flows.version_not_found'],
      summary: 'Decline to take part: the run is cancelled',
      ok: CustomerFlowRun,
    },
    async (request) => {
      const caller = places.caller(request);
      return runs.viewForCustomer(caller, await answers.cancel(caller, request.params.runId));
    },
  );

  route(`POST ${path}/answer-files`, ANSWER_FILE, (request) =>
    files.uploadAnswer(places.caller(request), request.params.runId, request.body),
  );

  route(
    `GET ${path}/answer-files/:file` as 'GET /:runId/:file',
    {
      errors: ['flows.file_not_found', 'flows.run_not_found', 'photos.unavailable'],
      summary: "The caller's copy of an answered or source file, sealed",
      params: { file: Id },
      ok: Wrapper,
    },
    async (request, reply) => {
      const { runId, file } = request.params;
      const { hash } = await files.byId(places.caller(request), runId, file);
      return (await sendWrapper(reply, () => blobs.open(hash))) as never;
    },
  );
}
