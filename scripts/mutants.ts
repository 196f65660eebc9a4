/**
 * Breaks the server in one place at a time and looks whether a test notices:
 * `npm run mutants -- [--sample N] [--seed S] [--domain NAME] [--path PART] [--kind KIND]… [--jobs N] [--list] [--near] [--fresh] [--json FILE]`.
 * `--near` leaves out the tests of other domains than that of the mutant: a first answer in a part of the time.
 * Fails when fewer than 95 % are noticed. Tests run on the embedded engine alone.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RUN_FOLDER_VARIABLE } from '@symbolon/testkit/platform/made-once';
import { buildWeb } from './build-web.ts';
import { withoutEquivalent } from './mutants/equivalent.ts';
import { KINDS, type Mutant, serverMutants } from './mutants/mutable.ts';
import { countsOf, reportOf, shareNoticed, type Tried } from './mutants/report.ts';
import { tryNearestFirst } from './mutants/rings.ts';
import { parsedArguments } from './usage.ts';

const ENOUGH = 0.95;
const MEMORY = '/dev/shm';

const USAGE =
  'npm run mutants [-- --sample N] [--seed N] [--domain NAME] [--path PART] [--kind KIND] [--jobs N] [--list] [--near] [--fresh] [--json FILE]';
const { values: asked } = parsedArguments(USAGE, {
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    domain: { type: 'string' },
    path: { type: 'string' },
    kind: { type: 'string', multiple: true },
    jobs: { type: 'string', default: String(availableParallelism()) },
    list: { type: 'boolean', default: false },
    near: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const root = resolve(import.meta.dirname, '..');
const all = serverMutants(root);
const { visible, gone } = withoutEquivalent(all);
for (const { file, kind, text } of gone)
  console.error(`equivalent.ts lists what is gone: ${file} ${kind}: ${text}`);
const { domain, path = '', kind: kinds } = asked;
const chosen = sampleOf(
  visible.filter(
    (mutant) =>
      mutant.file.includes(path) &&
      (domain ?? mutant.domain) === mutant.domain &&
      (kinds ?? KINDS).includes(mutant.kind),
  ),
);
if (asked.list) {
  for (const { file, line, kind, text } of chosen) console.log(`${file}:${line} ${kind}: ${text}`);
  console.log(countsOf(chosen));
} else {
  await tryAll();
}
if (gone.length > 0) process.exitCode = 1;

async function tryAll(): Promise<void> {
  const folder = mkdtempSync(
    join(process.env.TMPDIR ?? (existsSync(MEMORY) ? MEMORY : tmpdir()), 'symbolon-mutants-'),
  );
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      console.error(`Ended by ${signal}.`);
      process.exit(1);
    });
  }
  // Programs that run as other users have folders of their own inside.
  chmodSync(folder, 0o711);
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  process.env[RUN_FOLDER_VARIABLE] = shared;
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
  delete process.env.SYMBOLON_TEST_DATABASE_URL;
  await buildWeb();
  // What all tests share is not made by a broken server.
  const { placeMigratedDatabase } = await import('@symbolon/testkit/platform/sqlite-databases');
  await placeMigratedDatabase(mkdtempSync(join(folder, 'first-')));

  const tried: Tried[] = [];
  const settings = {
    root,
    folder,
    jobs: Number(asked.jobs),
    fresh: asked.fresh,
    near: asked.near,
    say: console.error,
  };
  await tryNearestFirst(chosen, all, settings, (mutant, trial) => {
    const { id: _, probe: __, ...known } = mutant;
    tried.push({ ...known, ...trial });
    if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(tried, null, 2)}\n`);
    const { file, line, kind } = mutant;
    console.error(
      `${tried.length} of ${chosen.length}: ${file}:${line} ${kind}: ${trial.outcome} ${trial.by ?? ''}`,
    );
  });
  console.log(reportOf(tried));
  if (shareNoticed(tried) < ENOUGH) process.exitCode = 1;
}

/** The same for the same seed: a change of the sources moves only the mutants that it makes or removes. */
function sampleOf<One extends Mutant>(mutants: readonly One[]): readonly One[] {
  if (asked.sample === undefined) return mutants;
  const rankOf = ({ id }: Mutant) => createHash('sha256').update(`${asked.seed} ${id}`).digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, rank: rankOf(mutant) }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked.slice(0, Number(asked.sample)).map(({ mutant }) => mutant);
}
