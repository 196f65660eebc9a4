import {
  AnswerFlowRunRequest,
  CustomerRunList,
  CustomerRunsQuery,
  FlowFile,
  FlowRun,
  FlowRunBoard,
  FlowRunBoardQuery,
  FlowRunPage,
  FlowRunQuery,
  FlowRunSteps,
  FlowSourceKey,
  limits,
  PluginPass,
  SealedFile,
  StartFlowRunRequest,
  UploadFlowAnswerFileRequest,
  UploadFlowRunFileRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { companyOf, dataClientOf } from '../../../access/callers.ts';
import type { StoredFile } from '../../../core/stored-file.ts';
import type { App } from '../../../http/app.ts';
import { sendLarge } from '../../../http/large-answer.ts';
import { pageOf } from '../../../http/page.ts';
import { sendList, sendPage } from '../../../http/parted-page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Blobs } from '../../operations/index.ts';
import { companyCaller } from './access.ts';
import type { Answers } from './answers.ts';
import type { RunFiles } from './files.ts';
import type { PluginPasses } from './plugin-passes.ts';
import type { Runs } from './runs.ts';
import type { Starts } from './starts.ts';
import type { RunsOf, ServiceRef } from './store.ts';

export interface RunRules {
  readonly runs: Runs;
  readonly starts: Starts;
  readonly answers: Answers;
  readonly files: RunFiles;
  readonly passes: PluginPasses;
  readonly blobs: Blobs;
}

interface Ids {
  readonly id: string;
  readonly flowId: string;
  readonly runId: string;
}

/** Where the runs of a company are, for one kind of its callers. */
interface Places {
  readonly access: readonly ('data_client' | 'portal' | 'account_client')[];
  readonly flow: string;
  readonly runs: string;
  readonly run: string;
  readonly service: (request: FastifyRequest) => ServiceRef;
  /** Among which runs one is looked for. */
  readonly of: (request: FastifyRequest) => RunsOf;
}

const paramsOf = (request: FastifyRequest) => request.params as Ids;

/** The backend of the service. */
const DATA: Places = {
  access: ['data_client'],
  flow: '/api/company-data/flows/:flowId',
  runs: '/api/company-data/flow-runs',
  run: '/api/company-data/flow-runs/:runId',
  service: dataClientOf,
  of: dataClientOf,
};
const serviceOf = (request: FastifyRequest): ServiceRef => ({
  companyId: companyOf(request),
  serviceId: paramsOf(request).id,
});
/** The portal, and account clients of the company. */
const ACCOUNT: Places = {
  access: ['portal', 'account_client'],
  flow: '/api/services/:id/flows/:flowId',
  runs: '/api/services/:id/flows/:flowId/runs',
  run: '/api/services/:id/flows/:flowId/runs/:runId',
  service: serviceOf,
  of: (request) => ({ ...serviceOf(request), flowId: paramsOf(request).flowId }),
};

/** Where the runs of a company are. */
export const COMPANY_PLACES: readonly Places[] = [DATA, ACCOUNT];

/** The routes of the owning company: the same for its backend and for its account. */
export function companyRunRoutes(app: App, rules: RunRules): void {
  for (const places of COMPANY_PLACES) {
    startRoutes(app, rules, places);
    runRoutes(app, rules, places);
    fileRoutes(app, rules, places);
  }
  stepRoutes(app, rules);
  boardRoute(app, rules);
  customerRunsRoute(app, rules);
}

const tags = ['flows'];

function startRoutes(app: App, { runs, starts, files }: RunRules, places: Places): void {
  const route = routesOf(app, { tags, access: places.access });
  const flowOf = (request: FastifyRequest) => ({
    ...places.service(request),
    flowId: paramsOf(request).flowId,
  });

  route(
    `POST ${places.flow}/runs` as 'POST /:flowId',
    {
      errors: [
        'company_data.connection_not_found',
        'contact_data.encryption_required',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
        'flows.bindings_invalid',
        'flows.not_found',
        'flows.runs_limit',
        'flows.source_files_invalid',
        'flows.tag_values_stale',
        'flows.version_changed',
        'flows.version_not_found',
      ],
      summary: 'Start a run of a flow with a connected customer',
      description: 'Without flow_version the latest published one. A refusal changes nothing.',
      body: StartFlowRunRequest,
      created: FlowRun,
    },
    (request) => starts.start(flowOf(request), request.body),
  );

  route(
    `POST ${places.flow}/run-files` as 'POST /:flowId',
    {
      errors: [
        'contact_data.encryption_required',
        'flows.not_found',
        'flows.source_user_invalid',
        'flows.uploads_limit',
      ],
      summary: 'Upload a sealed copy of a file that a start names next',
      body: UploadFlowRunFileRequest,
      bodyLimit: limits.uploadBodyBytes,
      created: FlowFile,
    },
    (request) => {
      const { source_user_id: sourceUserId, value } = request.body;
      return files.uploadSource(flowOf(request), sourceUserId ?? null, value);
    },
  );

  route(
    `GET ${places.runs}` as 'GET /',
    {
      errors: ['flows.not_found', 'flows.version_not_found'],
      summary: 'List runs, newest first',
      description:
        'The status awaiting_company means the turn of the company, whatever the key of its party is.',
      query: FlowRunQuery,
      ok: FlowRunPage,
    },
    async (request, reply) => {
      const { status } = request.query;
      const page = await runs.list(places.of(request), { status, ...pageOf(request.query) });
      return sendPage(reply, FlowRun, page);
    },
  );
}

function runRoutes(app: App, { answers, passes, runs }: RunRules, places: Places): void {
  const route = routesOf(app, { tags, access: places.access });
  const callerOf = (request: FastifyRequest) => companyCaller(places.of(request));
  const path = places.run as '/:runId';

  route(
    `GET ${path}`,
    {
      errors: ['flows.run_not_found', 'flows.version_not_found'],
      summary: 'Read a run',
      ok: FlowRun,
    },
    (request) => runs.get(callerOf(request), request.params.runId),
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
      summary: 'Answer the step that waits for the company',
      role: 'support',
      description: 'Each answer is sealed once for everybody who is bound. The answer is the whole run.',
      body: AnswerFlowRunRequest,
      ok: FlowRun,
    },
    async (request) => {
      const caller = callerOf(request);
      return runs.view(caller, await answers.submit(caller, request.params.runId, request.body));
    },
  );

  route(
    `POST ${path}/plugin-pass`,
    {
      errors: ['flows.not_your_turn', 'flows.run_not_found', 'flows.version_not_found'],
      summary: 'A pass to call the plugins of the step that waits for the company',
      role: 'support',
      ok: PluginPass,
    },
    (request) => passes.pass(callerOf(request), request.params.runId, request.headers.host),
  );

  route(
    `POST ${path}/cancel`,
    {
      errors: ['flows.run_ended', 'flows.run_not_found', 'flows.version_not_found'],
      summary: 'Cancel a run, with every copy of its documents',
      role: 'support',
      ok: FlowRun,
    },
    async (request) => {
      const caller = callerOf(request);
      return runs.view(caller, await answers.cancel(caller, request.params.runId));
    },
  );
}

