import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WIRE_PAGE = /^docs\/wire\/[^/]+\.md$/;
const SERVER_SOURCE = /^packages\/server\/src\/.*(?<!\.test)\.ts$/;

/** Words by which a page says that something is still to come. */
const PLANNED =
  /\b(?:(?:not|nor) (?:yet )?(?:a )?part of this release|of this release\b|(?:is|are) planned\b)/i;

/** Addresses as routes declare them, and as pages write them in backticks. */
const DECLARED = /['"`](?:(?:GET|POST|PUT|PATCH|DELETE) )?(\/[\w.:${}/-]+)['"`]/g;
const WRITTEN = /`(?:[A-Z]+ )?(\/[\w.{}/-]+)`/g;

/**
 * Checks that no page of the wire calls something planned that the platform has. Such a sentence must name its addresses in the
 * same paragraph, and all of these must be missing.
 *
 * @param files paths relative to `root`.
 * @returns one line for every such sentence.
 */
export function plannedSentences(root: string, files: readonly string[]): string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const served = new Set(
    files
      .filter((file) => SERVER_SOURCE.test(file))
      .flatMap((file) => [...read(file).matchAll(DECLARED)].map(([, address = '']) => plain(address))),
  );
  return files
    .filter((file) => WIRE_PAGE.test(file))
    .flatMap((file) => paragraphsOf(read(file)).flatMap((paragraph) => problemOf(file, paragraph, served)));
}

interface Paragraph {
  readonly line: number;
  readonly text: string;
}

function paragraphsOf(page: string): Paragraph[] {
  const found: Paragraph[] = [];
  let line = 1;
  for (const text of page.split(/\n(?=\n)/)) {
    found.push({ line: line + (/^\n*/.exec(text)?.[0].length ?? 0), text });
    line += text.split('\n').length;
  }
  return found;
}

function problemOf(file: string, { line, text }: Paragraph, served: ReadonlySet<string>): string[] {
  const [said] = PLANNED.exec(text.replaceAll('\n', ' ')) ?? [];
  if (said === undefined) return [];
  const named = [...text.matchAll(WRITTEN)].map(([, address = '']) => address);
  const there = named.filter((address) => served.has(plain(address)));
  if (named.length > 0 && there.length === 0) return [];
  const what = there.length > 0 ? `the platform serves ${there.join(', ')}` : 'it names no address';
  return [`${file}:${line}: "${said}", but ${what}`];
}

/** An address without the names of its parameters. */
const plain = (address: string) => address.replace(/:\w+|\{\w+\}/g, '{}');
