import { Problem } from '../problem.ts';
import { readAll } from '../terminal/input.ts';

/** The bytes of a file; `-` is stdin. */
export async function readInput(file: string): Promise<Buffer> {
  const bytes = await readAll(file);
  if (bytes.length === 0) throw new Problem(`${file === '-' ? 'stdin' : file} is empty.`);
  if (bytes.length > INPUT_MOST)
    throw new Problem(`${file === '-' ? 'stdin' : file} is too large for a key.`);
  return bytes;
}

const INPUT_MOST = 1024 * 1024;
