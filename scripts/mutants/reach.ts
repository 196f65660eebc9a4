import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Probed, withProbes } from './mutable.ts';
import { eachOf, processesOf, runTests } from './processes.ts';
import type { FileReach } from './settings.ts';

const TESTS = ['packages/server/src/**/*.test.ts', 'packages/testkit/src/**/*.test.ts'];
const CACHE = 'node_modules/.cache/mutants/reach.json';
/** For the files that share a process; a file takes some seconds. */
const BOUNDS = { seconds: 900, waitSeconds: 1800 };

/** Which tests reach which mutants: by test file; places are numbers of mutants. */
export type Reach = ReadonlyMap<string, FileReach>;

interface Cached {
  readonly ids: readonly string[];
  /** By file: of the sources and of the tests. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, FileReach>>;
}

interface Settings {
  readonly root: string;
  readonly folder: string;
  readonly jobs: number;
  /** Forgets what was found before. */
  readonly fresh: boolean;
  readonly say: (text: string) => void;
  /** The test files that are looked at; of others stays what is known. */
  readonly isWanted?: (file: string) => boolean;
}

/**
 * Runs the tests on the server with probes. What was found before stays for a test file that passed and is as it was then,
 * when all sources that it reached are too.
 */
export async function findReach(mutants: readonly Probed[], settings: Settings): Promise<Reach> {
  const { root, folder, jobs, say, isWanted = () => true } = settings;
  const path = join(root, CACHE);
  const tests = globSync(TESTS, { cwd: root }).sort();
  const sources = [...new Set(mutants.map(({ file }) => file))];
  const hashes = Object.fromEntries([...tests, ...sources].map((file) => [file, hashOf(join(root, file))]));
  const known =
    settings.fresh || !existsSync(path) ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as Cached);
  const reach = known === undefined ? new Map<string, FileReach>() : stillTrue(known, mutants, hashes);
  for (const file of [...reach.keys()]) if (!tests.includes(file)) reach.delete(file);
  const stale = tests.filter((file) => !reach.has(file) && isWanted(file));
  if (stale.length === 0) return reach;
  say(`Finding what ${stale.length} test files reach …`);
  const probed = writeProbed(mutants, sources, root, join(folder, 'probed'));
  let done = 0;
  await eachOf(processesOf(stale, folder, root), jobs, async (run) => {
    const ran = await runTests(run, folder, { root, sources: probed, places: mutants.length }, BOUNDS);
    done += run.files.length;
    say(`${done} of ${stale.length}: ${run.files[0]}${ran.code === 0 ? '' : ` FAILED\n${ran.said}`}`);
    if (ran.result === undefined) return;
    const found = JSON.parse(ran.result) as Record<string, FileReach>;
    const beside = ran.ofChildren.flatMap((text) => JSON.parse(text) as number[]);
    for (const [file, own] of Object.entries(found)) {
      reach.set(file, { ...own, outside: [...new Set([...own.outside, ...beside])] });
    }
    // What was found stays when the rest is not waited for.
    const cached: Cached = { ids: mutants.map(({ id }) => id), hashes, files: Object.fromEntries(reach) };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(cached));
  });
  return reach;
}

/** What is known of the test files that need not run again, with the numbers that the mutants have now. */
function stillTrue(
  { ids, hashes, files }: Cached,
  mutants: readonly Probed[],
  now: Readonly<Record<string, string>>,
): Map<string, FileReach> {
  const numbers = new Map(mutants.map(({ id }, number) => [id, number]));
  const isOther = ids.map((id) => {
    const file = id.split('|')[0] ?? '';
    return hashes[file] !== now[file];
  });
  const renumbered = (places: readonly number[]) =>
    places.flatMap((place) => numbers.get(ids[place] ?? '') ?? []);
  return new Map(
    Object.entries(files)
      .filter(([file]) => hashes[file] === now[file])
      // A failure may have been one of that day.
      .filter(([, { tests }]) => Object.values(tests).every(({ passed }) => passed))
      .filter(([, reach]) => ![...placesOf(reach)].some((place) => isOther[place]))
      .map(([file, { outside, outsideCost, tests }]) => [
        file,
        {
          outside: renumbered(outside),
          outsideCost,
          tests: Object.fromEntries(
            Object.entries(tests).map(([name, test]) => [name, { ...test, places: renumbered(test.places) }]),
          ),
        },
      ]),
  );
}

const placesOf = ({ outside, tests }: FileReach): Set<number> =>
  new Set([...outside, ...Object.values(tests).flatMap(({ places }) => places)]);

/** @returns where each source with probes stands */
function writeProbed(
  mutants: readonly Probed[],
  sources: readonly string[],
  root: string,
  folder: string,
): Record<string, string> {
  return Object.fromEntries(
    sources.map((file) => {
      const own = mutants.filter((mutant) => mutant.file === file);
      const first = mutants.findIndex((mutant) => mutant.file === file);
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, withProbes(readFileSync(join(root, file), 'utf8'), own, first));
      return [file, path];
    }),
  );
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('base64url');
