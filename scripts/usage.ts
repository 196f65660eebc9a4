import { parseArgs } from 'node:util';

/**
 * The arguments of a script that takes paths or names alone. `--help` says so, and an unknown flag is refused: it is never
 * taken for the name of a folder.
 */
export function argumentsOf(usage: string, given: readonly string[] = process.argv.slice(2)): string[] {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true });
    if (values.help !== true) return positionals;
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: ${usage}`);
    process.exit(2);
  }
  console.log(`Usage: ${usage}`);
  process.exit(0);
}

/** Of a script that takes none: `--help` says so, and whatever else is given is refused. */
export function noArguments(usage: string): void {
  const [given] = argumentsOf(usage);
  if (given === undefined) return;
  console.error(`Unexpected argument '${given}'.\nUsage: ${usage}`);
  process.exit(2);
}
