import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
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
const Claim = Type.Object({ owner: Owner, names: Names });

/** What regions ask the front door. */
export function directoryRoutes(app: App, { directory }: { directory: DirectoryService }): void {
  const route = internalRoutesOf(app);

  route('POST /internal/directory/claim', { body: Claim }, async (request) => ({
    taken: await directory.claim(request.body.owner, request.body.names, regionOf(request)),
  }));
  route('POST /internal/directory/confirm', { body: Claim }, async (request) => {
    await directory.confirm(request.body.owner, request.body.names);
    return {};
  });
  route(
    'POST /internal/directory/release',
    { body: Type.Object({ owner: Owner, names: Type.Optional(Names) }) },
    async (request) => {
      await directory.release(request.body.owner, request.body.names);
      return {};
    },
  );
  route('POST /internal/directory/find', { body: Type.Object({ name: Name }) }, async (request) => ({
    home: (await directory.find(request.body.name)) ?? null,
  }));
  route('POST /internal/directory/home', { body: Type.Object({ owner: Owner }) }, async (request) => ({
    region: (await directory.homeOf(request.body.owner)) ?? null,
  }));
  route(
    'POST /internal/directory/move',
    {
      body: Type.Object({
        company_id: Type.String({ maxLength: 100 }),
        from: Type.String({ maxLength: 32 }),
        to: Type.String({ maxLength: 32 }),
      }),
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
