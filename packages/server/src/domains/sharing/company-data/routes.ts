import {
  CompanyConnection,
  CompanyConnectionPage,
  CompanyRequestFields,
  Id,
  LogPage,
  limits,
  PageQuery,
  Whoami,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { dataClientOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { CompanyData } from './company-data.ts';

const access = ['data_client'] as const;
const tags = ['company data'];
const params = Type.Object({ id: Id });
const reference = { access, limit: 'reference' } as const;
const connections = { access, limit: 'connections' } as const;

const pageOf = (query: { limit?: number; offset?: number }) => ({
  limit: query.limit ?? limits.pageDefault,
  offset: query.offset ?? 0,
});

export function companyDataRoutes(app: App, { companyData }: { companyData: CompanyData }): void {
  app.get(
    '/api/company-data/whoami',
    {
      config: { access },
      schema: { tags, summary: 'Which company and service the token stands for', response: { 200: Whoami } },
    },
    async (request) => {
      const { companyId, serviceId } = dataClientOf(request);
      return { company_user_id: companyId, service_id: serviceId };
    },
  );

  app.get(
    '/api/company-data/request-fields',
    {
      config: reference,
      schema: { tags, summary: 'The published request rows', response: { 200: CompanyRequestFields } },
    },
    async (request) => ({ request_fields: await companyData.requestFields(dataClientOf(request)) }),
  );

  app.get(
    '/api/company-data/connections',
    {
      config: connections,
      schema: {
        tags,
        summary: 'List connections with their values',
        description:
          'Oldest first; every page but the last is full. Meant for a first full sync: follow the change feed afterwards.',
        querystring: PageQuery,
        response: { 200: CompanyConnectionPage },
      },
    },
    async (request) => companyData.connections(dataClientOf(request), pageOf(request.query)),
  );

  app.get(
    '/api/company-data/connections/:id',
    {
      config: connections,
      schema: {
        tags,
        summary: 'One connection with its values',
        params,
        response: { 200: CompanyConnection },
      },
    },
    async (request) => companyData.connection(dataClientOf(request), request.params.id),
  );

  app.delete(
    '/api/company-data/connections/:id',
    {
      config: { access },
      schema: { tags, summary: 'End a connection', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await companyData.endConnection(dataClientOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/company-data/logs',
    {
      config: reference,
      schema: {
        tags,
        summary: 'The log of the service, newest first',
        querystring: PageQuery,
        response: { 200: LogPage },
      },
    },
    async (request) => companyData.logs(dataClientOf(request), pageOf(request.query)),
  );
}
