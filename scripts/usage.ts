import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What a script was called with. `--help` says how it is called, and what it does not know is refused. */
export function parsedArguments<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  helpWhenAsked(usage, config.args);
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse((error as Error).message, usage);
  }
}

/** Prints how a script is called, where `--help` or `-h` is among the arguments, and ends it. */
export function helpWhenAsked(usage: string, given: readonly string[] = process.argv.slice(2)): void {
  if (!given.includes('--help') && !given.includes('-h')) return;
  console.log(`Usage: ${usage}`);
  process.exit(0);
}

/** Ends a script that was called wrongly. */
export function refuse(why: string, usage: string): never {
  console.error(`${why}\nUsage: ${usage}`);
  process.exit(2);
}

/** The arguments of a script that takes paths or names alone: an unknown flag is never taken for the name of a folder. */
export function argumentsOf(usage: string, given: readonly string[] = process.argv.slice(2)): string[] {
  return parsedArguments(usage, { args: [...given], options: {}, allowPositionals: true }).positionals;
}

/**
 * A folder that a script makes anew, with all that is in it. One that holds something else is refused: it would be lost.
 * @param mark a file that the script writes into it
 */
export function folderToReplace(folder: string, mark: string, usage: string): string {
  const isOther = existsSync(folder) && !existsSync(join(folder, mark)) && readdirSync(folder).length > 0;
  if (isOther)
    refuse(`${folder} holds something else: name an empty folder, or one that does not exist.`, usage);
  return folder;
}

/** Of a script that takes none: whatever is given is refused. */
export function noArguments(usage: string): void {
  const [given] = argumentsOf(usage);
  if (given !== undefined) refuse(`Unexpected argument '${given}'.`, usage);
}
