/** What an entry says besides its message, in words: `public key sha256: ab12 · removed: email, name`. */
export const detailsOf = (metadata: Readonly<Record<string, unknown>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => [name.replaceAll('_', ' '), wordsOf(value)] as const)
    .filter(([, words]) => words !== '')
    .map(([name, words]) => `${name}: ${words}`)
    .join(' · ');

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
