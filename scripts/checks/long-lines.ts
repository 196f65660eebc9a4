import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST = 160;
const PAGE = /\.md$/;
/** Pages that scripts write. */
const WRITTEN = /^(?:bench\/results\/|docs\/(?:commands|metrics|benchmarks)\.md$)/;
/** Rows of tables, headings, quotes, HTML, and where a reference leads cannot be broken. */
const WHOLE = /^\s*(?:\||#|>|<|\[[^\]]+\]:)/;
const CODE = /`[^`]*`/g;
const FENCE = /^\s*(?:```|~~~)/;

/** @returns a line for each line of prose that is longer than a reader, or a comparison of two versions, can take in */
export function longLines(root: string, files: readonly string[]): string[] {
  return files
    .filter((file) => PAGE.test(file) && !WRITTEN.test(file))
    .flatMap((file) =>
      tooLong(readFileSync(join(root, file), 'utf8')).map(
        (line) => `${file}:${line}: longer than ${MOST} characters`,
      ),
    );
}

/** The numbers of the lines that are too long. */
export function tooLong(page: string): number[] {
  let isCode = false;
  return page.split('\n').flatMap((line, index) => {
    if (FENCE.test(line)) isCode = !isCode;
    // What has no blank to break at, such as a link or code, stays.
    const isFree = isCode || WHOLE.test(line) || !line.replaceAll(CODE, '').trim().includes(' ');
    return line.length > MOST && !isFree ? [index + 1] : [];
  });
}
