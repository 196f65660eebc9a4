/** A number as people write it in their language: `1.234,5` in German. Another text stays as it was typed. */
export function numberAsKept(typed: string, language: string): string {
  const { decimal, group } = signsOf(language);
  // What is pasted has the minus of printers; in Switzerland apostrophes stand between thousands.
  const written = typed.replace(/\s/g, '').replace('\u2212', '-');
  const text = APOSTROPHES.test(written) ? written.replace(/['\u2019]/g, '') : written;
  const grouped = new RegExp(`^[-+]?\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d+)?$`);
  const plain = grouped.test(text)
    ? text.replaceAll(group, '').replace(decimal, '.')
    : text.replace(',', '.').replace(/(?<=^[-+]?)\./, '0.');
  return /^[-+]?\d+(?:\.\d+)?$/.test(plain) ? plain : typed;
}

const APOSTROPHES = /^[-+]?\d{1,3}(?:['\u2019]\d{3})+(?:[.,]\d+)?$/;

/** A kept number, with the sign that the language has before decimals. All its digits stay. */
export function numberAsTyped(kept: string, language: string): string {
  return /^[-+]?\d+\.\d+$/.test(kept) ? kept.replace('.', signsOf(language).decimal) : kept;
}

function signsOf(language: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(language).formatToParts(12_345.6);
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal') || '.', group: sign('group') || ',' };
}
