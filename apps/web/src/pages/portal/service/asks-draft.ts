import type { RequestField, RequestFieldInput } from '@symbolon/protocol';

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
    ...(row.plugin && { plugin: { plugin_id: row.plugin.plugin_id, field_type: row.plugin.field_type } }),
  };
}

export type RowState = 'same' | 'new' | 'changed';

/** How a row stands beside the published ones. */
export function stateOf(row: RequestFieldInput, published: readonly RequestFieldInput[]): RowState {
  const before = published.find(({ slug }) => slug === row.slug);
  if (before === undefined) return 'new';
  return isSame(before, row) ? 'same' : 'changed';
}

/** How many rows are new, changed, gone or at another place. */
export function countChanges(
  rows: readonly RequestFieldInput[],
  published: readonly RequestFieldInput[],
): number {
  const touched = rows.filter((row) => stateOf(row, published) !== 'same').length;
  const gone = published.filter(({ slug }) => rows.every((row) => row.slug !== slug)).length;
  const kept = (of: readonly RequestFieldInput[], other: readonly RequestFieldInput[]) =>
    of.map(({ slug }) => slug).filter((slug) => other.some((row) => row.slug === slug));
  const isMoved = kept(rows, published).join() !== kept(published, rows).join();
  return touched + gone + (isMoved ? 1 : 0);
}

/** Puts the changes that were made to one published version onto another: what both changed stays as it is here. */
export function rebase(
  mine: readonly RequestFieldInput[],
  base: readonly RequestFieldInput[],
  theirs: readonly RequestFieldInput[],
): RequestFieldInput[] {
  const removed = new Set(
    base.filter(({ slug }) => !mine.some((row) => row.slug === slug)).map(({ slug }) => slug),
  );
  const kept = theirs
    .filter(({ slug }) => !removed.has(slug))
    .map((row) => {
      const own = mine.find(({ slug }) => slug === row.slug);
      return own && stateOf(own, base) !== 'same' ? own : row;
    });
  const added = mine.filter(
    (row) => stateOf(row, base) === 'new' && !theirs.some(({ slug }) => slug === row.slug),
  );
  return [...kept, ...added];
}

/** The questions that another login changed, as people read them. */
export function changedBetween(
  base: readonly RequestFieldInput[],
  theirs: readonly RequestFieldInput[],
): string[] {
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

const isSame = (one: RequestFieldInput, other: RequestFieldInput) => textOf(one) === textOf(other);

const textOf = (row: RequestFieldInput) =>
  JSON.stringify([
    row.label,
    row.type,
    row.one_time ?? false,
    row.mandatory_provide ?? false,
    row.mandatory_connected ?? false,
    row.verified ?? false,
    row.verified_max_age_days ?? null,
    row.audience ?? 'both',
    row.plugin ?? null,
  ]);
