const BLOCK = /begin(codespacerange|cidrange|cidchar)\b([^a-z]*)end(\w+)/g;
const CODE = '<([0-9A-Fa-f]+)>\\s*';
/** What one line of a part tells, by the name of the part. */
const LINES: Readonly<Record<string, RegExp>> = {
  codespacerange: new RegExp(`${CODE}${CODE}`, 'y'),
  cidrange: new RegExp(`${CODE}${CODE}(\\d{1,5})(?![\\d.])\\s*`, 'y'),
  cidchar: new RegExp(`${CODE}\\d{1,5}(?![\\d.])\\s*`, 'y'),
};
/** They go on with other tables, or tell what stands for codes without a character: each reader takes them in its way. */
const OTHERS = /usecmap|begin(?!cmap\b|codespacerange\b|cidrange\b|cidchar\b)[a-z]+\b/;

/**
 * Whether a table of codes in a file (ISO 32000-2, 9.7.5.4) is read alike: its codes have one length, and characters by numbers. Readers take other codes
 * from one string otherwise, or other characters for them.
 */
export function isCodeTable(text: string): boolean {
  const table = text.replaceAll(/%[^\r\n]*/g, ' ').replaceAll(/\bbegin\s/g, ' ');
  const counts: Record<string, number> = {};
  const lengths = new Set<number>();
  let read = 0;
  for (const [, name = '', lines = '', end] of table.matchAll(BLOCK)) {
    read++;
    const line = LINES[name];
    if (!line || end !== name) return false;
    line.lastIndex = lines.length - lines.trimStart().length;
    while (line.lastIndex < lines.length) {
      const [all, low = '', high = low] = line.exec(lines) ?? [];
      if (all === undefined || low.length !== high.length || low.toLowerCase() > high.toLowerCase())
        return false;
      counts[name] = (counts[name] ?? 0) + 1;
      lengths.add(low.length);
      // What is outside of it, each reader takes in its way: nothing may be.
      if (name === 'codespacerange' && !(/^0+$/.test(low) && /^f+$/i.test(high))) return false;
    }
  }
  const begun = table.match(/begin(?:codespacerange|cidrange|cidchar)\b/g)?.length ?? 0;
  const [length = 1] = lengths;
  const isTold = counts.codespacerange !== undefined && (counts.cidrange ?? counts.cidchar) !== undefined;
  return isTold && begun === read && lengths.size === 1 && length % 2 === 0 && !OTHERS.test(table);
}

/** The last character that a table of codes leads to. */
export function lastCharacter(text: string): number {
  let last = 0;
  for (const [, name = '', lines = ''] of text.matchAll(BLOCK)) {
    if (name === 'codespacerange') continue;
    for (const [, low = '', high = low, cid = ''] of lines.matchAll(RANGE))
      last = Math.max(last, Number(cid) + Number.parseInt(high, 16) - Number.parseInt(low, 16));
  }
  return last;
}

const RANGE = /<([0-9A-Fa-f]+)>\s*(?:<([0-9A-Fa-f]+)>\s*)?(\d+)/g;
