import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { textOfFile } from '@symbolon/crypto/node';

/** The bytes of a file; `-` is stdin, which another program may still be writing to. */
export function readAll(file: string): Promise<Buffer> {
  // Reading it at once by its number fails when nothing is there yet (EAGAIN).
  return file === '-' ? buffer(process.stdin) : readFile(file);
}

/** The one line of what was read, without the line break at its end; undefined when it is empty or has more lines. */
export function oneLineOf(bytes: Uint8Array): string | undefined {
  const text = textOfFile(bytes).replace(/\r?\n$/, '');
  return text === '' || text.includes('\n') ? undefined : text;
}
