import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import type { DirectoryService } from './directory-service.ts';

export const Owner = Type.Object({
  kind: Type.Union([Type.Literal('company'), Type.Literal('person')]),
  id: Type.String({ maxLength: 100 }),
});
export const Name = Type.Object({
  kind: Type.Union([Type.Literal('share_code'), Type.Literal('portal_email'), Type.Literal('person_email')]),
  name: Type.String({ maxLength: 400 }),
});
const Names = Type.Array(Name, { maxItems: 100 });

const config = { access: ['peer'], alwaysJson: true } as const;

/** What regions ask the front door. */
export function directoryRoutes(app: App, { directory }: { directory: DirectoryService }): void {
  app.post(
    '/internal/directory/claim',
    { config, schema: { hide: true, body: Type.Object({ owner: Owner, names: Names }) } },
    async (request) => ({
      taken: await directory.claim(regionOf(request), request.body.owner, request.body.names),
    }),
  );
  app.post(
    '/internal/directory/confirm',
    { config, schema: { hide: true, body: Type.Object({ owner: Owner, names: Names }) } },
    async (request) => {
      await directory.confirm(request.body.owner, request.body.names);
      return {};
    },
  );
  app.post(
    '/internal/directory/release',
    { config, schema: { hide: true, body: Type.Object({ owner: Owner, names: Type.Optional(Names) }) } },
    async (request) => {
      await directory.release(request.body.owner, request.body.names);
      return {};
    },
  );
  app.post(
    '/internal/directory/find',
    { config, schema: { hide: true, body: Type.Object({ name: Name }) } },
    async (request) => ({ home: (await directory.find(request.body.name)) ?? null }),
  );
  app.post(
    '/internal/directory/home',
    { config, schema: { hide: true, body: Type.Object({ owner: Owner }) } },
    async (request) => ({ region: (await directory.homeOf(request.body.owner)) ?? null }),
  );
  app.post(
    '/internal/directory/move',
    {
      config,
      schema: {
        hide: true,
        body: Type.Object({
          company_id: Type.String({ maxLength: 100 }),
          from: Type.String({ maxLength: 32 }),
          to: Type.String({ maxLength: 32 }),
        }),
      },
    },
    async (request) => {
      const { company_id: companyId, from, to } = request.body;
      return { region: (await directory.move(companyId, { from, to })) ?? null };
    },
  );
}

/** The region that calls. */
export function regionOf(request: FastifyRequest): string {
  if (request.principal?.kind !== 'peer') throw new PlatformError('auth.forbidden');
  return request.principal.region;
}
