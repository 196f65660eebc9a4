import { clientIdPrefix, TokenError } from '@symbolon/protocol';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import { sentParameters } from '../../../core/sent-parameters.ts';
import type { App } from '../../../http/app.ts';
import { formOf, takeForms } from '../../../http/forms.ts';
import type { Clients } from '../data-clients/clients.ts';

const Query = Type.Object({ client_id: Type.Optional(Type.String({ maxLength: 200 })) });

interface Deps {
  readonly clients: Pick<Clients, 'exists'>;
}

/**
 * Where standard clients send people: on to the consent page, which has the same parameters. It reads them itself, so nothing is
 * looked up here for a sign-in app, and the redirect never leaves the platform.
 */
export function authorizeRoutes(app: App, { clients }: Deps): void {
  const config = {
    access: 'open',
    alwaysJson: true,
    ignoresQuery: true,
    oauthErrors: true,
    errors: ['invalid_request', 'unauthorized_client'],
  } as const;
  const shown = {
    tags: ['authentication'],
    response: { 302: Type.Null(), 400: TokenError },
  };
  // What is in the parameters, the consent page checks.
  const validatorCompiler = () => () => true;
  const answer = async (clientId: string | null, query: string, reply: FastifyReply) => {
    if (clientId === null) throw missing();
    if (clientId.startsWith(clientIdPrefix.app)) {
      return reply.header('cache-control', 'no-store').redirect(`/auth?${query}`, 302);
    }
    if (await clients.exists(clientId)) throw new PlatformError('unauthorized_client');
    throw new PlatformError('invalid_request', { text: 'The client is unknown.' });
  };

  app.get(
    '/oauth2/authorize',
    {
      config,
      schema: {
        ...shown,
        summary: 'Send a person to the consent page',
        description: 'For sign-in apps. Refused for registered clients of the data and account interfaces.',
        querystring: Query,
      },
      validatorCompiler,
    },
    (request, reply) => {
      const query = request.url.replace(/^[^?]*\??/, '');
      return answer(sentParameters(query).get('client_id'), query, reply);
    },
  );

  app.register(async (scope) => {
    takeForms(scope as unknown as App);
    scope.post(
      '/oauth2/authorize',
      {
        config,
        schema: {
          ...shown,
          summary: 'Send a person to the consent page, by a form',
          description: 'The same parameters as a form (OpenID Connect Core 3.1.2.1).',
          consumes: ['application/x-www-form-urlencoded'],
          body: Query,
        },
        validatorCompiler,
      },
      (request, reply) => {
        const form = formOf(request);
        return answer(form.get('client_id'), form.toString(), reply);
      },
    );
  });
}

const missing = () => new PlatformError('invalid_request', { text: 'The parameter client_id is missing.' });
