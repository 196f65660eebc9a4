const BLOCK = /begin(codespacerange|cidrange|cidchar)\b([^a-z]*)end(\w+)/g;
const code = (name: string) => `<(?<${name}>[0-9A-Fa-f]+)>\\s*`;
const CHARACTER = '(?<character>\\d{1,5})(?![\\d.])\\s*';
/** What one line of a part tells, by the name of the part. */
const LINES: Readonly<Record<string, RegExp>> = {
  codespacerange: new RegExp(`${code('low')}${code('high')}`, 'y'),
  cidrange: new RegExp(`${code('low')}${code('high')}${CHARACTER}`, 'y'),
  cidchar: new RegExp(`${code('low')}${CHARACTER}`, 'y'),
};
/** They go on with other tables, or tell what stands for codes without a character: each reader takes them in its way. */
const OTHERS = /usecmap|begin(?!cmap\b|codespacerange\b|cidrange\b|cidchar\b)[a-z]+\b/;

/**
 * The last character that a table of codes in a file (ISO 32000-2, 9.7.5.4) leads to.
 * @returns undefined for a table that readers do not take alike: its codes must have one length, and characters by numbers. Else they take
 * other codes from one string, or other characters for them
 */
export function lastCharacter(text: string): number | undefined {
  const table = text.replaceAll(/%[^\r\n]*/g, ' ').replaceAll(/\bbegin\s/g, ' ');
  const sections = new Set<string>();
  const lengths = new Set<number>();
  let [read, last] = [0, 0];
  for (const [, name = '', lines = '', end] of table.matchAll(BLOCK)) {
    read++;
    const line = LINES[name];
    if (!line || end !== name) return undefined;
    line.lastIndex = lines.length - lines.trimStart().length;
    while (line.lastIndex < lines.length) {
      const { low = '', high = low, character } = line.exec(lines)?.groups ?? {};
      if (low === '' || low.length !== high.length || low.toLowerCase() > high.toLowerCase())
        return undefined;
      sections.add(name);
      lengths.add(low.length);
      if (character !== undefined)
        last = Math.max(last, Number(character) + Number.parseInt(high, 16) - Number.parseInt(low, 16));
      // What is outside of it, each reader takes in its way: nothing may be.
      else if (!(/^0+$/.test(low) && /^f+$/i.test(high))) return undefined;
    }
  }
  const begun = table.match(/begin(?:codespacerange|cidrange|cidchar)\b/g)?.length ?? 0;
  const [length = 1] = lengths;
  const isWhole = sections.has('codespacerange') && (sections.has('cidrange') || sections.has('cidchar'));
  const isClear = begun === read && lengths.size === 1 && length % 2 === 0 && !OTHERS.test(table);
  return isWhole && isClear ? last : undefined;
}
