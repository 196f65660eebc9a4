import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domains, rooms } from './doors.ts';
import { SERVER } from './imports.ts';

const PAGE = 'ARCHITECTURE.md';
const NOTHING = '–';

/** What a package is: the others that its sources import, and those that its manifest names. */
export interface Package {
  readonly imports: readonly string[];
  readonly named: readonly string[];
}

/**
 * Checks what the page says of the project against its folders and imports: the packages with what each imports, the rooms of the server and
 * its domains, in the order in which they may import each other (`doors` checks the imports against that order).
 * @param files paths relative to `root`
 */
export function architecturePage(root: string, files: readonly string[]): string[] {
  const page = readFileSync(join(root, PAGE), 'utf8');
  return [
    ...packageDifferences(page, packagesOf(root, files)),
    ...listDifferences(page, 'The rooms of the server', rooms.flat()),
    ...listDifferences(page, 'Domains and doors', domains),
    ...missingFolders(SERVER, rooms.flat(), files),
    ...missingFolders(`${SERVER}/domains`, domains, files),
  ];
}

/** What is wrong with the first column of the table under a heading: none or one line. */
export function listDifferences(page: string, heading: string, expected: readonly string[]): string[] {
  const listed = rowsUnder(page, heading).map(([name = '']) => nameIn(name));
  return listed.join() === expected.join()
    ? []
    : [
        `${PAGE}: "${heading}" lists ${listed.join(', ')}; scripts/checks/doors.ts has ${expected.join(', ')}`,
      ];
}

/** What is wrong with the table of packages. @param found by the folder of each */
export function packageDifferences(page: string, found: ReadonlyMap<string, Package>): string[] {
  const stated = new Map(rowsUnder(page, 'Packages').map(([name = '', , may = '']) => [nameIn(name), may]));
  const missing = [...found.keys()].filter((folder) => !stated.has(folder));
  const gone = [...stated.keys()].filter((folder) => !found.has(folder));
  return [
    ...missing.map((folder) => `${PAGE}: "Packages" has no row for ${folder}`),
    ...gone.map((folder) => `${PAGE}: "Packages" lists ${folder}, which is no package`),
    ...[...found].flatMap(([folder, { imports, named }]) => [
      ...importDifferences(folder, imports, stated.get(folder)),
      ...imports
        .filter((name) => !named.includes(name))
        .map((name) => `${folder}/package.json does not name @symbolon/${name}, which its sources import`),
    ]),
  ];
}

function importDifferences(folder: string, imports: readonly string[], cell: string | undefined): string[] {
  if (cell === undefined) return [];
  const may = cell === NOTHING ? [] : cell.split(', ');
  return [
    ...imports
      .filter((name) => !may.includes(name))
      .map((name) => `${folder} imports @symbolon/${name}, which ${PAGE} does not say of it`),
    ...may
      .filter((name) => !imports.includes(name))
      .map((name) => `${PAGE}: "Packages" says that ${folder} imports ${name}, and none of its sources does`),
  ];
}

/** Names in the lists of `doors` that have no folder. */
export function missingFolders(place: string, names: readonly string[], files: readonly string[]): string[] {
  return names
    .filter((name) => !files.some((file) => file.startsWith(`${place}/${name}/`)))
    .map((name) => `scripts/checks/doors.ts lists ${name}: there is no ${place}/${name}`);
}

/** The cells of the rows under a heading, without the heads of the table. */
function rowsUnder(page: string, heading: string): string[][] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
}

const nameIn = (cell: string) => cell.replace(/^`|\/?`$/g, '');

const IMPORT = /(?:\bfrom|\bimport\(|\bimport)\s*['"]@symbolon\/([\w-]+)/g;

function packagesOf(root: string, files: readonly string[]): Map<string, Package> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const folders = files.flatMap(
    (file) => /^((?:packages|apps)\/[^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
  );
  return new Map(
    folders.map((folder) => {
      const { dependencies = {}, peerDependencies = {} } = JSON.parse(read(`${folder}/package.json`));
      const sources = files.filter(
        (file) =>
          file.startsWith(`${folder}/src/`) && /(?<!\.test)\.tsx?$/.test(file) && !file.includes('/testing/'),
      );
      const imported = sources.flatMap((file) =>
        [...read(file).matchAll(IMPORT)].map(([, name = '']) => name),
      );
      const named = Object.keys({ ...dependencies, ...peerDependencies });
      return [
        folder,
        {
          imports: [...new Set(imported)].sort(),
          named: named.map((name) => name.replace('@symbolon/', '')),
        },
      ];
    }),
  );
}
