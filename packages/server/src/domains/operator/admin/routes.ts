import {
  AddFieldTypeQuery,
  AddFieldTypeRequest,
  AdminCompany,
  AdminFieldTypeList,
  AdminPerson,
  AdminSearchQuery,
  DropKeyQuery,
  FieldTypeRow,
  LevelRequest,
  MaintenanceRequest,
  MaintenanceView,
  OperatorAct,
  Page,
  PageQuery,
  PurgeResult,
  RotateRequest,
  RotationResult,
  ServerKeys,
  Statistics,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import { keyPageOf, pageOf } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Maintenance, MaintenanceState, OperatorActs } from '../../operations/index.ts';
import type { FieldTypes } from '../../registry/index.ts';
import type { Administration } from './administration.ts';
import type { Backups } from './backups.ts';
import type { KeyRotation } from './key-rotation.ts';

const config = { access: ['operator'] } as const;
const tags = ['operator'];
type Route = ReturnType<typeof routesOf>;

interface Deps {
  database: Database;
  administration: Administration;
  fieldTypes: FieldTypes;
  maintenance: Maintenance;
  keyRotation: KeyRotation;
  backups: Backups;
  acts: OperatorActs;
  /** Deletes what has outlived its time; gives how many rows of the feed went. */
  purge: () => Promise<number>;
}

/** What the operator's token opens. */
export function adminRoutes(app: App, deps: Deps): void {
  const route = routesOf(app, { tags, ...config });
  companyRoutes(route, deps);
  fieldTypeRoutes(route, deps);
  maintenanceRoutes(route, deps);
  dataRoutes(app, route, deps);
}

/** Without an operator token, and at a front door of its own, every address under /api/admin answers 404. */
export function noAdminRoutes(app: App): void {
  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '/api/admin/*',
    config: { access: 'open' },
    schema: { hide: true },
    handler: async () => {
      throw new PlatformError('request.not_found');
    },
  });
}

function companyRoutes(route: Route, { administration }: Deps): void {
  route(
    'GET /api/admin/companies',
    { summary: 'List companies, or look for some', query: AdminSearchQuery, ok: Page(AdminCompany) },
    ({ query }) => administration.companies({ search: query.search, ...keyPageOf(query) }),
  );

  route(
    'GET /api/admin/companies/:id',
    { errors: ['admin.company_not_found'], summary: 'Read a company', ok: AdminCompany },
    (request) => administration.company(request.params.id),
  );

  route(
    'PUT /api/admin/companies/:id/level',
    {
      errors: ['admin.company_not_found'],
      summary: 'Set the level of a company',
      body: LevelRequest,
      ok: AdminCompany,
    },
    (request) => administration.setLevel(request.params.id, request.body.level, request.ip),
  );

  route(
    'GET /api/admin/people',
    { summary: 'List people, or look for some', query: AdminSearchQuery, ok: Page(AdminPerson) },
    ({ query }) => administration.people({ search: query.search, ...keyPageOf(query) }),
  );

  route(
    'PUT /api/admin/people/:id/share-codes/:code',
    {
      errors: [
        'admin.person_not_found',
        'admin.share_code_invalid',
        'admin.share_code_taken',
        'admin.share_codes_limit',
      ],
      summary: 'Give a person a share code',
      description: 'It is taken wherever a share code is, and told to nobody.',
      params: { code: Type.String({ maxLength: 100 }) },
      ok: AdminPerson,
    },
    ({ params, ip }) => administration.addShareCode(params.id, params.code, ip),
  );

  route(
    'DELETE /api/admin/people/:id/share-codes/:code',
    {
      errors: ['admin.person_not_found', 'admin.share_code_not_found'],
      summary: 'Take such a code back',
      params: { code: Type.String({ maxLength: 100 }) },
      ok: AdminPerson,
    },
    ({ params, ip }) => administration.removeShareCode(params.id, params.code, ip),
  );
}

function fieldTypeRoutes(route: Route, { database, fieldTypes, acts }: Deps): void {
  route(
    'GET /api/admin/field-types',
    {
      summary: 'List field types',
      ok: AdminFieldTypeList,
    },
    async () => ({
      field_types: await fieldTypes.list(),
    }),
  );

  route(
    'POST /api/admin/field-types',
    {
      errors: ['admin.field_type_invalid'],
      summary: 'Add a field type',
      description:
        'Columns that are left out are inherited from the parent. With dry_run nothing is added: the answer is 200 and the row that would be, or why not.',
      query: AddFieldTypeQuery,
      body: AddFieldTypeRequest,
      ok: FieldTypeRow,
      orCreated: FieldTypeRow,
    },
    async ({ body, ip, query }, reply) => {
      if (query.dry_run === true) return fieldTypes.check(body as AddFieldTypeRequest);
      const row = await database.write(async (writer) => {
        const added = await fieldTypes.add(writer, body as AddFieldTypeRequest);
        await acts.record(writer, { act: 'field_type.added', subject: added.type, source: ip });
        return added;
      });
      await fieldTypes.apply();
      reply.code(201);
      return row;
    },
  );

  route(
    'DELETE /api/admin/field-types/:type',
    {
      errors: ['admin.field_type_in_use', 'admin.field_type_not_found', 'admin.field_type_system'],
      summary: 'Remove a field type that is not in use',
      params: { type: Type.String({ maxLength: 100 }) },
    },
    async ({ params, ip }) => {
      await database.write(async (writer) => {
        await fieldTypes.remove(writer, params.type);
        await acts.record(writer, { act: 'field_type.removed', subject: params.type, source: ip });
      });
      await fieldTypes.apply();
    },
  );
}

