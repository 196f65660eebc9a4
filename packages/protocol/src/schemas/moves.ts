import { type Static, Type } from 'typebox';
import { Exact, Id, Nullable, Time } from './common.ts';
import { proofMembers } from './presence.ts';

/** Moves of companies to another region. */

const Region = Type.String({ maxLength: 32, description: 'name of a region' });

export const MoveRequest = Exact({ region: Region });
export type MoveRequest = Static<typeof MoveRequest>;

export const moveStates = [
  'copying',
  'holding',
  'held',
  'activating',
  'switched',
  'done',
  'undoing',
  'undone',
] as const;

export const AdminMove = Type.Object({
  id: Id,
  company_user_id: Id,
  from: Region,
  to: Region,
  state: Type.Unsafe<(typeof moveStates)[number]>(
    Type.Union(
      moveStates.map((state) => Type.Literal(state)),
      {
        description:
          'copying: the other region prepares, the company works; holding, held and activating: its calls that write answer 503; switched: it works in the other region, its old rows are deleted; done; undoing and undone: it stays',
      },
    ),
  ),
  asked_by: Type.Union([Type.Literal('operator'), Type.Literal('portal')]),
  reason: Nullable(Type.String({ description: 'why the move waits or began again' })),
  attempts: Type.Integer({ description: 'how often the company was frozen' }),
  retry_at: Nullable(Time),
  rows_copied: Type.Integer(),
  held_ms: Nullable(Type.Integer({ description: 'how long it was frozen the last time' })),
  started_at: Time,
  switched_at: Nullable(Time),
  finished_at: Nullable(Time),
});
export type AdminMove = Static<typeof AdminMove>;

export const AdminRegion = Type.Object({
  name: Region,
  api_url: Type.String(),
  own: Type.Boolean({ description: 'the one that answers' }),
  status: Type.Union(
    [
      Type.Literal('ok'),
      Type.Literal('writes_paused'),
      Type.Literal('out_of_order'),
      Type.Literal('unreachable'),
    ],
    { description: 'as seen from the region that answers' },
  ),
  companies: Type.Integer({ description: 'how many are at home there, as known in the region that answers' }),
  messages: Type.Object(
    {
      waiting: Type.Integer({ description: 'counted up to 10,001' }),
      oldest_at: Nullable(Time),
    },
    { description: 'what this region has not yet told that one' },
  ),
});
export type AdminRegion = Static<typeof AdminRegion>;
export const AdminRegionList = Type.Object({ regions: Type.Array(AdminRegion) });

/** An owner's request, with the proof of identity that it needs. */
export const MigrateRegionRequest = Exact({ ...proofMembers, region: Region });
export type MigrateRegionRequest = Static<typeof MigrateRegionRequest>;

export const RegionMigration = Type.Object(
  {
    id: Id,
    from: Region,
    to: Region,
    status: Type.Union([Type.Literal('under_way'), Type.Literal('done'), Type.Literal('undone')]),
    started_at: Time,
    ended_at: Nullable(Time),
  },
  { description: 'A move of the company to another region' },
);
export type RegionMigration = Static<typeof RegionMigration>;
export const LastRegionMigration = Nullable(RegionMigration);
