import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/decisions/';
const INDEX = `${FOLDER}README.md`;

interface Decision {
  readonly number: number;
  readonly file: string;
  readonly title: string;
  readonly status: string;
}

/** Checks that the index of decisions has a row for every number up to the highest, with the title and the status of its file. */
export function decisions(root: string, files: readonly string[]): string[] {
  const all = files
    .filter((file) => file.startsWith(FOLDER) && file.endsWith('.md') && file !== INDEX)
    .map((file) => decisionOf(file, readFileSync(join(root, file), 'utf8')));
  const read = all.filter((decision) => typeof decision !== 'string');
  return [
    ...all.filter((decision) => typeof decision === 'string'),
    ...read.flatMap((decision) => problemsOf(decision, read)),
    ...rowDifferences(readFileSync(join(root, INDEX), 'utf8'), rowsOf(read)),
  ];
}

/** @returns the decision, or what is wrong with its first lines. */
function decisionOf(file: string, text: string): Decision | string {
  const [, title, status] = /^# (\d+\. .+)\n\nStatus: (.+)\n\n/.exec(text) ?? [];
  const [, number, words] = /^(\d+)\. (.+)$/.exec(title ?? '') ?? [];
  if (number === undefined || words === undefined || status === undefined)
    return `${file}: begins with "# NUMBER. TITLE", an empty line and "Status: …"`;
  return { number: Number(number), file: file.slice(FOLDER.length), title: words, status };
}

const STATUS = /^(?:accepted|superseded by (\d+)|accepted, in part superseded by (\d+))$/;

function problemsOf({ number, file, status }: Decision, all: readonly Decision[]): string[] {
  const problems: string[] = [];
  if (!file.startsWith(`${String(number).padStart(4, '0')}-`))
    problems.push(`${FOLDER}${file}: its title has the number ${number}`);
  const [match, whole, part] = STATUS.exec(status) ?? [];
  const later = whole ?? part;
  if (match === undefined) problems.push(`${FOLDER}${file}: "${status}" is no status`);
  else if (later !== undefined && !all.some((other) => other.number === Number(later)))
    problems.push(`${FOLDER}${file}: there is no decision ${later}`);
  if (all.some((other) => other.number === number && other.file < file))
    problems.push(`${FOLDER}${file}: the number ${number} is taken`);
  return problems;
}

function rowsOf(all: readonly Decision[]): string[] {
  const highest = Math.max(0, ...all.map(({ number }) => number));
  return Array.from({ length: highest }, (_, index) => {
    const found = all.find(({ number }) => number === index + 1);
    return found === undefined
      ? `| ${index + 1} | | not used |`
      : `| ${found.number} | [${found.title}](${found.file}) | ${found.status} |`;
  });
}

function rowDifferences(index: string, expected: readonly string[]): string[] {
  const rows = index.split('\n').filter((line) => /^\| \d/.test(line));
  const at = expected.findIndex((row, place) => row !== rows[place]);
  if (at !== -1) return [`${INDEX}: row ${at + 1} is to be "${expected[at]}"`];
  return rows.length > expected.length ? [`${INDEX}: "${rows[expected.length]}" has no file`] : [];
}
