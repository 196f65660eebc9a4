import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { limits } from '@symbolon/protocol/constants';

/** Packages of Debian that ship PDF files: of TeX, FOP, LilyPond, R, Prawn, ReportLab, matplotlib, Ghostscript and others. */
const DOCUMENTATION = [
  ...['asymptote-doc', 'cups-filters', 'debian-policy', 'debian-refcard', 'developers-reference-de'],
  ...['docbook-xsl-doc-pdf', 'gnuplot-doc', 'harden-doc', 'hplip-doc', 'installation-guide-amd64'],
  ...[
    'lilypond-doc-pdf',
    'maxima-doc',
    'python-reportlab-doc',
    'python3-matplotlib',
    'r-cran-sp',
    'r-cran-zoo',
  ],
  ...['ruby-prawn', 'texlive-fonts-recommended-doc', 'texlive-humanities-doc'],
  ...['texlive-latex-recommended-doc', 'valgrind'],
];
/** Sources of programs that read PDF files, with the files that they are tested with. */
const SOURCES = ['libpdfbox2-java', 'pdfminer', 'pikepdf', 'pypdf', 'qpdf'];
const NPM = ['pdf-parse@1.1.1', 'pdf2json', 'pdfreader'];

/** Files of one package, so that no program that writes PDF files has most of the corpus. */
const MOST_OF_ONE = 60;

/**
 * Brings PDF files of packages into `files/` of the folder, each once. What is there already is not fetched again.
 * @returns how many files there are
 */
export function gather(folder: string): number {
  const packages = join(folder, 'packages');
  for (const each of [packages, join(folder, 'files')]) mkdirSync(each, { recursive: true });
  const known = new Set(readdirSync(join(folder, 'files')).map((name) => name.slice(0, 16)));
  const sources = debianSources(folder);
  const ways: [readonly string[], (name: string, into: string) => SpawnSyncReturns<Buffer>][] = [
    [DOCUMENTATION, (name, into) => run('apt-get', ['download', name], into)],
    [SOURCES, (name, into) => run('apt-get', [...sources, 'source', '--download-only', name], into)],
    [NPM, (name, into) => run('npm', ['pack', '--silent', name], into)],
  ];
  for (const [names, fetch] of ways) {
    for (const name of names) {
      const into = join(packages, name);
      if (!existsSync(into)) {
        mkdirSync(into);
        if (fetch(name, into).status !== 0) console.error(`${name} cannot be had`);
      }
      const archives = readdirSync(into).filter((file) => /\.(deb|tgz|tar\.\w+)$/.test(file));
      const found = archives.flatMap((file) => pdfsIn(folder, join(into, file)));
      for (const [file, bytes] of found
        .filter(([, { length }]) => length <= limits.fileBytes)
        .slice(0, MOST_OF_ONE)) {
        const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
        if (known.has(digest)) continue;
        known.add(digest);
        writeFileSync(join(folder, 'files', `${digest}-${name}-${file}`), bytes);
      }
      console.error(`${name}: ${found.length} files, ${known.size} in all`);
    }
  }
  return known.size;
}

/** The sources of packages beside the packages themselves, as this machine gets them. */
function debianSources(folder: string): string[] {
  const place = '/etc/apt/sources.list.d';
  const texts = readdirSync(place)
    .filter((name) => name.endsWith('.sources'))
    .map((name) => readFileSync(join(place, name), 'utf8').replaceAll(/^Types: deb$/gm, 'Types: deb-src'));
  writeFileSync(join(folder, 'apt.sources'), texts.join('\n\n'));
  mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  const options = [
    ...['-o', `Dir::Etc::sourcelist=${join(folder, 'apt.sources')}`, '-o', 'Dir::Etc::sourceparts=/dev/null'],
    ...['-o', `Dir::State::lists=${join(folder, 'lists')}`],
  ];
  run('apt-get', [...options, 'update'], folder);
  return options;
}

function pdfsIn(folder: string, archive: string): [string, Buffer][] {
  const place = mkdtempSync(join(folder, 'unpacked-'));
  try {
    if (archive.endsWith('.deb')) run('dpkg-deb', ['--extract', archive, place], folder);
    else run('tar', ['-x', '-f', archive, '-C', place], folder);
    const files = readdirSync(place, { recursive: true, withFileTypes: true });
    return files
      .filter((entry) => entry.isFile() && /\.pdf(\.gz)?$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => {
        const bytes = readFileSync(path);
        return [basename(path).replace(/\.gz$/, ''), path.endsWith('.gz') ? gunzipSync(bytes) : bytes];
      });
  } finally {
    rmSync(place, { recursive: true });
  }
}

function run(program: string, args: readonly string[], cwd: string): SpawnSyncReturns<Buffer> {
  return spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
