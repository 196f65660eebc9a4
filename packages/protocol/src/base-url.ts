/** The address of a platform without slashes at its end; `undefined` unless it is an absolute http(s) URL and nothing more. */
export function normalizeBase(base: string): string | undefined {
  // A URL is parsed without the blanks around it, and they would stay in what is shown and kept.
  if (/\s/.test(base) || !URL.canParse(base)) return undefined;
  const url = new URL(base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}

/**
 * The address that a response names, or `undefined` when the client must not follow it. Secrets are sent only over https,
 * or over http when the configured address uses http.
 */
export function followedBase(first: string, named: unknown): string | undefined {
  const base = typeof named === 'string' ? normalizeBase(named) : undefined;
  const plain = first.startsWith('http:');
  return base?.startsWith('https:') || (plain && base?.startsWith('http:')) ? base : undefined;
}
