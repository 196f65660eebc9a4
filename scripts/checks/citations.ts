import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const REFERENCE = /^docs\/wire\/.*\.md$/;
const CITING = /^(?:packages|test|bench|scripts)\/.*\.(?:[cm]?[jt]sx?|py|sql)$/;

/** What stands between the parts of a citation that wraps: white space and the marks of a comment. */
const GAP = '[\\s*/#]+';
const NUMBER = '\\d+(?:\\.\\d+)*';
/** `wire 6.3`, `wire 2.2, 4.6`, `wire 5.1 and 5.2`, `wire 2.8, 3.3, 8`. */
const CITATION = new RegExp(
  `\\bwire${GAP}(${NUMBER}(?:(?:,${GAP}|${GAP}and${GAP})(?:\\d+\\.\\d+|\\d(?!\\d))(?:\\.\\d+)*)*)`,
  'gi',
);
/** Documents that a reader of the project does not have. */
const OUTSIDE: readonly RegExp[] = [
  new RegExp(`\\bspec(?:ification)?(?:'s)?${GAP}\\d`, 'gi'),
  new RegExp(`\\bwire${GAP}contract\\b`, 'gi'),
  /\b(?:service-spec|house-map|field-types|people-and-portal|house|quality)\.md\b/g,
];

/**
 * Checks what comments and test titles cite: each `wire N.M` is a numbered heading of the wire reference, and nothing
 * points to a document outside the project.
 *
 * @param files paths relative to `root`.
 * @returns one line for every citation that leads nowhere.
 */
export function citations(root: string, files: readonly string[]): string[] {
  const sections = new Set(
    files
      .filter((file) => REFERENCE.test(file))
      .flatMap((file) => sectionsOf(readFileSync(join(root, file), 'utf8'))),
  );
  const names = new Set(files.map((file) => basename(file)));
  return files
    .filter((file) => CITING.test(file) && existsSync(join(root, file)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const missing = [...text.matchAll(CITATION)].flatMap(({ index, 1: list = '' }) =>
        (list.match(/\d+(?:\.\d+)*/g) ?? [])
          .filter((number) => !sections.has(number))
          .map((number) => ({ index, problem: `wire ${number}: no such section in docs/wire` })),
      );
      const outside = OUTSIDE.flatMap((form) => [...text.matchAll(form)])
        .filter(([cited]) => !names.has(cited))
        .map(({ index, 0: cited }) => ({
          index,
          problem: `"${cited.replace(/\s+/g, ' ')}" points outside the project; cite docs/wire as wire N.M`,
        }));
      return [...missing, ...outside]
        .map(({ index, problem }) => ({ line: text.slice(0, index).split('\n').length, problem }))
        .sort((a, b) => a.line - b.line)
        .map(({ line, problem }) => `${file}:${line}: ${problem}`);
    });
}

/** The numbers of a page's headings: `# 6. Events`, `## 6.3 Webhook delivery`. */
function sectionsOf(page: string): string[] {
  return [...page.matchAll(/^#{1,6} (\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number);
}
