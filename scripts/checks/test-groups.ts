import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Loading the platform takes a second, and its code is slow until it was used: more time than most test files take for
 * their tests. So the files beside the rules of the server share processes, some files to each.
 */

const SHARING = /^packages\/server\/src\/(access|domains)\//;
/** They look at the process as a whole. */
const ALONE = ['packages/server/src/domains/profile/photos/image.test.ts'];
/** What all of them load. */
const PLATFORM = join(import.meta.dirname, '../../packages/testkit/src/platform/platform.ts');
const SIZE = 10;

/** What Node's test runner is given: a test file, or a module that loads some. */
export interface TestRun {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * Writes modules that load some of the test files each.
 *
 * @param folder where they are written
 * @param root what the paths of the files start from
 * @returns what is left to run: these modules, and the files that run alone
 */
export function groupTests(files: readonly string[], folder: string, root = process.cwd()): TestRun[] {
  const sharing = files.filter((file) => SHARING.test(file) && !ALONE.includes(file));
  if (sharing.length < 2) return files.map(alone);
  const groups = Array.from({ length: Math.ceil(sharing.length / SIZE) }, (_, index) => {
    const path = join(folder, `group-${String(index + 1).padStart(2, '0')}.mjs`);
    const group = sharing.slice(index * SIZE, (index + 1) * SIZE);
    writeFileSync(path, moduleOf(group, root));
    return { path, files: group };
  });
  return [...groups, ...files.filter((file) => !sharing.includes(file)).map(alone)];
}

const alone = (file: string): TestRun => ({ path: file, files: [file] });

/** The title of the outermost suite is the file: the evidence of tests is kept under it. */
function moduleOf(files: readonly string[], root: string): string {
  const load = (path: string) => `await import(${JSON.stringify(pathToFileURL(path).href)});`;
  return [
    `import { describe } from 'node:test';`,
    // A module that waits as it is loaded, deep in the platform, would take the tests out of their suite.
    load(PLATFORM),
    ...files.map(
      (file) => `describe(${JSON.stringify(file)}, async () => { ${load(resolve(root, file))} });`,
    ),
    '',
  ].join('\n');
}
