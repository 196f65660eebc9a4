import { connectionSourceKey } from '@symbolon/flows';
import type { FlowDefinition, FlowRule } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';

/** What a run has from which documents can be made. */
export interface Held {
  readonly assets: ReadonlySet<string>;
  /** Slugs that were answered on the way of the run. */
  readonly slugs: ReadonlySet<string>;
  /** Keys of the files with which it was started. */
  readonly sources: ReadonlySet<string>;
}

/** The key under which the PDF of a rule is sent; null for a file of the flow. */
export function sourceKeyOf(rule: FlowRule): string | null {
  const { source_field: field, source_connection: connection } = rule;
  if (connection !== undefined) return connectionSourceKey(connection.party, connection.request_slug);
  return field ?? null;
}

export function holdsSource(rule: FlowRule, { assets, slugs, sources }: Held): boolean {
  if (rule.asset_key !== undefined) return assets.has(rule.asset_key);
  const key = sourceKeyOf(rule);
  return key !== null && (rule.source_field === undefined ? sources.has(key) : slugs.has(key));
}

/**
 * The values that documents may show: of answers on the way, of constants, and of tags about parties that are no owners:
 * what the owner has in its profile only the owner can say. Whatever else a bundle has is left out.
 */
export function shownValues(
  definition: FlowDefinition,
  values: ReadonlyMap<string, string>,
  { slugs }: Held,
): Map<string, string> {
  const known = new Set([
    ...slugs,
    ...(definition.constants ?? []).map(({ key }) => key),
    ...definition.parties.map(({ key }) => key),
  ]);
  const owners = new Set(definition.parties.filter(({ type }) => type === OWNER_PARTY).map(({ key }) => key));
  return new Map(
    [...values].filter(([key]) => {
      const [first = ''] = key.split('.', 1);
      return known.has(first) && (first === key || !owners.has(first));
    }),
  );
}
