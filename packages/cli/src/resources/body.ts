import { Problem } from '../problem.ts';
import { oneLineOf, readAll } from '../terminal/input.ts';
import { isObject, type Members, readStructured } from './structured-file.ts';
import type { Option, Verb } from './table/types.ts';

export const dashed = (member: string): string => member.replaceAll('_', '-');

/** The option on the command line, without the dashes before it. */
export function flagOf({ member, flag, kind }: Option): string {
  return `${flag ?? dashed(member)}${kind === 'secret' ? '-file' : ''}`;
}

/** As Commander names the value of an option. */
export const attributeOf = (option: Option): string =>
  flagOf(option).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The members that are given: those of `--file`, over which options win.
 *
 * @throws Problem for what the verb does not have, and for what it needs
 */
export async function membersOf(verb: Verb, options: Members): Promise<Members> {
  const table = verb.options ?? [];
  const members: Members = {};
  const { file } = options;
  if (typeof file === 'string') {
    const read = await readStructured(file);
    if (!isObject(read)) throw new Problem(`${file} is not an object.`, { exitCode: 2 });
    const known = new Set([...table.map(({ member }) => member), ...(verb.fileOnly ?? [])]);
    const strange = Object.keys(read).filter((name) => !known.has(name));
    if (strange.length > 0) {
      const text = `${file} has ${strange.join(', ')}; known are ${[...known].join(', ')}.`;
      throw new Problem(text, { exitCode: 2 });
    }
    Object.assign(members, read);
  }
  for (const option of table) {
    const given = options[attributeOf(option)];
    if (given !== undefined) members[option.member] = await memberOf(option, given);
  }
  const missing = table.filter(({ required, member }) => required && !(member in members));
  if (missing.length === 0) return members;
  const names = missing.map((option) => `--${flagOf(option)}`).join(', ');
  throw new Problem(`Missing: ${names}.${file === undefined ? ' --file gives several at once.' : ''}`, {
    exitCode: 2,
  });
}

async function memberOf(option: Option, given: unknown): Promise<unknown> {
  const { kind, clears } = option;
  if (clears && given === 'none') return null;
  switch (kind) {
    case 'switch':
      return given === 'true' || given === true;
    case 'whole':
      return whole(option, String(given));
    case 'list':
      return given === true ? [] : given;
    case 'secret':
      return secretFrom(String(given), flagOf(option));
    case 'bytes':
      return (await readAll(String(given))).toString('base64');
    default:
      return given;
  }
}

function whole(option: Option, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Problem(`--${flagOf(option)} takes a whole number, not "${text}".`, { exitCode: 2 });
}

/** One secret of a file, or of standard input, without the line break at its end. */
export async function secretFrom(file: string, flag: string): Promise<string> {
  const secret = oneLineOf(await readAll(file));
  if (secret !== undefined) return secret;
  throw new Problem(`--${flag} takes a file with the secret on one line.`, { exitCode: 2 });
}
