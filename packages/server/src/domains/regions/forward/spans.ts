import type { ErrorKey } from '@symbolon/protocol';

/**
 * How a call finds the region that can answer it, said in a route's config; a route that says nothing is answered where it
 * is called.
 *
 * @example
 * app.get('/api/person/connections/:id', { config: { access: ['person'], spans: { by: 'id', missing: 'connections.not_found' } }, … }, …)
 */
export type Spans =
  /** It names a company, by `companyCode` in the address or `company_code` in the body: that company's home answers. */
  | { readonly by: 'company_code' }
  /** It names somebody by `shareCode` in the address. When the handler knows nobody of it (`missing`), their home answers. */
  | { readonly by: 'share_code'; readonly missing: ErrorKey }
  /** It names something by an id. When the handler does not know it (`missing`), the region that does answers. */
  | { readonly by: 'id'; readonly missing: ErrorKey }
  /** It lists what may be anywhere: every region gives its part. */
  | { readonly by: 'list'; readonly list: SpanningList }
  /** Every region knows enough to answer. */
  | { readonly by: 'nothing' };

/** A list whose parts are in several regions: the one member of its answer. */
export interface SpanningList {
  readonly member: string;
  /** The id by which the list is ordered, and which no item shares with another. */
  readonly order: (item: never) => string;
}

/** Says of which items a list is. */
export function listOf<Item>(member: string, order: (item: Item) => string): SpanningList {
  return { member, order };
}
