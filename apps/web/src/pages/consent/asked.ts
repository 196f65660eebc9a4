import type { ConsentClaim } from '@symbolon/protocol';
import type { Begun, Choices, Request } from '../../platform/consent.ts';
import { accepts, type Fields, type OpenField } from '../../platform/fields.ts';

/** One thing that is asked: a claim of the site, or a row of the service that one connects to. */
export type Asked = {
  key: string;
  kind: 'claim' | 'row';
  /** The claim's name or the row's id. */
  id: string;
  type: string;
  label: string | null;
  required: boolean;
  verified: boolean;
  maxAgeDays: number | null;
  /** Whether the site reads it as it is. */
  readable: boolean;
  /** Of a row: whether it may follow the field. */
  mayLive: boolean;
  /** The slug that the site expects such a field to have. */
  suggest: string | undefined;
};
export type Picked = { field: OpenField; live: boolean };

export function askedOf(request: Request, begun: Begun): Asked[] {
  // Who is connected already is asked only for what is pending.
  const rows = begun.connected ? begun.request_fields : (request.connect?.request_fields ?? []);
  return [
    ...rows.map(
      (row): Asked => ({
        key: `row ${row.id}`,
        kind: 'row',
        id: row.id,
        type: row.type,
        label: row.label,
        required: row.mandatory_provide,
        verified: row.verified,
        maxAgeDays: row.verified_max_age_days,
        readable: false,
        mayLive: !row.one_time,
        suggest: undefined,
      }),
    ),
    ...request.claims.map(claimAsked),
  ];
}

function claimAsked(claim: ConsentClaim): Asked {
  return {
    key: `claim ${claim.name}`,
    kind: 'claim',
    id: claim.name,
    type: claim.type,
    label: claim.label,
    required: claim.required,
    verified: claim.verified,
    maxAgeDays: claim.verified_max_age_days,
    readable: claim.delivery === 'plaintext',
    mayLive: false,
    suggest: typeof claim.suggest === 'string' ? claim.suggest : undefined,
  };
}

/** Whether only a file answers, which the pages cannot add yet. */
export function asksFile({ type }: Asked, fields: Fields | undefined): boolean {
  const lane = fields?.types.resolved.get(type)?.lane;
  return lane !== undefined && lane !== 'inline';
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The fields that may answer: of the type or one below it, readable here, verified where that is asked. */
export function candidates(asked: Asked, { fields, types }: Fields, now = Date.now()): OpenField[] {
  const usable = fields.filter(({ type, text, verifiedAt }) => {
    if (text === null || text === '' || !accepts(types, asked.type, type)) return false;
    if (!asked.verified) return true;
    if (verifiedAt === undefined) return false;
    return asked.maxAgeDays === null || now - verifiedAt <= asked.maxAgeDays * DAY_MS;
  });
  const rank = ({ slug }: OpenField) => (slug === asked.suggest ? 0 : 1);
  return usable.sort((a, b) => rank(a) - rank(b));
}

/** What was chosen the last time is chosen again; nothing else is. */
export function firstChoices(asked: readonly Asked[], begun: Begun, fields: Fields): Map<string, Picked> {
  const picked = new Map<string, Picked>();
  for (const each of asked) {
    if (each.kind !== 'claim') continue;
    const field = candidates(each, fields).find(({ id }) => id === begun.remembered[each.id]);
    if (field) picked.set(each.key, { field, live: false });
  }
  return picked;
}

export function withPicked(asked: readonly Asked[], picked: ReadonlyMap<string, Picked>): Choices {
  const of = (kind: Asked['kind']) =>
    asked.flatMap((each) => {
      const choice = each.kind === kind ? picked.get(each.key) : undefined;
      return choice ? [[each.id, choice] as const] : [];
    });
  return {
    claims: new Map(of('claim').map(([name, { field }]) => [name, field])),
    rows: new Map(of('row')),
  };
}
