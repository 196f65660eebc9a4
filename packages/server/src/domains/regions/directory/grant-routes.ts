import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
import type { Grants } from '../../clients/index.ts';

/** The grant, as the front door and other regions ask this one for it. */
export function peerTokenRoutes(app: App, { grant }: { grant: Grants }): void {
  const route = internalRoutesOf(app);

  route(
    'POST /internal/token',
    {
      body: Type.Object({
        form: Type.String({ maxLength: 16 * 1024 }),
        basic: Type.Optional(
          Type.Object({
            clientId: Type.String({ maxLength: 2048 }),
            secret: Type.String({ maxLength: 2048 }),
          }),
        ),
      }),
    },
    (request) => grant.grant({ form: new URLSearchParams(request.body.form), basic: request.body.basic }),
  );
}
