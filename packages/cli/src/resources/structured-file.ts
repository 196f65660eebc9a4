import { textOfFile } from '@symbolon/crypto/node';
import { Problem } from '../problem.ts';
import { readAll } from '../terminal/input.ts';

/**
 * What a file says, be it JSON or YAML, which JSON is a part of. `-` is standard input.
 *
 * @throws Problem for what is neither, is larger than a megabyte or repeats itself by many aliases
 */
export async function readStructured(file: string): Promise<unknown> {
  const name = file === '-' ? 'stdin' : file;
  const bytes = await readAll(file);
  if (bytes.length > FILE_MOST) throw new Problem(`${name} is larger than a megabyte.`, { exitCode: 2 });
  const { parse } = await import('yaml');
  try {
    return parse(textOfFile(bytes), {
      maxAliasCount: ALIASES_MOST,
      stringKeys: true,
      logLevel: 'error',
    });
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    throw new Problem(`${name} is neither JSON nor YAML: ${line.replace(/:$/, '.')}`, {
      exitCode: 2,
      cause: error,
    });
  }
}

export type Members = Record<string, unknown>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Above the largest body that a definition of a flow makes. */
const FILE_MOST = 1024 * 1024;
const ALIASES_MOST = 50;
