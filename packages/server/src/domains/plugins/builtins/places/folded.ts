/** Letters that have no accent to take off. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A name as it is compared: small letters without accents, one space between words. */
export function folded(name: string): string {
  // Most names are of these letters, and there are many names.
  if (/^[a-z]+(?: [a-z]+)*$/i.test(name)) return name.toLowerCase();
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłđæœðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
