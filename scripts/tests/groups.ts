import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BETWEEN_FILES } from './account.ts';

/*
 * Loading the platform takes a second, and its code is slow until it was used: more time than most test files take for
 * their tests. So files of one kind share processes, some files to each.
 */

const KIT = join(import.meta.dirname, '../../packages/testkit/src');
const PLATFORM = join(KIT, 'platform/platform.ts');
const PDF = join(KIT, '../../pdf/src/index.ts');
/** Files that share processes, and what all of them load. */
const SHARING = [
  {
    files: /^packages\/server\/src\//,
    first: PLATFORM,
    size: 32,
  },
  { files: /^packages\/cli\//, first: PLATFORM, size: 13 },
  { files: /^test\/(security|system|compat)\//, first: PLATFORM, size: 10 },
  { files: /^test\/(abuse|faults|size)\//, first: PLATFORM, size: 8 },
  { files: /^test\/browser\//, first: join(KIT, 'browser/world.ts'), size: 6 },
  { files: /^packages\/(crypto|field-types|flows|protocol)\//, first: undefined, size: 40 },
  { files: /^packages\/pdf\//, first: PDF, size: 12 },
  { files: /^packages\/sdk\//, first: PLATFORM, size: 16 },
  { files: /^apps\/web\//, first: undefined, size: 40 },
  { files: /^(scripts|packages\/testkit)\//, first: undefined, size: 40 },
];
/** They look at the process as a whole, or change it. */
const ALONE = [
  'packages/server/src/domains/profile/photos/image.test.ts',
  'packages/crypto/src/base64.test.ts',
];
/** They take long by themselves: they begin first, each in a process of its own, and not part of `--quick`. */
export const LONG = [
  'bench/bench.test.ts',
  'test/docs/docs.test.ts',
  'test/installed/installed.test.ts',
  'test/installed/built.test.ts',
  'test/deploy/image.test.ts',
  'test/faults/sealing.test.ts',
  'test/faults/run-documents.test.ts',
  'test/faults/flow-runs.test.ts',
  'test/security/zero-knowledge/zero-knowledge.test.ts',
  'test/security/bad-input.test.ts',
  'packages/server/src/domains/regions/moves/faults.test.ts',
  'packages/server/src/domains/regions/moves/use.test.ts',
  'packages/pdf/src/fuzz.test.ts',
  'packages/pdf/src/runner/pdf-runner.test.ts',
];

const BY_THEMSELVES = [...ALONE, ...LONG];

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
 * @returns what is run: these modules, and the files that run alone
 */
export function groupTests(files: readonly string[], folder: string, root = process.cwd()): TestRun[] {
  const groups = SHARING.flatMap(({ files: pattern, first, size }) => {
    const sharing = files.filter((file) => pattern.test(file) && !BY_THEMSELVES.includes(file));
    if (sharing.length < 2) return [];
    return Array.from({ length: Math.ceil(sharing.length / size) }, (_, index) => ({
      files: sharing.slice(index * size, (index + 1) * size),
      first,
    }));
  });
  const long = LONG.filter((file) => files.includes(file)).map((file) => ({
    files: [file],
    first: undefined,
  }));
  // Node runs files in the order of their paths.
  const runs = [...long, ...groups].map((group, index) => {
    const path = join(folder, `${String(index + 1).padStart(3, '0')}.mjs`);
    writeFileSync(path, moduleOf(group.files, group.first, root));
    return { path, files: group.files };
  });
  const grouped = new Set(runs.flatMap((run) => run.files));
  return [
    ...runs,
    ...files.filter((file) => !grouped.has(file)).map((file) => ({ path: file, files: [file] })),
  ];
}

/** The title of the outermost suite is the file: the evidence of tests is kept under it. */
function moduleOf(files: readonly string[], first: string | undefined, root: string): string {
  const load = (path: string) => `await import(${JSON.stringify(pathToFileURL(path).href)});`;
  return [
    `import { before, describe } from 'node:test';`,
    `const between = () => globalThis[Symbol.for(${JSON.stringify(BETWEEN_FILES)})]?.();`,
    // A module that waits as it is loaded, deep in the platform, would take the tests out of their suite.
    ...(first === undefined ? [] : [load(first)]),
    ...files.map(
      (file) =>
        `describe(${JSON.stringify(file)}, async () => { before(between); ${load(resolve(root, file))} });`,
    ),
    '',
  ].join('\n');
}
