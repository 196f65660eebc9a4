import {
  AddFieldTypeRequest,
  AdminCompany,
  AdminFieldTypeList,
  AdminPerson,
  AdminSearchQuery,
  EncryptionKeys,
  FieldTypeRow,
  Id,
  LevelRequest,
  limits,
  MaintenanceRequest,
  MaintenanceView,
  OperatorAct,
  Page,
  PageQuery,
  PurgeResult,
  RotateRequest,
  RotationResult,
  Statistics,
} from '@symbolon/protocol';
import { type Static, Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import type { OperatorActs } from '../../operations/journal/operator-acts.ts';
import type { Maintenance } from '../../operations/maintenance/maintenance.ts';
import type { MaintenanceState } from '../../operations/maintenance/refusals.ts';
import type { FieldTypes } from '../../registry/field-types.ts';
import type { Administration } from './administration.ts';
import type { Backups } from './backups.ts';
import type { KeyRotation } from './key-rotation.ts';

const config = { access: ['operator'] } as const;
const tags = ['operator'];
const byId = Type.Object({ id: Id });

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
  companyRoutes(app, deps);
  fieldTypeRoutes(app, deps);
  maintenanceRoutes(app, deps);
  dataRoutes(app, deps);
}

/** Without an operator's token there is nothing here, whoever asks. */
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

const pageOf = (query: Static<typeof PageQuery>) => ({
  limit: query.limit ?? limits.pageDefault,
  offset: query.offset ?? 0,
});

function companyRoutes(app: App, { administration }: Deps): void {
  app.get(
    '/api/admin/companies',
    {
      config,
      schema: {
        tags,
        summary: 'List companies, or look for some',
        querystring: AdminSearchQuery,
        response: { 200: Page(AdminCompany) },
      },
    },
    async ({ query }) => administration.companies({ search: query.search, ...pageOf(query) }),
  );

  app.get(
    '/api/admin/companies/:id',
    { config, schema: { tags, summary: 'Read a company', params: byId, response: { 200: AdminCompany } } },
    async (request) => administration.company(request.params.id),
  );

  app.put(
    '/api/admin/companies/:id/level',
    {
      config,
      schema: {
        tags,
        summary: 'Set the level of a company',
        params: byId,
        body: LevelRequest,
        response: { 200: AdminCompany },
      },
    },
    async (request) => administration.setLevel(request.params.id, request.body.level, request.ip),
  );

  app.get(
    '/api/admin/people',
    {
      config,
      schema: {
        tags,
        summary: 'List people, or look for some',
        querystring: AdminSearchQuery,
        response: { 200: Page(AdminPerson) },
      },
    },
    async ({ query }) => administration.people({ search: query.search, ...pageOf(query) }),
  );

  const code = Type.Object({ id: Id, code: Type.String({ maxLength: 100 }) });
  app.put(
    '/api/admin/people/:id/share-codes/:code',
    {
      config,
      schema: {
        tags,
        summary: 'Give a person a share code',
        description: 'It is taken wherever a share code is, and told to nobody.',
        params: code,
        response: { 200: AdminPerson },
      },
    },
    async ({ params, ip }) => administration.addShareCode(params.id, params.code, ip),
  );

  app.delete(
    '/api/admin/people/:id/share-codes/:code',
    {
      config,
      schema: { tags, summary: 'Take such a code back', params: code, response: { 200: AdminPerson } },
    },
    async ({ params, ip }) => administration.removeShareCode(params.id, params.code, ip),
  );
}