/** For the staff who look at one customer. */
function customerRunsRoute(app: App, { runs }: RunRules): void {
  routesOf(app, { tags, access: ['portal'] })(
    'GET /api/services/:id/customers/:connectionId/flow-runs',
    {
      errors: ['company_data.connection_not_found'],
      summary: 'The runs of flows in which a customer takes part, newest first',
      query: CustomerRunsQuery,
      ok: CustomerRunList,
    },
    (request) => {
      const { limit = 20, before = '' } = request.query;
      return runs.listWithCustomer(serviceOf(request), request.params.connectionId, { before, most: limit });
    },
  );
}

/** For the portal alone: programs have the list. */
function boardRoute(app: App, { runs }: RunRules): void {
  routesOf(app, { tags, access: ['portal'] })(
    'GET /api/services/:id/flows/:flowId/run-board',
    {
      errors: ['flows.not_found', 'flows.version_not_found'],
      summary: 'The runs of a flow by whom they wait for',
      description:
        'How many runs each column has, and the newest of each; with `column` and `before` those of one column that follow.',
      query: FlowRunBoardQuery,
      ok: FlowRunBoard,
    },
    async (request, reply) => {
      const { limit = 20, ...page } = request.query;
      const of = { ...serviceOf(request), flowId: request.params.flowId };
      const { totals, parts } = await runs.board(of, { ...page, limit });
      return sendList(reply, FlowRun, { head: totals, member: 'items', parts });
    },
  );
}

/** For the account alone: the backend has the events of the run. */
function stepRoutes(app: App, { runs }: RunRules): void {
  const route = routesOf(app, { tags, access: ACCOUNT.access });

  route(
    'GET /api/services/:id/flows/:flowId/runs/:runId/steps',
    {
      errors: ['flows.run_not_found', 'flows.version_not_found'],
      summary: 'When which step of a run was answered, by which party',
      ok: FlowRunSteps,
    },
    (request) => runs.steps(companyCaller(ACCOUNT.of(request)), request.params.runId),
  );
}

/** How either side uploads the file of an answer. */
export const ANSWER_FILE = {
  errors: [
    'contact_data.encryption_required',
    'flows.answer_unknown',
    'flows.copies_missing',
    'flows.not_your_turn',
    'flows.run_not_found',
    'flows.uploads_limit',
    'flows.version_not_found',
  ],
  summary: 'Upload a sealed copy of a file that an answer names next',
  body: UploadFlowAnswerFileRequest,
  bodyLimit: limits.uploadBodyBytes,
  created: FlowFile,
} as const;

function fileRoutes(app: App, { files, blobs }: RunRules, places: Places): void {
  const route = routesOf(app, { tags, access: places.access });
  const callerOf = (request: FastifyRequest) => companyCaller(places.of(request));
  const path = places.run as '/:runId';
  const send = (reply: Parameters<typeof sendLarge>[0], { hash }: StoredFile) =>
    sendLarge(reply, { encrypted: true }, ['value', { open: () => blobs.open(hash), form: 'wrapper' }]);

  route(`POST ${path}/answer-files`, { ...ANSWER_FILE, role: 'support' }, (request) =>
    files.uploadAnswer(callerOf(request), request.params.runId, request.body),
  );

  route(
    `GET ${path}/slots/:slug/file`,
    {
      errors: ['flows.file_not_found', 'flows.run_not_found', 'photos.unavailable'],
      summary: "The company's copy of a file that answers a field",
      params: { slug: FlowSourceKey },
      ok: SealedFile,
    },
    async (request, reply) => {
      const { runId, slug } = request.params;
      return (await send(reply, await files.byKey(callerOf(request), runId, 'answer', slug))) as never;
    },
  );

  route(
    `GET ${path}/source-files/:key`,
    {
      errors: ['flows.file_not_found', 'flows.run_not_found', 'photos.unavailable'],
      summary: "The company's copy of a file that the run was started with",
      alwaysJson: true,
      params: { key: FlowSourceKey },
      ok: SealedFile,
    },
    async (request, reply) => {
      const { runId, key } = request.params;
      return (await send(reply, await files.byKey(callerOf(request), runId, 'source', key))) as never;
    },
  );
}
