/** What is printed in groups, as an IBAN or the number of a card, without what stands between them; an IBAN without the word before it. */
export const withoutGroups = (text: string): string =>
  text.replace(/[\s.\p{Pd}\u2212]/gu, '').replace(/^iban:?(?=[a-z]{2}\d{2})/i, '');
