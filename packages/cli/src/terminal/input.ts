import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** The bytes of a file; `-` is stdin, which another program may still be writing to. */
export function readAll(file: string): Promise<Buffer> {
  // Reading it at once by its number fails when nothing is there yet (EAGAIN).
  return file === '-' ? buffer(process.stdin) : readFile(file);
}
