import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parsedArguments } from '../../scripts/usage.ts';
import { type LargeWorld, seedLarge } from './large.ts';
import { machine } from './machine.ts';
import { dataFolder } from './platform.ts';
import { SMALL } from './setting.ts';
import { type Engine, Stack } from './stack.ts';

/** A measurement of an engine and a size; whoever measures adds what was measured. */
export interface KeptRun {
  readonly engine: Engine;
  readonly size: string | number;
  readonly at: string;
  readonly machine: string;
}

interface Measuring<Run> {
  readonly stack: Stack;
  /** A large service; the platform is stopped. */
  readonly world: LargeWorld;
  /** A checkout of another version. */
  readonly source: string | undefined;
  /** A checkout of an older version that makes the database: the first start then migrates it. */
  readonly seedWith: string | undefined;
  /** Called with what was measured so far, as often as the caller likes. */
  keep(run: Omit<Run, 'engine' | 'at' | 'machine'>): Promise<void>;
}

const SIZES: Readonly<Record<string, number>> = { '1k': 1e3, '10k': 1e4, '100k': 1e5, '1M': 1e6 };

export function sizeOf({ size }: KeptRun): number {
  return SIZES[size] ?? Number(size);
}

export function nameOf(size: number): string {
  return Object.entries(SIZES).find(([, value]) => value === size)?.[0] ?? String(size);
}

/**
 * A command that measures each engine and size that its arguments name, and writes a page from all runs that are in the folder
 * of the results, and gives it: the large ones can be made one by one.
 *
 *   --sizes 10k,100k  --engines sqlite,postgres
 *   --out       folder of the results
 *   --source    a checkout of another version, which is measured instead of this one
 *   --seed-with a checkout of an older version that makes the database: the first start then migrates it
 *   --small     the smallest setting; nothing is kept
 */
export async function measureAndKeep<Run extends KeptRun>(
  name: string,
  command: {
    readonly sizes: string;
    readonly measure: (measuring: Measuring<Run>) => Promise<void>;
    readonly page: (runs: readonly Run[]) => string;
  },
): Promise<string> {
  const flags =
    '[--sizes LIST] [--engines LIST] [--out FOLDER] [--source FOLDER] [--seed-with FOLDER] [--small]';
  const usage = `npm run bench ${name} [-- FLAG…], of ${flags}`;
  const { values: options } = parsedArguments(usage, {
    options: {
      sizes: { type: 'string', default: SMALL ? '200' : command.sizes },
      engines: { type: 'string', default: 'sqlite,postgres' },
      out: { type: 'string', default: join(import.meta.dirname, '..', 'results', name) },
      source: { type: 'string' },
      'seed-with': { type: 'string' },
      small: { type: 'boolean' },
    },
  });
  await using folder = await dataFolder();
  const out = SMALL ? join(folder.path, name) : options.out;
  const source = options.source === undefined ? undefined : resolve(options.source);
  const seedWith = options['seed-with'] === undefined ? source : resolve(options['seed-with']);
  const { cpu, cores, node } = machine();
  await mkdir(out, { recursive: true });
  for (const size of list(options.sizes)) {
    for (const engine of list(options.engines) as Engine[]) {
      console.error(`${engine}, ${size}`);
      await using stack = await Stack.create(engine);
      await command.measure({
        stack,
        world: await seedLarge(stack, SIZES[size] ?? Number(size), seedWith),
        source,
        seedWith,
        async keep(measured) {
          const at = new Date().toISOString();
          const run = { engine, at, machine: `${cpu}, ${cores} cores, Node ${node}`, ...measured };
          await writeFile(join(out, `${engine}-${size}.json`), `${JSON.stringify(run, null, 1)}\n`);
        },
      });
    }
  }
  const files = (await readdir(out)).filter((file) => file.endsWith('.json'));
  const kept = files.map(async (file) => JSON.parse(await readFile(join(out, file), 'utf8'), numbers) as Run);
  const page = command.page(await Promise.all(kept));
  await writeFile(`${out}.md`, `${page}\n`);
  return page;
}

const list = (text: string) => text.split(',').map((part) => part.trim());
/** NaN is written as null. */
const numbers = (_: string, value: unknown) => value ?? Number.NaN;
