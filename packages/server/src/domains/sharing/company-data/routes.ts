import {
  CompanyConnection,
  CompanyConnectionPage,
  CompanyConnectionRow,
  CompanyRequestFields,
  KeyPageQuery,
  LogPage,
  PageQuery,
  Whoami,
} from '@symbolon/protocol';

import { dataClientOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { keyPageOf, pageOf } from '../../../http/page.ts';
import { sendPage } from '../../../http/parted-page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { CompanyData } from './company-data.ts';

export function companyDataRoutes(app: App, { companyData }: { companyData: CompanyData }): void {
  const route = routesOf(app, { tags: ['company data'], access: ['data_client'] });

  route(
    'GET /api/company-data/whoami',
    { summary: 'Which company and service the token stands for', ok: Whoami },
    async (request) => {
      const { companyId, serviceId } = dataClientOf(request);
      return { company_user_id: companyId, service_id: serviceId };
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
    { summary: 'One connection with its values', limit: 'connections', ok: CompanyConnection },
    (request) => companyData.connection(dataClientOf(request), request.params.id),
  );

  route('DELETE /api/company-data/connections/:id', { summary: 'End a connection' }, (request) =>
    companyData.endConnection(dataClientOf(request), request.params.id),
  );

  route(
    'GET /api/company-data/logs',
    { summary: 'The log of the service, newest first', limit: 'reference', query: PageQuery, ok: LogPage },
    (request) => companyData.logs(dataClientOf(request), pageOf(request.query)),
  );
}
