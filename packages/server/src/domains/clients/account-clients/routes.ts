import {
  AccountClientList,
  AccountClientWithSecret,
  CapabilitiesRequest,
  CreateAccountClientRequest,
  GrantedCapabilities,
} from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { clientActOf, clientParams } from '../data-clients/client-act.ts';
import type { AccountClients } from './account-clients.ts';

const PATH = '/api/account/clients';

/**
 * Only portal logins may call these: no client makes clients, or grants itself anything (wire 4.7). Changes take an admin,
 * for a client can be one that manages delegates.
 */
export function accountClientRoutes(app: App, { accountClients }: { accountClients: AccountClients }): void {
  const route = routesOf(app, { tags: ['account'], access: ['portal'] });

  route(
    `POST ${PATH}`,
    {
      errors: [
        'account_clients.limit_reached',
        'account_clients.name_invalid',
        'account_clients.purpose_invalid',
        'account_clients.purpose_reserved',
        'account_clients.purpose_taken',
      ],
      summary: 'Create an account client',
      description: 'A client acts as the company, within the capability groups that it is granted here.',
      role: 'admin',
      invalidKeys: {
        '/name': 'account_clients.name_invalid',
        '/purpose': 'account_clients.purpose_invalid',
      },
      body: CreateAccountClientRequest,
      created: AccountClientWithSecret,
    },
    (request) => accountClients.create(companyOf(request), actorOf(request), request.body),
  );

  route(`GET ${PATH}`, { summary: 'List account clients', ok: AccountClientList }, async (request) => ({
    clients: await accountClients.list(companyOf(request)),
  }));

  route(
    `PUT ${PATH}/:id/capabilities`,
    {
      errors: ['account_clients.not_found', 'account_clients.purpose_managed'],
      summary: 'Grant an account client its capabilities',
      description: 'The whole new set, in effect at once. What every client may call stays.',
      role: 'admin',
      params: clientParams,
      body: CapabilitiesRequest,
      ok: GrantedCapabilities,
    },
    (request) => accountClients.grant(clientActOf(request), request.body.capabilities),
  );

  route(
    `POST ${PATH}/:id/regenerate-secret`,
    {
      errors: ['account_clients.not_found', 'account_clients.purpose_managed'],
      summary: 'Give an account client a new secret',
      description: 'Tokens of the old secret end.',
      role: 'admin',
      params: clientParams,
      ok: AccountClientWithSecret,
    },
    (request) => accountClients.regenerateSecret(clientActOf(request)),
  );

  route(
    `DELETE ${PATH}/:id`,
    {
      errors: ['account_clients.not_found'],
      summary: 'Delete an account client',
      role: 'admin',
      params: clientParams,
    },
    (request) => accountClients.delete(clientActOf(request)),
  );
}
