import {
  FlowInput,
  FlowRun,
  FlowSourceKey,
  GeneratedDocuments,
  GenerateFlowRequest,
  limits,
  SealedFile,
  UploadFlowInputRequest,
} from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import { sendLarge } from '../../../http/large-answer.ts';
import { routesOf } from '../../../http/routes.ts';
import type { RunCopies } from '../../agreements/index.ts';
import type { Blobs } from '../../operations/index.ts';
import { type Caller, companyCaller, requireRun } from '../runs/access.ts';
import { CUSTOMER_PLACES } from '../runs/customer-routes.ts';
import { COMPANY_PLACES } from '../runs/routes.ts';
import type { Runs } from '../runs/runs.ts';
import type { Generation } from './generation.ts';
import type { Inputs } from './inputs.ts';
import type { Withdrawals } from './withdrawals.ts';

interface Rules {
  readonly generation: Generation;
  readonly inputs: Inputs;
  readonly withdrawals: Withdrawals;
  readonly runs: Runs;
  readonly runCopies: RunCopies;
  readonly blobs: Blobs;
  readonly database: Database;
}

const tags = ['flows'];

/** The routes with which documents of runs are made, for all kinds of callers, and the company's own copies. */
export function generationRoutes(app: App, rules: Rules): void {
  for (const { access, run, of } of COMPANY_PLACES) {
    const callerOf = (request: FastifyRequest) => companyCaller(of(request));
    makingRoutes(routesOf(app, { tags, access }), run, callerOf, rules, BY_STAFF);
    withdrawalRoute(routesOf(app, { tags, access }), run, callerOf, rules);
    fileRoutes(routesOf(app, { tags, access }), run, callerOf, rules);
  }
  for (const { access, run, caller } of CUSTOMER_PLACES) {
    const federated = { by: 'id', missing: 'flows.run_not_found' } as const;
    makingRoutes(routesOf(app, { tags, access, federated }), run, caller, rules);
  }
}

/** Who answers a step of the company has its documents made, too. */
const BY_STAFF = { role: 'support' } as const;

type Route = ReturnType<typeof routesOf>;
type CallerOf = (request: FastifyRequest) => Caller;

function makingRoutes(
  route: Route,
  run: string,
  callerOf: CallerOf,
  { generation, inputs }: Rules,
  by: Partial<typeof BY_STAFF> = {},
): void {
  const path = run as '/:runId';

  route(
    `POST ${path}/generate/inputs`,
    {
      ...by,
      errors: ['flows.inputs_limit', 'flows.not_your_turn', 'flows.run_not_found'],
      summary: 'Upload a file from which documents of a run are made, encrypted with the one-time key',
      description: 'It waits for an hour, in the place of the one that the caller sent for the same source.',
      body: UploadFlowInputRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: FlowInput,
    },
    (request) =>
      inputs.upload(callerOf(request), request.params.runId, request.body.source_key, request.body.value),
  );

  route(
    `POST ${path}/generate`,
    {
      ...by,
      errors: [
        'documents.limit_reached',
        'documents.seal_unavailable',
        'flows.generate_inputs_mismatch',
        'flows.not_your_turn',
        'flows.run_not_found',
        'flows.source_pdf_invalid',
      ],
      summary: 'Make the documents of a run',
      description:
        'By the party that answered the last step. The first call that succeeds counts: a repetition answers its documents.',
      body: GenerateFlowRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: GeneratedDocuments,
    },
    (request) => generation.generate(callerOf(request), request.params.runId, request.body),
  );
}

function withdrawalRoute(route: Route, run: string, callerOf: CallerOf, { runs, withdrawals }: Rules): void {
  route(
    `POST ${run}/documents/withdraw` as 'POST /:runId',
    {
      errors: [
        'flows.documents_acted_on',
        'flows.no_document',
        'flows.run_ended',
        'flows.run_not_found',
        'flows.version_not_found',
      ],
      summary: 'Take back documents of a run that nobody has signed, so that they are made again',
      description:
        'Every copy is deleted, and the party that answered the last step makes them again. Repeated, it changes nothing.',
      role: 'support',
      ok: FlowRun,
    },
    async (request) => {
      const caller = callerOf(request);
      return runs.view(caller, await withdrawals.withdraw(caller, request.params.runId));
    },
  );
}

function fileRoutes(route: Route, run: string, callerOf: CallerOf, rules: Rules): void {
  const { blobs, database, runCopies } = rules;
  const path = run as '/:runId';
  const send = async (reply: FastifyReply, caller: Caller, runId: string, outputKey?: string) => {
    await requireRun(database.reader, caller, runId);
    const file = await runCopies.ownersFile(database.reader, runId, outputKey);
    if (file === undefined) throw new PlatformError('flows.no_document');
    const value = { open: () => blobs.open(file.hash), form: 'wrapper' } as const;
    return sendLarge(reply, { encrypted: true }, ['value', value]);
  };

  route(
    `GET ${path}/documents/:outputKey/file`,
    {
      errors: ['flows.no_document', 'flows.run_not_found', 'photos.unavailable'],
      summary: "The company's own copy of a document of a run",
      description: 'Sealed for the key of the service. It is the sealed PDF once everybody has signed.',
      params: { outputKey: FlowSourceKey },
      ok: SealedFile,
    },
    async (request, reply) => {
      const { runId, outputKey } = request.params;
      return (await send(reply, callerOf(request), runId, outputKey)) as never;
    },
  );

  route(
    `GET ${path}/document/file`,
    {
      errors: ['flows.no_document', 'flows.run_not_found', 'photos.unavailable'],
      summary: "The company's own copy of the first document of a run",
      ok: SealedFile,
    },
    async (request, reply) => (await send(reply, callerOf(request), request.params.runId)) as never,
  );
}
