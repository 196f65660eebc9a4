import { jsonOf, Transport } from '@symbolon/sdk/device';

/** What proves that a call comes from this page and not from another site. It is no secret of the person. */
let antiForgeryToken: string | undefined;
/** Until browsers hold sessions as cookies. */
let bearer: string | undefined;

const transport = new Transport({ timeoutMs: 30_000 });

export function setTokens(tokens: { antiForgery?: string | undefined; bearer?: string | undefined }): void {
  antiForgeryToken = tokens.antiForgery;
  bearer = tokens.bearer;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Calls the platform at the page's own address.
 *
 * @throws SymbolonError
 */
export async function call<T>(
  method: Method,
  path: string,
  json?: unknown,
  options: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
): Promise<T> {
  const headers: Record<string, string> = { ...options.headers };
  if (method !== 'GET' && antiForgeryToken !== undefined) headers['x-csrf-token'] = antiForgeryToken;
  const { signal } = options;
  const sent = { method, path, headers, ...(json !== undefined && { json }), ...(signal && { signal }) };
  return jsonOf(await transport.send('', sent, bearer)) as T;
}
