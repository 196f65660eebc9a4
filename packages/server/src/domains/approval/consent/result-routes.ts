import { DetachedPending, DetachedResultBody, ResultForm, TokenError } from '@symbolon/protocol';
import { sourceOf } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { formOf, takeForms } from '../../../http/forms.ts';
import { followAnswer } from '../../../http/handed-over.ts';
import type { DetachedResults } from './results.ts';

const NAMES = ['client_id', 'client_secret', 'state'] as const;

export function resultRoutes(app: App, { results }: { results: DetachedResults }): void {
  app.register(async (scope) => {
    takeForms(scope as unknown as App);
    scope.post(
      '/oauth2/result',
      {
        config: {
          access: 'open',
          limit: 'own',
          alwaysJson: true,
          ignoresQuery: true,
          oauthErrors: true,
          errors: ['invalid_client', 'invalid_request', 'oauth.access_denied', 'oauth.result_expired'],
        },
        schema: {
          tags: ['authentication'],
          summary: 'Fetch the result of a detached sign-in',
          description:
            'Form parameters: client_id, state, and client_secret of a confidential app. 202 until the person has decided, also before they opened the link; then the result, once. Of a public app the 202 has two digits for the screen to show, once the link was opened: the person types them.',
          consumes: ['application/x-www-form-urlencoded'],
          body: ResultForm,
          response: {
            200: DetachedResultBody,
            202: DetachedPending,
            400: TokenError,
            401: TokenError,
            410: TokenError,
          },
        },
        // The schema tells what to send; refusals have the shape OAuth wants.
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const sent = parametersOf(formOf(request));
        const { result, handover } = await results.poll({ ...sent, source: sourceOf(request) });
        if (result === undefined || 'status' in result)
          return reply.code(202).send(result ?? { status: 'pending' });
        if (handover !== undefined) await followAnswer(request, reply, handover);
        return result;
      },
    );
  });
}

/** @throws {PlatformError} invalid_request */
function parametersOf(form: URLSearchParams) {
  for (const name of NAMES)
    if (form.getAll(name).length > 1) throw invalid(`The parameter ${name} is repeated.`);
  const clientId = form.get('client_id');
  const state = form.get('state');
  if (clientId === null) throw invalid('The parameter client_id is missing.');
  if (state === null) throw invalid('The parameter state is missing.');
  return { clientId, state, secret: form.get('client_secret') ?? undefined };
}

const invalid = (text: string) => new PlatformError('invalid_request', { text });
