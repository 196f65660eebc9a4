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
export type AdminFieldTypeList = Static<typeof AdminFieldTypeList>;
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

const Check = Type.Object({
  state: Type.Union([Type.Literal('ok'), Type.Literal('failed'), Type.Literal('unknown')], {
    description: 'unknown: it has not been found out yet',
  }),
  needed: Type.Boolean({ description: 'whether the process is not ready without it' }),
  detail: Type.Optional(Type.String()),
  age_seconds: Type.Optional(Type.Integer({ description: 'since it was found out' })),
});
export const AdminReadiness = Type.Object(
  {
    status: Type.Union([Type.Literal('ready'), Type.Literal('degraded'), Type.Literal('not_ready')]),
    checks: Type.Record(Type.String(), Check, { description: 'as /readyz on the management port has them' }),
    process: Type.Object({
      instance: Type.String(),
      region: Type.String(),
      roles: Type.Array(Type.String()),
      version: Type.String(),
      started_at: Time,
      memory_bytes: Type.Integer(),
    }),
    disk: Type.Object(
      { free_bytes: Type.Integer(), size_bytes: Type.Integer() },
      { description: 'of the data folder' },
    ),
    may_act: Type.Boolean({ description: 'false: the token that asks only reads' }),
  },
  { description: 'Of the process that answers' },
);
export type AdminReadiness = Static<typeof AdminReadiness>;

export const AdminJob = Type.Object({
  id: Id,
  kind: Type.String({ description: 'what is done; more kinds may come' }),
  company_user_id: Id,
  company_name: Nullable(Type.String({ description: 'null when the company is gone' })),
  service_id: Id,
  done: Type.Integer(),
  total: Nullable(Type.Integer({ description: 'null while it is not known' })),
  failures: Type.Integer({ description: 'steps that failed since the last one that did not' }),
  problem: Nullable(Type.String({ description: 'what the last of these said' })),
  created_at: Time,
  stepped_at: Nullable(Time),
});
export type AdminJob = Static<typeof AdminJob>;
export const AdminJobList = Type.Object({
  waiting: Type.Integer({ description: 'how many are not done; counted up to 10,001' }),
  oldest_at: Nullable(Time),
  jobs: Type.Array(AdminJob, {
    description: 'those that fail, then those whose turn is next: at most a hundred of the first thousand',
  }),
});
export type AdminJobList = Static<typeof AdminJobList>;

export const AdminBackup = Type.Object({
  name: Type.String(),
  proof: Nullable(
    Type.Object(
      {
        proved_at: Time,
        version: Type.String(),
        rows: Type.Integer(),
        blobs: Type.Integer({ description: 'files' }),
        opened: Type.Integer({ description: 'texts that the keys of the server opened' }),
      },
      { description: 'what was found when it was restored on trial; null: it was not, or failed' },
    ),
  ),
});
export type AdminBackup = Static<typeof AdminBackup>;
export const BackupState = Type.Object({
  made_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'of the newest backup that was made to its end, in any way',
    }),
  ),
  proved_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'when the newest one was made that was restored on trial',
    }),
  ),
  asked_at: Nullable(
    Type.String({ format: 'date-time', description: 'an operator asked for one, and it has not begun' }),
  ),
  failed: Nullable(
    Type.Object(
      { at: Time, reason: Type.String() },
      { description: 'the last attempt of the schedule, when it failed' },
    ),
  ),
  schedule: Nullable(
    Type.Object(
      {
        every_hours: Type.Number(),
        keep: Type.Integer(),
        encrypted: Type.Boolean(),
        next_at: Nullable(
          Type.String({
            format: 'date-time',
            description: 'null: as soon as a process with the role worker looks',
          }),
        ),
      },
      { description: 'null: there is none' },
    ),
  ),
});
export type BackupState = Static<typeof BackupState>;
export const AdminBackupList = Type.Object({
  backups: Type.Array(AdminBackup, {
    description: 'the newest twenty that the schedule has made, the newest first',
  }),
});
export type AdminBackupList = Static<typeof AdminBackupList>;

export const MailTestRequest = Exact({
  to: Type.String({
    maxLength: 254,
    pattern: '^[^\\s@,;<>"]{1,64}@[^\\s@,;<>"]{1,255}$',
    description: 'one e-mail address',
  }),
});
export type MailTestRequest = Static<typeof MailTestRequest>;
export const MailTestResult = Type.Object({
  sent: Type.Boolean(),
  through: Type.Union([Type.Literal('server'), Type.Literal('outbox')]),
  reason: Nullable(Type.String({ description: 'why it was not sent' })),
  talk: Type.Array(Type.String(), {
    description: 'what was said: > to the server, < by the server. No password, and not the mail itself',
  }),
});
export type MailTestResult = Static<typeof MailTestResult>;

export const PurgeResult = Type.Object({
  change_rows: Type.Integer({ description: 'undrained for seven days' }),
});

const Figure = (description: string) => Nullable(Type.Number({ description }));
/** What a process says of itself, again and again. */
export const ProcessFigures = Type.Object({
  state: Type.String({
    description:
      'serving, degraded or not_ready, as /readyz has it; writes_paused or out_of_order while an operator keeps it so; draining: it stops. More may come',
  }),
  memory_bytes: Figure('resident memory'),
  event_loop_p99_ms: Figure('how late its thread was for its work, in the last minute or two'),
  requests_per_second: Figure('answered in the last five minutes'),
  errors: Figure('answered with 5xx in the last five minutes'),
});
export type ProcessFigures = Static<typeof ProcessFigures>;
export const AdminProcess = Type.Object({
  id: Id,
  this: Type.Boolean({ description: 'the one that answers' }),
  gone: Type.Boolean({
    description: 'it was not seen for a minute, and did not stop in order; deleted after a day',
  }),
  instance: Type.String({ description: 'its name' }),
  host: Type.String(),
  pid: Type.Integer(),
  roles: Type.Array(Type.String()),
  version: Type.String(),
  region: Type.String(),
  started_at: Time,
  seen_at: Time,
  ...ProcessFigures.properties,
});
export type AdminProcess = Static<typeof AdminProcess>;

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
  requests: Type.Object(
    {
      seconds: Type.Integer({ description: 'the time that was counted' }),
      total: Type.Integer(),
      refused: Type.Integer({ description: 'answered with 429, as beyond a limit' }),
      errors: Type.Integer({ description: 'answered with 5xx' }),
      p99_ms: Nullable(
        Type.Integer({
          description: '99 % were answered within it, to the next of fixed bounds; null: there was none',
        }),
      ),
    },
    { description: 'what the process that answers has answered in the last five minutes' },
  ),
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
  certificates: Type.Object(
    { seal: Nullable(Time), tls: Nullable(Time) },
    {
      description:
        'when those of the process that answers end: that of the seal, and that with which it speaks TLS itself; null: it has none',
    },
  ),
  processes: Type.Array(AdminProcess, {
    description:
      'those that share the database, each as it was seen last, which is every 15 seconds: at most 200, and those that are gone last',
  }),
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
