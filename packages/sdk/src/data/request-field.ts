import type { Audience, CompanyRequestField } from '@symbolon/protocol';

/** What a service asks of its customers (wire 2.5). */
export type RequestField = {
  id: string;
  slug: string;
  label: string;
  type: string;
  /** The answer is a snapshot; answers to other rows may follow a field. */
  oneTime: boolean;
  /** Nobody connects without answering; `row` says whether the answer must also stay. */
  mandatory: boolean;
  /** Undefined where the platform does not say it, as to a data client. */
  audience: Audience | undefined;
  verified: boolean;
  verifiedMaxAgeDays: number | null;
  /** The row as the platform sent it. */
  row: CompanyRequestField;
};

export function requestField(row: CompanyRequestField & { audience?: Audience }): RequestField {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    oneTime: row.one_time,
    mandatory: row.mandatory_provide || row.mandatory_connected,
    audience: row.audience,
    verified: row.verified,
    verifiedMaxAgeDays: row.verified_max_age_days ?? null,
    row,
  };
}
