import { ReplyTemplate, ReplyTemplateList, ReplyTemplateRequest } from '@symbolon/protocol';
import { namedService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { ReplyTemplates } from './templates.ts';

export function templateRoutes(app: App, { templates }: { templates: ReplyTemplates }): void {
  const route = routesOf(app, { tags: ['messages'], access: ['portal'] });
  const path = '/api/services/:id/reply-templates';
  const role = 'support';

  route(
    `GET ${path}`,
    {
      errors: ['services.not_found'],
      summary: 'The texts that staff keeps to send them again',
      ok: ReplyTemplateList,
    },
    async (request) => ({ templates: await templates.list(namedService(request)) }),
  );
  route(
    `POST ${path}`,
    {
      errors: ['messages.templates_limit', 'services.not_found'],
      summary: 'Keep a text to send it again',
      description: 'The platform can read it: it is no place for what is known of a customer.',
      role,
      body: ReplyTemplateRequest,
      created: ReplyTemplate,
    },
    (request) => templates.add(namedService(request), request.body),
  );
  route(
    `PUT ${path}/:templateId`,
    {
      errors: ['messages.template_not_found'],
      summary: 'Change a text that is kept',
      role,
      body: ReplyTemplateRequest,
      ok: ReplyTemplate,
    },
    (request) => templates.change(namedService(request), request.params.templateId, request.body),
  );
  route(
    `DELETE ${path}/:templateId`,
    { errors: ['messages.template_not_found'], summary: 'Delete a text that is kept', role },
    (request) => templates.delete(namedService(request), request.params.templateId),
  );
}
