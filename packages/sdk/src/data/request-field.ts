import type { Audience, CompanyRequestField } from '@symbolon/protocol';

/** The plugin that answers a row (wire 14.2). */
export type RequestFieldPlugin = {
  pluginName: string;
  fieldType: string;
  snapshot: NonNullable<CompanyRequestField['plugin']>['snapshot'];
};

/** What a service asks of its customers (wire 2.5). */
export type RequestField = {
  id: string;
  slug: string;
  label: string;
  type: string;
  /** The answer is a snapshot; answers to other rows may follow a field. */
  oneTime: boolean;
  /** An answer is needed to connect; `row` says whether the answer must also stay. */
  mandatory: boolean;
  /** Undefined where the platform does not say it, as to a data client. */
  audience: Audience | undefined;
  verified: boolean;
  verifiedMaxAgeDays: number | null;
  /** Of a row that a plugin answers: which one, and what it said of the field type when the row was published. */
  plugin: RequestFieldPlugin | undefined;
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
    plugin: row.plugin && {
      pluginName: row.plugin.plugin_name,
      fieldType: row.plugin.field_type,
      snapshot: row.plugin.snapshot,
    },
    row,
  };
}
