/** Whoever read the output has stopped, as `head` does once it has enough: nothing went wrong. */
export class OutputClosed extends Error {}

/** The output could not be written: what was asked for is not where it should be. */
export class OutputFailed extends Error {
  override readonly name = 'OutputFailed';
}

/** Writes a line and resolves once it is out. @throws OutputClosed, OutputFailed */
export function writeLine(text: string): Promise<void> {
  return writeOut(`${text}\n`);
}

/** Writes as it is, and resolves once it is out. @throws OutputClosed, OutputFailed */
export function writeOut(output: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // An error of an earlier write may have closed it.
    if (!process.stdout.writable) return reject(failureOf(process.stdout.errored));
    process.stdout.write(output, (error) => {
      if (error) reject(failureOf(error));
      else resolve();
    });
  });
}

function failureOf(cause: NodeJS.ErrnoException | null): Error {
  if (cause?.code === 'EPIPE') return new OutputClosed('stdout is closed', { cause });
  return new OutputFailed(`stdout: ${WHY[cause?.code ?? ''] ?? cause?.message ?? 'it is closed'}`, { cause });
}

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left where it is written to',
  EDQUOT: 'no space is left to you where it is written to',
  EBADF: 'it is closed',
  EIO: 'it cannot be written',
};
