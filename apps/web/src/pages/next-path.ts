/** The path of an address of this very site; undefined for every other one. */
export function pathOf(wanted: string, origin = location.origin): string | undefined {
  if (!wanted.startsWith('/') || !URL.canParse(wanted, origin)) return undefined;
  const { pathname, search, origin: target } = new URL(wanted, origin);
  // Of `/.//evil.example` the path alone would be the address of another site.
  return target === origin && !pathname.startsWith('//') ? pathname + search : undefined;
}
