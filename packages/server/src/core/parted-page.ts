/** Reads some items of a list. */
export type Part<Item> = () => Promise<readonly Item[]>;

/** A page of a list that may be too large to be in memory at once: each part is read when it is its turn. */
export interface PartedPage<Item> {
  readonly total: number;
  readonly parts: readonly Part<Item>[];
}

/** Items in groups of some size: what is read and serialised in one turn of the event loop. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
