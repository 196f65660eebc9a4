import { UserInfo } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { UserInfos } from './user-info.ts';

export function signInTokenRoutes(app: App, { userInfos }: { userInfos: UserInfos }): void {
  const route = routesOf(app, { tags: ['authentication'], access: ['sign_in'], alwaysJson: true });

  route(
    'GET /api/oauth/userinfo',
    {
      summary: 'Read what a person approved for the app',
      description:
        'With the access token of the code exchange, as often as wanted while it lives (OpenID Connect Core 5.3). Claims are wrappers sealed to the key of the app.',
      ignoresQuery: true,
      ok: UserInfo,
    },
    (request) => userInfos.read(signInOf(request)),
  );
}

function signInOf({ principal }: FastifyRequest) {
  if (principal?.kind !== 'sign_in') throw new PlatformError('auth.forbidden');
  return principal;
}
