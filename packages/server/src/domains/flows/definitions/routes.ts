import {
  CompanyFlowList,
  CompanyFlowVersion,
  CreateFlowRequest,
  Flow,
  FlowCheck,
  FlowList,
  FlowVersion,
  FlowVersionList,
  limits,
  PublishedFlow,
  PublishFlowRequest,
  UpdateFlowRequest,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { dataClientOf } from '../../../access/callers.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { flowOf, serviceOf } from './addressed.ts';
import type { DefinitionBody } from './definition-work.ts';
import type { Flows } from './flows.ts';
import type { PublishedFlows } from './published.ts';
import type { Publishing } from './publishing.ts';
import type { SentDefinitions } from './sent-definitions.ts';

interface Rules {
  readonly flows: Flows;
  readonly publishing: Publishing;
  readonly published: PublishedFlows;
  readonly sent: SentDefinitions;
  readonly database: Pick<Database, 'reader'>;
}

const tags = ['flows'];
const params = {
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'of a published version' }),
};

export function flowRoutes(app: App, { flows, publishing, sent }: Rules): void {
  const withDefinition = (body: DefinitionBody) => ({
    bodyLimit: limits.flowDefinitionBytes + 64 * 1024,
    readsBody: (bytes: Buffer) => sent.body(bytes, body),
  });
  const route = routesOf(app, { tags, access: ['portal', 'account_client'] });
  const path = '/api/services/:id/flows';

  route(
    `GET ${path}`,
    {
      errors: ['services.not_found'],
      summary: 'List the flows of a service',
      ok: FlowList,
    },
    async (request) => ({
      flows: await flows.list(serviceOf(request)),
    }),
  );

  route(
    `POST ${path}`,
    {
      errors: ['flows.definition_invalid', 'flows.limit_reached', 'services.not_found'],
      summary: 'Create a flow',
      description: 'As a draft; without a definition an empty one.',
      ...withDefinition('create'),
      body: CreateFlowRequest,
      created: Flow,
    },
    (request) => flows.create(serviceOf(request), request.body),
  );

  route(
    `GET ${path}/:flowId`,
    {
      errors: ['flows.not_found'],
      summary: 'Read a flow with its draft',
      ok: Flow,
    },
    (request) => flows.get(flowOf(request)),
  );

  route(
    `PUT ${path}/:flowId`,
    {
      errors: ['flows.definition_invalid', 'flows.draft_changed', 'flows.limit_reached', 'flows.not_found'],
      summary: 'Save the draft of a flow, or rename it',
      description: 'With the revision that was read: 409 flows.draft_changed when a colleague saved since.',
      ...withDefinition('update'),
      body: UpdateFlowRequest,
      ok: Flow,
    },
    (request) => flows.update(flowOf(request), request.body),
  );

  route(
    `DELETE ${path}/:flowId`,
    {
      errors: ['flows.has_unfinished_runs', 'flows.not_found', 'services.not_found'],
      summary: 'Delete a flow',
      description: 'Refused while runs of it are not finished. Finished runs keep what they read of it.',
    },
    (request) => flows.delete(flowOf(request)),
  );

  route(
    `POST ${path}/:flowId/check`,
    { errors: ['flows.not_found'], summary: 'The issues and warnings of a draft', ok: FlowCheck },
    (request) => publishing.check(flowOf(request)),
  );

  route(
    `POST ${path}/:flowId/publish`,
    {
      errors: ['flows.definition_invalid', 'flows.draft_changed', 'flows.limit_reached', 'flows.not_found'],
      summary: 'Publish the draft as the next version',
      description: 'Runs that have started go on with their version.',
      body: PublishFlowRequest,
      ok: PublishedFlow,
    },
    async (request) => ({ version: await publishing.publish(flowOf(request), request.body.revision) }),
  );

  route(
    `GET ${path}/:flowId/versions`,
    {
      errors: ['flows.not_found'],
      summary: 'List the published versions, latest first',
      ok: FlowVersionList,
    },
    async (request) => ({ versions: await publishing.versions(flowOf(request)) }),
  );

  route(
    `GET ${path}/:flowId/versions/:version`,
    {
      errors: ['flows.not_found', 'flows.version_not_found'],
      summary: 'Read a published version',
      params,
      ok: FlowVersion,
    },
    (request) => publishing.version(flowOf(request), Number(request.params.version)),
  );
}

export function companyFlowRoutes(app: App, { published, database }: Rules): void {
  const route = routesOf(app, { tags, access: ['data_client'], limit: 'reference' });
  const path = '/api/company-data/flows';

  route(
    `GET ${path}`,
    { summary: 'The published flows of the service', ok: CompanyFlowList },
    async (request) => {
      const items = await published.list(database.reader, dataClientOf(request));
      return { total: items.length, items };
    },
  );

  route(
    `GET ${path}/:id/published`,
    {
      errors: ['flows.not_found', 'flows.not_published', 'flows.version_not_found'],
      summary: 'The latest version of a flow, with the types of the request rows',
      ok: CompanyFlowVersion,
    },
    (request) => {
      const ref = { ...dataClientOf(request), flowId: request.params.id };
      return published.forCompany(database.reader, ref);
    },
  );
}
