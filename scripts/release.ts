/**
 * Prepares a release and publishes nothing: `npm run release -- VERSION FOLDER`. In a clone of the commit that is checked out it sets the
 * version wherever it stands, gives the unreleased part of the changelog and of the upgrades to it, and packs. FOLDER then holds the tarballs
 * with their sums, `notes.md`, and `release.patch`, which is what is committed before the tag.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argumentsOf, refuse } from './usage.ts';

const USAGE = 'npm run release -- VERSION FOLDER';
const ROOT = join(import.meta.dirname, '..');
const CHANGELOG = 'CHANGELOG.md';
const UPGRADES = 'docs/upgrades';
/** Whatever the settings of the user are. */
const DIFF = [
  'git',
  '-c',
  'diff.noprefix=false',
  'diff',
  '--no-color',
  '--no-ext-diff',
  '--cached',
  '--binary',
] as const;
const UNRELEASED = '## Unreleased\n';

/** The version of the project, and the one that comes after it. */
interface Versions {
  readonly from: string;
  readonly to: string;
}

/** Why a version cannot follow another; undefined where it can. */
export function whyNotAfter({ from, to }: Versions): string | undefined {
  if (!/^\d+\.\d+\.\d+$/.test(to)) return `'${to}' is no version: write three numbers, as 0.2.0.`;
  const order = to.localeCompare(from, 'en', { numeric: true });
  return order > 0 ? undefined : `${to} does not come after ${from}, the version of the project.`;
}

/** The unreleased part of a changelog, without its heading; empty where there is nothing to release. */
export function notesOf(changelog: string): string {
  const [, after = ''] = changelog.split(UNRELEASED);
  return (after.split(/^## /m, 1)[0] ?? '').trim();
}

/** The changelog in which what was unreleased belongs to a version. @param day as 2026-11-30 */
export function releasedChangelog(changelog: string, version: string, day: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${day}\n`);
}

/** The index of the upgrade pages with a row for the version, and an empty one for what comes next. */
export function releasedIndex(index: string, version: string): string {
  return index.replace(
    /^\| \[unreleased\]\(unreleased\.md\)(.*)$/m,
    (_row, rest: string) =>
      `| [unreleased](unreleased.md) | 0 | rolling |\n| [${version}](${version}.md)${rest}`,
  );
}

/** A manifest, or the list of what is installed, with the version in each place that means the project itself. */
export function withVersion<Json>(json: Json, { from, to }: Versions): Json {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const own = !('resolved' in json) && !('integrity' in json);
  const members = Object.entries(json).map(([name, value]) => {
    const isOurs = name.startsWith('@symbolon/') || (name === 'version' && own);
    return [name, isOurs && value === from ? to : withVersion(value, { from, to })];
  });
  return Object.fromEntries(members);
}

/** Makes a checkout that of the version. */
export function release(folder: string, versions: Versions, day: string): void {
  const { from, to } = versions;
  const change = (path: string, changed: (text: string) => string) =>
    writeFileSync(join(folder, path), changed(readFileSync(join(folder, path), 'utf8')));
  const manifests = globSync(
    ['package*.json', '{packages,apps}/*/package.json', '{bench,test}/package.json'],
    {
      cwd: folder,
    },
  );
  for (const path of manifests)
    change(path, (text) => `${JSON.stringify(withVersion(JSON.parse(text), versions), null, 2)}\n`);
  change('deploy/helm/symbolon/Chart.yaml', (text) =>
    text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${to}`),
  );
  change('docs/deploying.md', (text) => text.replaceAll(`tag: ${from}`, `tag: ${to}`));
  change(CHANGELOG, (text) => releasedChangelog(text, to, day));
  const unreleased = join(UPGRADES, 'unreleased.md');
  renameSync(join(folder, unreleased), join(folder, UPGRADES, `${to}.md`));
  change(join(UPGRADES, `${to}.md`), (text) => text.replace(/^# Unreleased$/m, `# ${to}`));
  writeFileSync(
    join(folder, unreleased),
    `# Unreleased\n\nFrom ${to}: nothing that an operator has to know.\n`,
  );
  change(join(UPGRADES, 'README.md'), (text) => releasedIndex(text, to));
}

function prepare(versions: Versions, notes: string, target: string): void {
  const clone = mkdtempSync(join(tmpdir(), 'symbolon-release-'));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: clone, encoding: 'utf8', maxBuffer: 2 ** 26 });
  try {
    run('git', 'clone', '--quiet', ROOT, '.');
    release(clone, versions, new Date().toISOString().slice(0, 10));
    run('git', 'add', '--all');
    const patch = run(...DIFF);
    run('npm', 'ci', '--no-progress', '--no-audit', '--no-fund');
    mkdirSync(target, { recursive: true });
    run('npm', 'run', '--silent', 'pack', '--', target);
    writeFileSync(join(target, 'release.patch'), patch);
    writeFileSync(join(target, 'notes.md'), `# ${versions.to}\n\n${notes}\n`);
    writeFileSync(join(target, 'SHA256SUMS'), sumsOf(target));
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/** In the form that `sha256sum --check` reads. */
function sumsOf(folder: string): string {
  return globSync('*.tgz', { cwd: folder })
    .sort()
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    })
    .join('');
}

if (import.meta.main) {
  const [to, folder, ...others] = argumentsOf(USAGE);
  if (to === undefined || folder === undefined || others.length > 0)
    refuse('Name the version and a folder.', USAGE);
  const { version: from } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const why = whyNotAfter({ from, to });
  if (why !== undefined) refuse(why, USAGE);
  if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT }).length > 0)
    refuse('There are changes that are not committed, and would not be in it.', USAGE);
  const notes = notesOf(readFileSync(join(ROOT, CHANGELOG), 'utf8'));
  if (notes === '') refuse(`${CHANGELOG} has nothing under "Unreleased".`, USAGE);
  const target = resolve(folder);
  prepare({ from, to }, notes, target);
  console.log(`${target} holds release ${to}. Nothing is committed, tagged or published. To do it:

  git apply --index ${join(target, 'release.patch')}
  git commit -m "Release ${to}"
  git tag --sign v${to} --cleanup=verbatim --file ${join(target, 'notes.md')}
  npm run publish:packages -- git+https://example.org/symbolon.git

The last one packs again, from the tag, with the address of the repository in each manifest, so their sums
are not those of SHA256SUMS.`);
}
