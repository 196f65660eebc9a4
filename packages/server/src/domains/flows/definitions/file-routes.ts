import { Flow, FlowAsset, FlowAssetKey, FlowAssetQuery, FlowPackageQuery, limits } from '@symbolon/protocol';
import type { FastifyReply } from 'fastify';
import type { App } from '../../../http/app.ts';
import { fileAnswer, fileBody, fileOf, takeFiles } from '../../../http/file-bodies.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Blobs } from '../../operations/index.ts';
import { flowOf, serviceOf } from './addressed.ts';
import type { Assets } from './assets.ts';
import type { Packages } from './packages.ts';
import { PDF } from './views.ts';

interface Rules {
  readonly assets: Assets;
  readonly packages: Packages;
  readonly blobs: Pick<Blobs, 'open'>;
}

const ZIP = 'application/zip';

/** Routes whose bodies or answers are files. */
export function flowFileRoutes(app: App, rules: Rules): void {
  app.register(async (scope) => {
    takeFiles(scope as unknown as App, [PDF, ZIP]);
    const route = routesOf(scope as unknown as App, {
      tags: ['flows'],
      access: ['portal', 'account_client'],
    });
    assetRoutes(route, rules);
    packageRoutes(route, rules);
  });
}

type Route = ReturnType<typeof routesOf>;

function assetRoutes(route: Route, { assets, blobs }: Rules): void {
  const path = '/api/services/:id/flows/:flowId/assets/:key';
  const params = { key: FlowAssetKey };

  route(
    `PUT ${path}`,
    {
      errors: ['documents.seal_unavailable', 'flows.asset_invalid', 'flows.limit_reached', 'flows.not_found'],
      summary: 'Store a PDF of a draft',
      description:
        'The body is the PDF. The answer tells which tags and form fields were found in it, and how wide the value of a tag may be.',
      limit: 'templates',
      params,
      query: FlowAssetQuery,
      bodyLimit: limits.fileBytes,
      body: fileBody(PDF),
      ok: FlowAsset,
    },
    (request) => {
      const { key } = request.params;
      const name = request.query.original_name ?? key;
      return assets.put(flowOf(request), key, { bytes: fileOf(request), name });
    },
  );

  route(
    `GET ${path}`,
    {
      errors: ['flows.asset_not_found', 'flows.not_found', 'photos.unavailable'],
      summary: 'Read a PDF of a draft',
      params,
      alwaysJson: true,
      ok: fileAnswer(PDF),
    },
    async (request, reply) => {
      const { row, file } = await assets.file(flowOf(request), request.params.key);
      const { bytes, stream } = await blobs.open(file.hash);
      asDownload(reply, PDF, row.original_name).header('content-length', bytes);
      return stream;
    },
  );

  route(
    `DELETE ${path}`,
    {
      errors: ['flows.asset_not_found', 'flows.not_found'],
      summary: 'Delete a PDF of a draft',
      params,
    },
    (request) => assets.delete(flowOf(request), request.params.key),
  );
}

function packageRoutes(route: Route, { packages }: Rules): void {
  route(
    'POST /api/services/:id/flows/import',
    {
      errors: [
        'documents.seal_unavailable',
        'flows.asset_invalid',
        'flows.definition_invalid',
        'flows.limit_reached',
        'flows.package_invalid',
        'services.not_found',
      ],
      summary: 'Make a draft of a package',
      description: 'The body is a zip with flow.json and the PDFs that it names.',
      limit: 'templates',
      bodyLimit: limits.uploadBodyBytes,
      body: fileBody(ZIP),
      created: Flow,
    },
    (request) => packages.import(serviceOf(request), fileOf(request)),
  );

  route(
    'GET /api/services/:id/flows/:flowId/package',
    {
      errors: ['flows.not_found', 'flows.version_not_found', 'photos.unavailable'],
      summary: 'The package of a flow',
      description: 'A zip of the draft, or of a published version.',
      query: FlowPackageQuery,
      alwaysJson: true,
      ok: fileAnswer(ZIP),
    },
    async (request, reply) => {
      const { name, content } = await packages.export(flowOf(request), request.query.version);
      asDownload(reply, ZIP, `${name}.zip`);
      return content;
    },
  );
}

/** A file that browsers store, under its name (RFC 6266). */
function asDownload(reply: FastifyReply, type: string, name: string): FastifyReply {
  const plain = name.replaceAll(/[^\w .-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return reply.type(type).headers({
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'x-content-type-options': 'nosniff',
  });
}
