import { type Static, Type } from 'typebox';
import { FieldTypeRow } from '../field-type.ts';
import { companyLevels } from '../levels.ts';
import { limits } from '../limits.ts';
import { Exact, Id, KeyPageQuery, Nullable, Time } from './common.ts';

/** The routes of an operator's token (`/api/admin`). */

export const CompanyLevelName = Type.Unsafe<(typeof companyLevels)[number]>(
  Type.Union(companyLevels.map((level) => Type.Literal(level))),
);

export const AdminSearchQuery = Type.Object({
  ...KeyPageQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'what a name or an e-mail address begins with, in any case, or a code. At most 1,000 are found, and counted in total',
    }),
  ),
});

export const AdminCompany = Type.Object({
  company_user_id: Id,
  region: Type.String({ description: 'where it is at home' }),
  name: Type.String(),
  email: Type.String({ description: 'empty unless it is at home in the region that answers' }),
  company_code: Type.String(),
  level: CompanyLevelName,
  services: Type.Integer(),
  connections: Type.Integer(),
  created_at: Time,
});
export type AdminCompany = Static<typeof AdminCompany>;
export const LevelRequest = Exact({ level: CompanyLevelName });

export const AdminPerson = Type.Object({
  person_user_id: Id,
  region: Type.String({ description: 'where they are at home' }),
  display_name: Type.String(),
  email: Type.String({ description: 'empty unless they are at home in the region that answers' }),
  share_code: Type.String({ description: 'the generated code, the only one that is ever told' }),
  custom_share_codes: Type.Array(Type.String()),
  created_at: Time,
});
export type AdminPerson = Static<typeof AdminPerson>;

export const AdminFieldType = Type.Object({
  ...FieldTypeRow.properties,
  in_use: Type.Boolean({ description: 'by a field, a request or share row, or a type below it' }),
});
export const AdminFieldTypeList = Type.Object({ field_types: Type.Array(AdminFieldType) });
/** A row to add: columns that are left out are inherited. */
export const AddFieldTypeRequest = Type.Object(
  {
    type: Type.String({ maxLength: 100 }),
    label: Type.String({ maxLength: 400 }),
    ...Object.fromEntries(
      ['parent', 'input', 'lane', 'check', 'options', 'fields', 'validation'].map((name) => [
        name,
        Type.Optional(Type.Unknown()),
      ]),
    ),
  },
  { additionalProperties: false, description: 'A row of the registry' },
);
export type AddFieldTypeRequest = { type: string; label: string } & Partial<
  Record<'parent' | 'input' | 'lane' | 'check' | 'options' | 'fields' | 'validation', unknown>
>;

const Since = Nullable(Type.Object({ since: Time, reason: Nullable(Type.String()) }));
export const MaintenanceView = Type.Object(
  { writes_paused: Since, out_of_order: Since },
  { description: 'since when, and why; null: not' },
);
export type MaintenanceView = Static<typeof MaintenanceView>;
export const MaintenanceRequest = Exact({
  on: Type.Boolean(),
  reason: Type.Optional(
    Nullable(Type.String({ maxLength: 200, description: 'for the operators themselves' })),
  ),
});
export type MaintenanceRequest = Static<typeof MaintenanceRequest>;

export const PurgeResult = Type.Object({
  change_rows: Type.Integer({ description: 'undrained for seven days' }),
});

const Queue = Type.Object({ events: Type.Integer(), oldest_at: Nullable(Time) });
export const Statistics = Type.Object({
  companies: Type.Object(
    Object.fromEntries([...companyLevels, 'total'].map((name) => [name, Type.Integer()])) as Record<
      (typeof companyLevels)[number] | 'total',
      ReturnType<typeof Type.Integer>
    >,
  ),
  persons: Type.Integer(),
  services: Type.Integer(),
  connections: Type.Integer(),
  clients: Type.Integer(),
  feed: Queue,
  webhooks: Type.Object({
    total: Type.Integer(),
    bad: Type.Integer({ description: 'waiting for a probe' }),
    queue: Queue,
  }),
  event_loop: Type.Object(
    {
      max_ms: Type.Number(),
      p99_ms: Type.Number(),
    },
    {
      description:
        'how late the thread of the process that answers was for its work, in the last minute or two',
    },
  ),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  version: Type.String(),
});
export type Statistics = Static<typeof Statistics>;

export const ServerKeys = Type.Object({
  current: Type.Integer({ description: 'the version that encrypts, signs and hashes' }),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      available: Type.Boolean({ description: 'false: something is under it, but the version is not there' }),
      encrypted: Type.Integer({ description: 'texts that are encrypted under it' }),
      hashes: Type.Integer({
        description: 'hashes of sessions, codes and secrets under it; replaced when next used',
      }),
      tokens_until: Nullable(
        Type.String({ format: 'date-time', description: 'when its last access token expires' }),
      ),
    }),
  ),
});
export type ServerKeys = Static<typeof ServerKeys>;
export const AddFieldTypeQuery = Exact({
  dry_run: Type.Optional(Type.Boolean({ description: 'check the row without adding it' })),
});
export const DropKeyQuery = Exact({
  force: Type.Optional(
    Type.Boolean({ description: 'also when hashes or tokens are under it, which end with it' }),
  ),
});
export const RotateRequest = Exact({
  batch: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.keyRotationBatchMost,
      description: 'rows re-encrypted before the answer',
    }),
  ),
});
export const RotationResult = Type.Object({
  current: Type.Integer(),
  re_encrypted: Type.Integer(),
  remaining: Type.Integer({ description: 'under older keys; call again until there is none' }),
});
export type RotationResult = Static<typeof RotationResult>;

export const OperatorAct = Type.Object({
  id: Id,
  act: Type.String(),
  subject: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  source: Type.String({ description: 'the address it came from' }),
  at: Time,
});
export type OperatorAct = Static<typeof OperatorAct>;
