import type { RequestField, RequestFieldConfig, RequestFieldInput } from '@symbolon/protocol';

type Rows = readonly RequestFieldInput[];

/** A published row, as it is sent back. */
export function inputOf(row: RequestField): RequestFieldInput {
  const { slug, label, type, one_time, mandatory_provide, mandatory_connected, verified, audience } = row;
  const { verified_max_age_days: days } = row;
  return {
    slug,
    label,
    type,
    one_time,
    mandatory_provide,
    mandatory_connected,
    verified,
    ...(days !== null && { verified_max_age_days: days }),
    audience,
    ...(row.reason !== undefined && { reason: row.reason }),
    ...(row.plugin && { plugin: { plugin_id: row.plugin.plugin_id, field_type: row.plugin.field_type } }),
  };
}

export type RowState = 'same' | 'new' | 'changed';

/** How a row stands beside the published ones. */
export function stateOf(row: RequestFieldInput, published: Rows): RowState {
  const before = at(published, row.slug);
  if (before === undefined) return 'new';
  return isSame(before, row) ? 'same' : 'changed';
}

/** How many rows are new, changed, gone or at another place. */
export function countChanges(rows: Rows, published: Rows): number {
  const touched = rows.filter((row) => stateOf(row, published) !== 'same').length;
  const gone = published.filter(({ slug }) => rows.every((row) => row.slug !== slug)).length;
  return touched + gone + (isMoved(rows, published) ? 1 : 0);
}

/** Whose row holds where both sides changed it. */
export type Side = 'theirs' | 'yours';
/** A question that both sides changed in their own way: undefined where it is not there, or not any more. */
export interface Clash extends Record<'was' | Side, RequestFieldInput | undefined> {
  readonly slug: string;
  readonly label: string;
}

/** What both changed, each in its own way, since the version that both began with. */
export function clashesOf(mine: Rows, base: Rows, theirs: Rows): Clash[] {
  return slugsOf(theirs, mine, base).flatMap((slug) => {
    const [was, other, yours] = [at(base, slug), at(theirs, slug), at(mine, slug)];
    if (isSame(was, other) || isSame(was, yours) || isSame(other, yours)) return [];
    return [{ slug, label: (yours ?? was ?? other)?.label ?? slug, was, theirs: other, yours }];
  });
}

/** What holds of a clash until something else is chosen: the changes here, but what was removed stays away. */
export const sideOf = ({ was, theirs }: Clash): Side =>
  was !== undefined && theirs === undefined ? 'theirs' : 'yours';

/** Puts the changes that were made to one published version onto another. @param chosen sides of what both changed, by slugs */
export function rebase(
  mine: Rows,
  base: Rows,
  theirs: Rows,
  chosen: ReadonlyMap<string, Side> = new Map(),
): RequestFieldInput[] {
  const clashes = new Map(clashesOf(mine, base, theirs).map((clash) => [clash.slug, clash]));
  const slugs = isMoved(mine, base) && !isMoved(theirs, base) ? slugsOf(mine, theirs) : slugsOf(theirs, mine);
  return slugs.flatMap((slug) => {
    const clash = clashes.get(slug);
    const isTheirs = clash
      ? (chosen.get(slug) ?? sideOf(clash)) === 'theirs'
      : isSame(at(base, slug), at(mine, slug));
    return at(isTheirs ? theirs : mine, slug) ?? [];
  });
}

/** What is edited, and the published version that it began with. Nothing where nothing is edited. */
export interface Kept {
  readonly base?: RequestFieldConfig | undefined;
  readonly rows?: Rows | undefined;
}

/** What is edited beside what is published now: without changes to it, that itself. */
export function standing({ base, rows }: Kept, live: RequestFieldConfig) {
  const published = live.request_fields.map(inputOf);
  return base === undefined || rows === undefined || countChanges(rows, published) === 0
    ? { base: live, rows: published }
    : { base, rows };
}

/** The questions that another login changed, as people read them. */
export function changedBetween(base: Rows, theirs: Rows): string[] {
  const changed = theirs.filter((row) => stateOf(row, base) !== 'same');
  const gone = base.filter(({ slug }) => !theirs.some((row) => row.slug === slug));
  return [...changed, ...gone].map(({ label }) => label);
}

/** A name for programs, from what people read; it differs from those that are taken. */
export function slugOf(label: string, taken: readonly string[]): string {
  const plain =
    label
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40) || 'field';
  for (let number = 1; ; number++) {
    const slug = number === 1 ? plain : `${plain}_${number}`;
    if (!taken.includes(slug)) return slug;
  }
}

/** Whether what is in both stands in another order. */
function isMoved(one: Rows, other: Rows): boolean {
  const common = (of: Rows, beside: Rows) =>
    of.filter(({ slug }) => at(beside, slug)).map(({ slug }) => slug);
  return common(one, other).join() !== common(other, one).join();
}

const at = (rows: Rows, slug: string) => rows.find((row) => row.slug === slug);
const slugsOf = (...lists: Rows[]) => [...new Set(lists.flat().map(({ slug }) => slug))];

const isSame = (one: RequestFieldInput | undefined, other: RequestFieldInput | undefined) =>
  textOf(one) === textOf(other);

const textOf = (row: RequestFieldInput | undefined) =>
  row &&
  JSON.stringify([
    row.label,
    row.type,
    row.one_time ?? false,
    row.mandatory_provide ?? false,
    row.mandatory_connected ?? false,
    row.verified ?? false,
    row.verified_max_age_days ?? null,
    row.audience ?? 'both',
    row.reason ?? null,
    row.plugin ?? null,
  ]);
