import {
  CompanyConnection,
  CompanyConnectionPage,
  CompanyConnectionRow,
  CompanyRequestFields,
  KeyPageQuery,
  LogPage,
  NewestPageQuery,
  Whoami,
  WhoamiQuery,
} from '@symbolon/protocol';
import { dataClientOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { keyPageOf, newestPageOf } from '../../../http/page.ts';
import { sendPage } from '../../../http/parted-page.ts';
import { routesOf } from '../../../http/routes.ts';
import { type AnswerFileDeps, answerFile, sendAnswerFile } from './answer-file.ts';

/** What the backend of a service reads of it. */
export function companyDataRoutes(app: App, deps: AnswerFileDeps): void {
  const { companyData } = deps;
  const route = routesOf(app, { tags: ['company data'], access: ['data_client'] });

  route(
    'GET /api/company-data/whoami',
    {
      summary: 'Which company and service the token stands for',
      query: WhoamiQuery,
      ok: Whoami,
    },
    async (request) => {
      const { companyId, serviceId } = dataClientOf(request);
      // Without names nothing is read for it: programs ask often whether their token is good.
      const names = request.query.names ? await companyData.names(serviceId) : {};
      return { company_user_id: companyId, service_id: serviceId, ...names };
    },
  );

  route(
    'GET /api/company-data/request-fields',
    { summary: 'The published request rows', limit: 'fields', ok: CompanyRequestFields },
    async (request) => ({ request_fields: await companyData.requestFields(dataClientOf(request)) }),
  );

  route(
    'GET /api/company-data/connections',
    {
      summary: 'List connections with their values',
      description:
        'Oldest first; every page but the last is full. Meant for a first full sync, by `after`: follow the change feed afterwards.',
      limit: 'connections',
      query: KeyPageQuery,
      ok: CompanyConnectionPage,
    },
    async (request, reply) => {
      const page = await companyData.connections(dataClientOf(request), keyPageOf(request.query));
      return sendPage(reply, CompanyConnectionRow, page);
    },
  );

  route(
    'GET /api/company-data/connections/:id',
    {
      errors: ['company_data.connection_not_found'],
      summary: 'One connection with its values',
      limit: 'connections',
      ok: CompanyConnection,
    },
    (request) => companyData.connection(dataClientOf(request), request.params.id),
  );

  route(
    'GET /api/company-data/connections/:connectionId/slots/:serviceFieldId/file',
    { ...answerFile, limit: 'connections' },
    async (request, reply) => {
      const { connectionId, serviceFieldId } = request.params;
      return sendAnswerFile(reply, deps, dataClientOf(request), connectionId, serviceFieldId);
    },
  );

  route(
    'DELETE /api/company-data/connections/:id',
    {
      errors: ['company_connections.active_contract', 'company_data.connection_not_found'],
      summary: 'End a connection',
    },
    (request) => companyData.endConnection(dataClientOf(request), request.params.id),
  );

  route(
    'GET /api/company-data/logs',
    {
      summary: 'The log of the service, newest first',
      limit: 'reference',
      query: NewestPageQuery,
      ok: LogPage,
    },
    (request) => companyData.logs(dataClientOf(request), newestPageOf(request.query)),
  );
}
