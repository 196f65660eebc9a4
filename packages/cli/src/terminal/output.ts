/** The output is closed, as when it is piped into `head`. */
export class OutputClosed extends Error {}

/** Writes a line and resolves once it is out. @throws OutputClosed */
export function writeLine(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.stdout.writable) return reject(new OutputClosed('stdout is closed'));
    process.stdout.write(`${text}\n`, (error) => {
      if (error) reject(new OutputClosed('stdout is closed', { cause: error }));
      else resolve();
    });
  });
}
