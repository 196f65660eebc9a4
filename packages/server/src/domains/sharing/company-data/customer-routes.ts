import {
  CompanyConnection,
  CustomersQuery,
  LogPage,
  NewCustomers,
  NewestPageQuery,
  ServiceCustomerList,
} from '@symbolon/protocol';
import { actorOf, namedService } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { newestPageOf } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import { type AnswerFileDeps, answerFile, sendAnswerFile } from './answer-file.ts';
import type { Customers } from './customers.ts';

interface Deps extends AnswerFileDeps {
  readonly customers: Customers;
}

/** The customers of a service and its log, for the staff of its company. */
export function customerRoutes(app: App, deps: Deps): void {
  const { customers } = deps;
  const route = routesOf(app, { tags: ['services'], access: ['portal'] });

  route(
    'GET /api/services/:id/customers',
    {
      errors: ['services.not_found'],
      summary: 'Who the customers of a service are',
      description:
        'Without what they share. With `ids` those of some connections; else a page, newest first, of all or of those that fit `q`, `kind` and `missing`.',
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

  route(
    'GET /api/services/:id/customers/:connectionId',
    {
      errors: ['company_data.connection_not_found', 'services.not_found'],
      summary: 'One customer with the answers, sealed to the key of the service',
      ok: CompanyConnection,
    },
    (request) => customers.one(namedService(request), request.params.connectionId),
  );

  route(
    'GET /api/services/:id/customers/:connectionId/slots/:serviceFieldId/file',
    { ...answerFile, errors: [...answerFile.errors, 'services.not_found'] },
    async (request, reply) => {
      const { connectionId, serviceFieldId } = request.params;
      await customers.requireStanding(namedService(request));
      return sendAnswerFile(reply, deps, namedService(request), connectionId, serviceFieldId);
    },
  );

  route(
    'DELETE /api/services/:id/customers/:connectionId',
    {
      errors: [
        'company_connections.active_contract',
        'company_data.connection_not_found',
        'services.not_found',
      ],
      summary: 'End the connection of a customer',
      role: 'admin',
    },
    (request) => customers.end(namedService(request), request.params.connectionId, actorOf(request)),
  );

  route(
    'GET /api/services/:id/new-customers',
    {
      errors: ['services.not_found'],
      summary: 'How many customers came on each of the last days',
      description: 'Of those that stand. Whoever connected again counts on the day of that.',
      ok: NewCustomers,
    },
    (request) => customers.newByDay(namedService(request)),
  );

  route(
    'GET /api/services/:id/logs',
    {
      errors: ['services.not_found'],
      summary: 'The log of a service, newest first',
      query: NewestPageQuery,
      ok: LogPage,
    },
    (request) => customers.logs(namedService(request), newestPageOf(request.query)),
  );
}

const idsAlone = () =>
  new PlatformError('request.invalid', {
    details: { issues: [{ path: '/ids', message: 'does not go with other members: leave them out' }] },
  });
