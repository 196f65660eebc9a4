const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** What a User-Agent header says, in the words by which people know their devices again. */
export function shortUserAgent(header: string | undefined): string {
  if (header === undefined || header.trim() === '') return 'unknown';
  // Order matters: a browser names those it wants to pass for as well.
  const browser = BROWSERS.find(([sign]) => header.includes(sign))?.[1];
  const system = SYSTEMS.find(([sign]) => header.includes(sign))?.[1];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return (
    header
      .split(' ', 1)[0]
      ?.replace(/[^\w./+-]/g, '')
      .slice(0, 60) || 'unknown'
  );
}
