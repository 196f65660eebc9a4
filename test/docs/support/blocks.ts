import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * A code block of a page. A comment right before it says what is done with it, `<!-- docs: … -->`:
 * `not run: REASON`, `file NAME` (written, to be used by a later block), `background` (runs until the page is done), `compiled`
 * (a part of a program: its names and types are checked),
 * `answer` (what the block before it printed), `schema NAME` (fits that schema of `packages/protocol`). Without one, a block of `sh` is run, and one of any other language must
 * have a comment. One without a language is shown only.
 */
export type Block = { language: string; text: string; line: number; kind: Kind; argument: string };
type Kind = 'run' | 'not run' | 'file' | 'background' | 'answer' | 'compiled' | 'schema';

/** The code blocks of a page, in order. @throws when a block has no language or no comment says what to do with it */
export function blocksOf(page: string): Block[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)```(\S*)$/.exec(lines[at] ?? '');
    if (fence === null) continue;
    const [, indent = '', language = ''] = fence;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    const text = lines
      .slice(at + 1, end)
      .map((line) => line.slice(indent.length))
      .join('\n');
    blocks.push({ language, text, line: at + 1, ...directive(lines, at, `${page}:${at + 1}`, language) });
    at = end;
  }
  return blocks;
}

function directive(
  lines: string[],
  at: number,
  where: string,
  language: string,
): Pick<Block, 'kind' | 'argument'> {
  const before = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1];
  const found = /^\s*<!-- docs: (not run|file|background|answer|compiled|schema)(?:[: ]+(.*?))? -->$/.exec(
    before ?? '',
  );
  if (found === null) {
    if (language === 'sh') return { kind: 'run', argument: '' };
    if (language === '') return { kind: 'not run', argument: 'a drawing, or what travels on the wire' };
    throw new Error(`${where}: a block of ${language} needs a comment that says what the test does with it.`);
  }
  const [, kind, argument = ''] = found;
  if (kind === 'not run' && argument.length < 10) throw new Error(`${where}: say why it is not run.`);
  if (kind === 'file' && argument === '') throw new Error(`${where}: say which file.`);
  return { kind: kind as Kind, argument };
}
