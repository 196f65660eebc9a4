import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
import { Name, Owner } from './directory-routes.ts';
import type { Names } from './names.ts';

/** What the front door asks a region. */
export function homeRoutes(
  app: App,
  { names, isSession }: { names: Names; isSession: (token: string) => Promise<boolean> },
): void {
  const route = internalRoutesOf(app);

  route(
    'POST /internal/sessions/known',
    { body: Type.Object({ token: Type.String({ maxLength: 8192 }) }) },
    async (request) => ({ home: await isSession(request.body.token) }),
  );
  route(
    'POST /internal/names/held',
    { body: Type.Object({ owner: Owner, names: Type.Array(Name, { maxItems: 200 }) }) },
    async (request) => ({ held: await names.held(request.body.owner, request.body.names) }),
  );
}
