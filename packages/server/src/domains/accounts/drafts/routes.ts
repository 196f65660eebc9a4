import { Draft, DraftList, DraftName, PutDraftRequest } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { loginOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Drafts } from './drafts.ts';
import type { DraftOwner } from './store.ts';

/** The drafts of people, and of logins of companies, by the same calls. */
export function draftRoutes(app: App, drafts: Drafts): void {
  const person = routesOf(app, { tags: ['person'], access: ['person'] });
  const portal = routesOf(app, { tags: ['portal security'], access: ['portal'], role: 'viewer' });

  person('GET /api/person/drafts', listing, async (request) => ({
    items: await drafts.list(personOwner(request)),
  }));
  person('GET /api/person/drafts/:name', reading, (request) =>
    drafts.get(personOwner(request), request.params.name),
  );
  person('PUT /api/person/drafts/:name', putting('your own key'), (request) =>
    drafts.put(personOwner(request), request.params.name, request.body),
  );
  person('DELETE /api/person/drafts/:name', deleting, (request) =>
    drafts.delete(personOwner(request), request.params.name),
  );

  portal('GET /api/account/drafts', listing, async (request) => ({
    items: await drafts.list(loginOwner(request)),
  }));
  portal('GET /api/account/drafts/:name', reading, (request) =>
    drafts.get(loginOwner(request), request.params.name),
  );
  portal('PUT /api/account/drafts/:name', putting('the key of the service that you write for'), (request) =>
    drafts.put(loginOwner(request), request.params.name, request.body),
  );
  portal('DELETE /api/account/drafts/:name', deleting, (request) =>
    drafts.delete(loginOwner(request), request.params.name),
  );
}

const personOwner = (request: FastifyRequest): DraftOwner => ({
  table: 'person_drafts',
  key: { person_id: personOf(request) },
});

function loginOwner(request: FastifyRequest): DraftOwner {
  const { companyId, loginId } = loginOf(request);
  return { table: 'login_drafts', key: { company_id: companyId, login_id: loginId } };
}

const params = { name: DraftName };
const listing = {
  summary: 'What you have begun to write',
  description: 'The latest first.',
  ok: DraftList,
} as const;
const reading = { errors: ['people.draft_not_found'], summary: 'One draft', params, ok: Draft } as const;
const putting = (key: string) =>
  ({
    errors: [
      'contact_data.encryption_required',
      'contact_data.value_too_large',
      'contact_data.wrapper_invalid',
    ],
    summary: 'Keep a draft',
    description: `The value is sealed to ${key}. Of more than 50 drafts, those that were changed longest ago go; one that is not changed for 30 days ends.`,
    params,
    body: PutDraftRequest,
  }) as const;
const deleting = { summary: 'Delete a draft', params } as const;
