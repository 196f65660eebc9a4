import {
  CompanyConnection,
  CompanyConnectionPage,
  CompanyConnectionRow,
  CompanyRequestFields,
  CustomersQuery,
  FileValue,
  KeyPageQuery,
  LogPage,
  NewestPageQuery,
  ServiceCustomerList,
  Whoami,
  WhoamiQuery,
} from '@symbolon/protocol';

import { dataClientOf, namedService } from '../../../access/callers.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { digestHeader, sendFile } from '../../../http/file-answer.ts';
import { keyPageOf, newestPageOf } from '../../../http/page.ts';
import { sendPage } from '../../../http/parted-page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { CompanyData } from './company-data.ts';
import type { Customers } from './customers.ts';

interface Deps {
  readonly companyData: CompanyData;
  readonly customers: Customers;
  readonly headerName: string;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
export function companyDataRoutes(app: App, { companyData, customers, headerName }: Deps): void {
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
    {
      errors: [
        'company_data.connection_not_found',
        'company_data.file_expired',
        'company_data.file_not_found',
        'photos.unavailable',
      ],
      summary: 'The file of an answer',
      description:
        '`{encrypted: true, value}` with a wrapper; `{encrypted: false, value}` with an envelope of pages or with further entries; or the file itself, with its content type. The first two are JSON, or XML when `Accept` prefers it. X-Platform-Content-Sha256 is the SHA-256 of the value, or of the file. A file that was given once is there for 90 days: 410 company_data.file_expired tells its digest and when it ended.',
      limit: 'connections',
      ok: FileValue,
    },
    async (request, reply) => {
      const { connectionId, serviceFieldId } = request.params;
      const file = await companyData.file(dataClientOf(request), connectionId, serviceFieldId);
      if ('sha256' in file) {
        throw new PlatformError('company_data.file_expired', {
          headers: { [digestHeader(headerName)]: file.sha256 },
          details: { content_sha256: file.sha256, expired_at: isoTime(file.at) },
        });
      }
      return sendFile(reply, headerName, file, () => companyData.open(file)) as never;
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

  const portal = routesOf(app, { tags: ['services'], access: ['portal'] });

  portal(
    'GET /api/services/:id/customers',
    {
      errors: ['services.not_found'],
      summary: 'Who the customers of a service are',
      description:
        'Without what they share. With `ids` those of some connections; else a page, newest first, of all or of those that `q` finds.',
      query: CustomersQuery,
      ok: ServiceCustomerList,
    },
    (request) => {
      const { ids, ...page } = request.query;
      if (ids === undefined) return customers.page(namedService(request), page);
      if (Object.keys(page).length > 0) throw idsAlone();
      return customers.named(namedService(request), ids.split(','));
    },
  );

  portal(
    'GET /api/services/:id/customers/:connectionId',
    {
      errors: ['company_data.connection_not_found', 'services.not_found'],
      summary: 'One customer with the answers, sealed to the key of the service',
      ok: CompanyConnection,
    },
    (request) => customers.one(namedService(request), request.params.connectionId),
  );

  portal(
    'GET /api/services/:id/logs',
    {
      errors: ['services.not_found'],
      summary: 'The log of a service, newest first',
      query: NewestPageQuery,
      ok: LogPage,
    },
    (request) => customers.logs(namedService(request), newestPageOf(request.query)),
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

const idsAlone = () =>
  new PlatformError('request.invalid', {
    details: { issues: [{ path: '/ids', message: 'does not go with other members: leave them out' }] },
  });
