import { relative } from 'node:path';

/** How much is run: see docs/testing.md. */
export type Size = 'quick' | 'usual' | 'all' | 'bare';

export interface TestOptions {
  readonly size: Size;
  /** A part of the paths of the files that run; none: all files. */
  readonly parts: readonly string[];
  /** Files that a change reaches: since a commit, or since this branch left the main one. Undefined: all files. */
  readonly changed: { readonly since: string | undefined } | undefined;
  /** One of several runners: each takes the files of its turn. */
  readonly shard: { readonly index: number; readonly count: number } | undefined;
  /** The one engine that tests run on, where they have a choice. */
  readonly engine: 'sqlite' | 'postgres' | undefined;
  readonly headed: boolean;
  /** Of Node's test runner. */
  readonly flags: readonly string[];
  /** Whether flags leave tests out. */
  readonly isSelecting: boolean;
}

/** The runner's flags whose value may follow as an argument of its own: it is not a part of a path. */
const FLAGS_WITH_VALUE = [
  '--import',
  '--test-concurrency',
  '--test-name-pattern',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-skip-pattern',
  '--test-timeout',
];
/** Flags that leave tests out. */
const SELECTING = /^--test-(name-pattern|skip-pattern|only)/;
const SIZES: Readonly<Record<string, Size>> = { '--quick': 'quick', '--all': 'all', '--bare': 'bare' };
const SHARD = /^([1-9]\d*)\/([1-9]\d*)$/;

export const SHARD_VARIABLE = 'SYMBOLON_TEST_SHARD';

const isOfNode = (name: string) =>
  name.startsWith('--test-') || process.allowedNodeEnvironmentFlags.has(name);

/** @throws {Error} for an option that does not exist, and when one has a value that it does not take */
export function readOptions(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): TestOptions {
  let size: Size = 'usual';
  let changed: TestOptions['changed'];
  let shard = environment[SHARD_VARIABLE];
  let engine: string | undefined;
  let headed = false;
  const flags: string[] = [];
  const parts: string[] = [];
  for (const argument of given) {
    const [name = '', value] = argument.split(/=(.*)/s);
    const named = SIZES[name];
    if (FLAGS_WITH_VALUE.includes(flags.at(-1) ?? '')) flags.push(argument);
    else if (named !== undefined) size = named;
    else if (name === '--changed') changed = { since: value };
    else if (name === '--shard') shard = value ?? '';
    else if (name === '--engine') engine = value ?? '';
    else if (name === '--headed') headed = true;
    else if (argument.startsWith('-')) {
      if (!isOfNode(name))
        throw new Error(
          `There is no option ${name}. docs/testing.md says what there is; flags of Node go on to it.`,
        );
      flags.push(argument);
    } else parts.push(relative('.', argument));
  }
  if (engine !== undefined && engine !== 'sqlite' && engine !== 'postgres')
    throw new Error(`--engine takes sqlite or postgres, not "${engine}".`);
  return {
    ...{ size, parts, changed, engine, headed, flags },
    shard: shard === undefined || shard === '' ? undefined : readShard(shard),
    isSelecting: flags.some((flag) => SELECTING.test(flag)),
  };
}

function readShard(text: string): { index: number; count: number } {
  const [, index = 0, count = 0] = (SHARD.exec(text) ?? []).map(Number);
  if (count === 0 || index > count) throw new Error(`--shard takes 1/4 to 4/4, for instance, not "${text}".`);
  return { index, count };
}
