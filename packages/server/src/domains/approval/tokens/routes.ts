import { UserInfo } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { takeForms } from '../../../http/forms.ts';
import { routesOf } from '../../../http/routes.ts';
import type { UserInfos } from './user-info.ts';

export function signInTokenRoutes(app: App, { userInfos }: { userInfos: UserInfos }): void {
  const shared = {
    tags: ['authentication'],
    access: ['sign_in'],
    alwaysJson: true,
    ignoresQuery: true,
  } as const;
  const route = routesOf(app, shared);

  route(
    'GET /api/oauth/userinfo',
    {
      summary: 'Read what a person approved for the app',
      description:
        'With the access token of the code exchange, as often as wanted while it lives (OpenID Connect Core 5.3). Claims are wrappers sealed to the key of the app.',
      ok: UserInfo,
    },
    (request) => userInfos.read(signInOf(request)),
  );

  // Beside GET, as OpenID Connect Core 5.3.1 requires it.
  app.register(async (scope) => {
    takeForms(scope as unknown as App);
    routesOf(scope as unknown as App, shared)(
      'POST /api/oauth/userinfo',
      {
        errors: ['invalid_request'],
        summary: 'Read what a person approved for the app',
        description:
          'As by GET. The access token may stand in a form, as access_token, instead of the header (RFC 6750 2.2).',
        formToken: true,
        ok: UserInfo,
      },
      (request) => userInfos.read(signInOf(request)),
    );
  });
}

function signInOf({ principal }: FastifyRequest) {
  if (principal?.kind !== 'sign_in') throw new PlatformError('auth.forbidden');
  return principal;
}
