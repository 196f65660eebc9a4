/** Headers of `node:http`, any record with names in any case, or a `Headers` object. */
export type DeliveryHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Pick<Headers, 'get'>;

/** The value of a header; `undefined` when it is absent. A header that was sent several times is joined, so it equals no secret. */
export function headerValue(headers: DeliveryHeaders, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The default word in header names; the operator can change it. */
export const DEFAULT_HEADER_NAME = 'Platform';

function hasGet(headers: DeliveryHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}
