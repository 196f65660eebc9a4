/** Headers as `node:http` has them, any record of them whatever the case of its names, or a `Headers` object. */
export type DeliveryHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Pick<Headers, 'get'>;

/** The value of a header; `undefined` when it is absent. One sent several times is joined, so it equals no secret. */
export function headerValue(headers: DeliveryHeaders, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The platform's word in header names, unless its operator changed it. */
export const DEFAULT_HEADER_NAME = 'Platform';

function hasGet(headers: DeliveryHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}
