/** The path of an address of this very site; undefined for every other one. */
export function pathOf(wanted: string, origin = location.origin): string | undefined {
  if (!wanted.startsWith('/') || !URL.canParse(wanted, origin)) return undefined;
  const url = new URL(wanted, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}
