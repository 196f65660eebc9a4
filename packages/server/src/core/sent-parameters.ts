/** What a form or a query says; a parameter without a value counts as left out (RFC 6749 3.1, 3.2), so it repeats none. */
export function sentParameters(text: string): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(text)].filter(([, value]) => value !== ''));
}
