import { DraftName, PersonDraft, PersonDraftList, PutDraftRequest } from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Drafts } from './drafts.ts';

export function draftRoutes(app: App, drafts: Drafts): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'GET /api/person/drafts',
    { summary: 'What you have begun to write', description: 'The latest first.', ok: PersonDraftList },
    async (request) => ({ items: await drafts.list(personOf(request)) }),
  );

  route(
    'GET /api/person/drafts/:name',
    {
      errors: ['people.draft_not_found'],
      summary: 'One draft',
      params: { name: DraftName },
      ok: PersonDraft,
    },
    (request) => drafts.get(personOf(request), request.params.name),
  );

  route(
    'PUT /api/person/drafts/:name',
    {
      errors: [
        'contact_data.encryption_required',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
      ],
      summary: 'Keep a draft',
      description:
        'The value is sealed to your own key. Of more than 50 drafts, those that were changed longest ago go; one that is not changed for 30 days ends.',
      params: { name: DraftName },
      body: PutDraftRequest,
    },
    (request) => drafts.put(personOf(request), request.params.name, request.body),
  );

  route(
    'DELETE /api/person/drafts/:name',
    { summary: 'Delete a draft', params: { name: DraftName } },
    (request) => drafts.delete(personOf(request), request.params.name),
  );
}
