/** Something of which only a part may be shown. */
interface Sized {
  readonly service_id: string;
  readonly bytes: number;
}

/**
 * The part of a list that fits, for each service the first of its items. Services that take little keep everything: one
 * that takes much leaves out its own items, not those of others.
 */
export function fairPart<Item extends Sized>(items: readonly Item[], most: number): Item[] {
  const groups = [...Map.groupBy(items, ({ service_id }) => service_id).values()]
    .map((group) => ({ group, bytes: group.reduce((sum, item) => sum + Number(item.bytes), 0) }))
    .sort((one, other) => one.bytes - other.bytes);
  let left = most;
  return groups.flatMap(({ group, bytes }, index) => {
    const share = left / (groups.length - index);
    if (bytes <= share) {
      left -= bytes;
      return group;
    }
    left -= share;
    let taken = 0;
    return group.filter((item) => {
      taken += Number(item.bytes);
      return taken <= share;
    });
  });
}
