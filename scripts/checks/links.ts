import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Checks the relative links of every Markdown file among `files`: each leads to one of `files` or a folder of them,
 * and, when it names a heading of a Markdown file, that heading is there.
 *
 * @param files paths relative to `root`.
 * @returns one line for every link that leads nowhere.
 */
export function brokenLinks(root: string, files: readonly string[]): string[] {
  const targets = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.md'))
      .map((file) => [file, withoutCodeBlocks(readFileSync(join(root, file), 'utf8'))]),
  );
  const anchors = new Map([...pages].map(([file, text]) => [file, anchorsOf(text)]));
  const problems: string[] = [];
  for (const [file, text] of pages) {
    for (const { target, line } of relativeLinksOf(text)) {
      const [path = '', fragment = ''] = decode(target).split('#', 2);
      const linked = resolve(file, path);
      if (!targets.has(linked)) {
        problems.push(`${file}:${line}: link to ${target}: no such file`);
      } else if (fragment !== '' && anchors.get(linked)?.has(fragment) === false) {
        problems.push(`${file}:${line}: link to ${target}: no such heading`);
      }
    }
  }
  return problems;
}

function foldersOf(file: string): string[] {
  const folder = posix.dirname(file);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** As a code host does: a leading slash means the top of the project. */
function resolve(from: string, path: string): string {
  if (path === '') return from;
  const full = path.startsWith('/') ? `.${path}` : posix.join(posix.dirname(from), path);
  return posix.normalize(full).replace(/(?<=.)\/$/, '');
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Links in brackets, link definitions and HTML attributes, without those that name a scheme or a host. */
function relativeLinksOf(text: string): { target: string; line: number }[] {
  const prose = withoutCodeSpans(text);
  const forms = [
    /\]\(\s*(?:<([^>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))/g,
    /^ {0,3}\[[^\]\n]+\]:[ \t]*(?:<([^>\n]*)>|(\S+))/gm,
    /<[a-z]+\s[^>]*?\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi,
  ];
  return forms
    .flatMap((form) => [...prose.matchAll(form)])
    .map((match) => ({
      target: match[1] ?? match[2] ?? '',
      line: prose.slice(0, match.index).split('\n').length,
    }))
    .filter(({ target }) => target !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target))
    .sort((a, b) => a.line - b.line);
}

/** Headings under the names that GitHub gives them, and anchors set by hand. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$/gm)) {
    const slug = slugOf(heading);
    let name = slug;
    for (let count = 1; anchors.has(name); count++) name = `${slug}-${count}`;
    anchors.add(name);
  }
  for (const [, name = ''] of text.matchAll(/<[a-z]+\s[^>]*?\b(?:id|name)\s*=\s*["']([^"']+)["']/gi)) {
    anchors.add(name);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Fenced code blocks become empty lines, so that lines still count. */
function withoutCodeBlocks(text: string): string {
  let fence: string | undefined;
  const lines = text.split(/\r?\n/).map((line) => {
    const [, marks, rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) {
      fence = marks;
      return marks === undefined ? line : '';
    }
    if (marks?.startsWith(fence) && rest.trim() === '') fence = undefined;
    return '';
  });
  return lines.join('\n');
}

function withoutCodeSpans(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return text.replace(/(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g, blank);
}
