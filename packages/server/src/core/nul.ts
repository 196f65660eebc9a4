/** PostgreSQL stores no U+0000, so none comes in, whatever it is written in: JSON, forms, headers or query strings. */
export const hasNul = (text: string) => text.includes('\0');

export const NUL_REFUSED = 'Text must not contain the character U+0000.';
