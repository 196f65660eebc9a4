/** Rows as a file that spreadsheets open (RFC 4180), with a byte order mark so that they read it as UTF-8. */
export function csvOf(rows: readonly (readonly string[])[]): Blob {
  return new Blob([`\ufeff${csvText(rows)}`], { type: 'text/csv;charset=utf-8' });
}

export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/** A text that begins as a formula would be one: an apostrophe makes it a text for the spreadsheet too. */
function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