function maintenanceRoutes(route: Route, { database, maintenance, acts }: Deps): void {
  route('GET /api/admin/maintenance', { summary: 'What the region is kept from', ok: MaintenanceView }, () =>
    maintenance.view(),
  );

  const set = async (
    state: MaintenanceState,
    body: MaintenanceRequest,
    ip: string,
  ): Promise<MaintenanceView> => {
    const reason = body.reason ?? null;
    await database.write(async (writer) => {
      await maintenance.set(writer, state, body.on, reason);
      await acts.record(writer, {
        act: `maintenance.${state}_${body.on ? 'on' : 'off'}`,
        details: body.on ? { reason } : {},
        source: ip,
      });
    });
    await maintenance.apply();
    return maintenance.view();
  };

  route(
    'PUT /api/admin/maintenance/writes-paused',
    {
      summary: 'Pause or resume saving',
      description: 'Calls that write answer 503 db.writes_paused in every process within about a second.',
      body: MaintenanceRequest,
      ok: MaintenanceView,
    },
    ({ body, ip }) => set('writes_paused', body, ip),
  );

  route(
    'PUT /api/admin/maintenance/out-of-order',
    {
      summary: 'Take the region out of order, or back',
      description: 'All calls answer 503 platform.out_of_order in every process within about a second.',
      body: MaintenanceRequest,
      ok: MaintenanceView,
    },
    ({ body, ip }) => set('out_of_order', body, ip),
  );
}

function dataRoutes(
  app: App,
  route: Route,
  { database, administration, keyRotation, backups, acts, purge }: Deps,
): void {
  route('GET /api/admin/statistics', { summary: 'How much there is, and what waits', ok: Statistics }, () =>
    administration.statistics(),
  );

  route(
    'GET /api/admin/acts',
    { summary: 'What operators did, the newest first', query: PageQuery, ok: Page(OperatorAct) },
    ({ query }) => acts.page(database, pageOf(query)),
  );

  route(
    'POST /api/admin/purge',
    {
      answersWithin: Number.POSITIVE_INFINITY,
      summary: 'Delete now what has outlived its time',
      description: 'What a process does by itself every ten minutes.',
      ok: PurgeResult,
    },
    async ({ ip }) => {
      const rows = await purge();
      await database.write((writer) =>
        acts.record(writer, { act: 'data.purged', details: { change_rows: rows }, source: ip }),
      );
      return { change_rows: rows };
    },
  );

  route('GET /api/admin/keys', { summary: 'Versions of the keys, and what needs them', ok: ServerKeys }, () =>
    keyRotation.view(),
  );

  route(
    'POST /api/admin/keys/rotate',
    {
      answersWithin: Number.POSITIVE_INFINITY,
      errors: ['admin.key_missing'],
      summary: 'Change to newer keys and re-encrypt under them',
      description: 'Call again until nothing remains. A change that is not finished continues.',
      body: RotateRequest,
      ok: RotationResult,
    },
    ({ body, ip }) => keyRotation.rotate({ batch: body.batch, source: ip }),
  );

  route(
    'DELETE /api/admin/keys/:version',
    {
      // It looks through all rows for what is under it.
      answersWithin: Number.POSITIVE_INFINITY,
      errors: ['admin.key_in_use', 'admin.key_not_found'],
      summary: 'Let go of a version of the keys that nothing is under',
      query: DropKeyQuery,
      params: { version: Type.String({ pattern: '^[1-9][0-9]{0,5}$' }) },
    },
    ({ params, query, ip }) =>
      keyRotation.drop(Number(params.version), { force: query.force === true, source: ip }),
  );

  app.post(
    '/api/admin/backup',
    {
      config: { ...config, answersWithin: Number.POSITIVE_INFINITY, errors: ['admin.backup_unavailable'] },
      schema: {
        tags,
        summary: 'Make a backup',
        description:
          'The answer is the backup: a line of JSON with row counts and a checksum, the database, the blobs. The keys of the server are not in it.',
        produces: ['application/octet-stream'],
      },
    },
    async ({ ip }, reply) => {
      const stream = await backups.make();
      // Saving may be paused, and the region out of order: a backup is made all the same, and is on record where it can be.
      await database
        .write((writer) => acts.record(writer, { act: 'data.backed_up', source: ip }))
        .catch(() => {});
      return reply.type('application/octet-stream').send(stream as never);
    },
  );
}
