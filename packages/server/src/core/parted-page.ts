/** Reads some items of a list. */
export type Part<Item> = () => Promise<readonly Item[]>;

/** A page of a list that may be too large to be in memory at once: each part is read when it is its turn. */
export interface PartedPage<Item> {
  readonly total: number;
  readonly parts: readonly Part<Item>[];
}
