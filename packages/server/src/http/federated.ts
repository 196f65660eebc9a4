import type { ErrorKey } from '@symbolon/protocol';

/**
 * How a call finds the region that can answer it, named in a route's config. A route without it is answered where it is
 * called.
 */
export type Federated =
  /**
   * It names a company, by `companyCode` in the address or `company_code` in the body: that company's home answers. With `missing`
   * it may name something else instead, as `id` does.
   */
  | { readonly by: 'company_code'; readonly missing?: ErrorKey }
  /** It has a `shareCode` in the address. When the handler does not know the code (`missing`), its home answers. */
  | { readonly by: 'share_code'; readonly missing: ErrorKey }
  /** It names something by an id. When the handler does not know it (`missing`), the region that does answers. */
  | { readonly by: 'id'; readonly missing: ErrorKey }
  /** It lists what may be in any region: every region gives its part. */
  | { readonly by: 'list'; readonly list: FederatedList }
  /** Every region knows enough to answer. */
  | { readonly by: 'nothing' };

/** A list whose parts are in several regions: the one member of its answer. */
export interface FederatedList {
  readonly member: string;
  /** The id by which the list is ordered; no two items share it. */
  readonly order: (item: never) => string;
  /** The id of the company whose home has the item. */
  readonly company: (item: never) => string;
}

/** An item of such a list; its company's id has either name on the wire. */
export interface ListedItem {
  readonly company: { readonly company_user_id: string } | { readonly user_id: string };
}

/** Names the member of an answer that is a list, and how its items are ordered. */
export function listOf<Item extends ListedItem>(
  member: string,
  order: (item: Item) => string,
): FederatedList {
  const company = ({ company: of }: Item) => ('user_id' in of ? of.user_id : of.company_user_id);
  return { member, order, company };
}