function fieldTypeRoutes(app: App, { database, fieldTypes, acts }: Deps): void {
  app.get(
    '/api/admin/field-types',
    { config, schema: { tags, summary: 'List field types', response: { 200: AdminFieldTypeList } } },
    async () => ({ field_types: await fieldTypes.list() }),
  );

  app.post(
    '/api/admin/field-types',
    {
      config,
      schema: {
        tags,
        summary: 'Add a field type',
        description: 'Columns that are left out are inherited from the parent (wire 2.4).',
        body: AddFieldTypeRequest,
        response: { 201: FieldTypeRow },
      },
    },
    async ({ body, ip }, reply) => {
      const row = await database.write(async (writer) => {
        const added = await fieldTypes.add(writer, body as AddFieldTypeRequest);
        await acts.record(writer, { act: 'field_type.added', subject: added.type, source: ip });
        return added;
      });
      await fieldTypes.apply();
      return reply.code(201).send(row);
    },
  );

  app.delete(
    '/api/admin/field-types/:type',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a field type that is not in use',
        params: Type.Object({ type: Type.String({ maxLength: 100 }) }),
        response: { 204: Type.Null() },
      },
    },
    async ({ params, ip }, reply) => {
      await database.write(async (writer) => {
        await fieldTypes.remove(writer, params.type);
        await acts.record(writer, { act: 'field_type.removed', subject: params.type, source: ip });
      });
      await fieldTypes.apply();
      return reply.code(204).send(null);
    },
  );
}

function maintenanceRoutes(app: App, { database, maintenance, acts }: Deps): void {
  app.get(
    '/api/admin/maintenance',
    {
      config,
      schema: { tags, summary: 'What the region is kept from', response: { 200: MaintenanceView } },
    },
    async () => maintenance.view(),
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

  app.put(
    '/api/admin/maintenance/writes-paused',
    {
      config,
      schema: {
        tags,
        summary: 'Pause or resume saving',
        description: 'Calls that write answer 503 db.writes_paused in every process within about a second.',
        body: MaintenanceRequest,
        response: { 200: MaintenanceView },
      },
    },
    async ({ body, ip }) => set('writes_paused', body, ip),
  );

  app.put(
    '/api/admin/maintenance/out-of-order',
    {
      config,
      schema: {
        tags,
        summary: 'Take the region out of order, or back',
        description: 'All calls answer 503 platform.out_of_order in every process within about a second.',
        body: MaintenanceRequest,
        response: { 200: MaintenanceView },
      },
    },
    async ({ body, ip }) => set('out_of_order', body, ip),
  );
}

function dataRoutes(app: App, { database, administration, keyRotation, backups, acts, purge }: Deps): void {
  app.get(
    '/api/admin/statistics',
    { config, schema: { tags, summary: 'How much there is, and what waits', response: { 200: Statistics } } },
    async () => administration.statistics(),
  );

  app.get(
    '/api/admin/acts',
    {
      config,
      schema: {
        tags,
        summary: 'What operators did, the newest first',
        querystring: PageQuery,
        response: { 200: Page(OperatorAct) },
      },
    },
    async ({ query }) => acts.page(database.reader, pageOf(query)),
  );

  app.post(
    '/api/admin/purge',
    {
      config,
      schema: {
        tags,
        summary: 'Delete now what has outlived its time',
        description: 'What a process does by itself every ten minutes.',
        response: { 200: PurgeResult },
      },
    },
    async ({ ip }) => {
      const rows = await purge();
      await database.write((writer) =>
        acts.record(writer, { act: 'data.purged', details: { change_rows: rows }, source: ip }),
      );
      return { change_rows: rows };
    },
  );

  app.get(
    '/api/admin/encryption-keys',
    { config, schema: { tags, summary: 'Key-encryption keys', response: { 200: EncryptionKeys } } },
    async () => keyRotation.view(),
  );

  app.post(
    '/api/admin/encryption-keys/rotate',
    {
      config,
      schema: {
        tags,
        summary: 'Change to a newer key and re-encrypt under it',
        description: 'Call again until nothing remains. A change that is not finished is gone on with.',
        body: RotateRequest,
        response: { 200: RotationResult },
      },
    },
    async ({ body, ip }) => keyRotation.rotate({ batch: body.batch, source: ip }),
  );

  app.delete(
    '/api/admin/encryption-keys/:version',
    {
      config,
      schema: {
        tags,
        summary: 'Let go of a key that nothing is encrypted under',
        params: Type.Object({ version: Type.String({ pattern: '^[1-9][0-9]{0,5}$' }) }),
        response: { 204: Type.Null() },
      },
    },
    async ({ params, ip }, reply) => {
      await keyRotation.drop(Number(params.version), ip);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/admin/backup',
    {
      config,
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
      return reply
        .type('application/octet-stream')
        .header('cache-control', 'no-store')
        .send(stream as never);
    },
  );
}
