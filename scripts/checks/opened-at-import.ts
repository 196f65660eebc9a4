/**
 * Imports the test files that are named, without running a test, and fails when one of them opens something:
 * servers, processes, timers and temporary files are opened in a test or before it, and closed after. Otherwise a run that
 * skips the test never ends.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** In place of `node:test`: suites are read, and nothing runs. */
const NOTHING_RUNS = `
  export const suites = [];
  const ignored = () => {};
  const isSkipped = (part) => Boolean(part?.skip);
  export const describe = (...parts) => {
    if (parts.some(isSkipped)) return;
    suites.push(parts.find((part) => typeof part === 'function')?.());
  };
  describe.skip = ignored;
  export const test = Object.assign(() => {}, { skip: ignored, todo: ignored });
  export { describe as suite, test as it, test as default };
  export const [before, after, beforeEach, afterEach] = Array(4).fill(ignored);
  export const getTestContext = ignored;
  export const mock = {};
`;
const STAND_IN = `data:text/javascript,${encodeURIComponent(NOTHING_RUNS)}`;

/** @returns a line for each file that opens something */
async function openedAtImport(files: readonly string[]): Promise<string[]> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'node:test' ? { url: STAND_IN, shortCircuit: true } : next(name, context),
  });
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-imports-'));
  process.env.TMPDIR = folder;
  const { suites } = (await import(STAND_IN)) as { suites: unknown[] };
  const lines: string[] = [];
  // Pipes, which are opened by the first look at them: an import of `node:process` looks at all.
  void [process.stdin, process.stdout, process.stderr];
  let known = [...process.getActiveResourcesInfo(), ...readdirSync(folder)];
  for (const file of files) {
    await import(pathToFileURL(resolve(file)).href);
    await Promise.all(suites.splice(0));
    await setImmediate();
    const open = [...process.getActiveResourcesInfo(), ...readdirSync(folder)];
    const more = without(open, known);
    if (more.length > 0) lines.push(`${file} opens something as it is imported: ${more.join(', ')}`);
    known = open;
  }
  rmSync(folder, { recursive: true, force: true });
  hooks.deregister();
  return lines;
}

function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

if (import.meta.main) {
  const lines = await openedAtImport(process.argv.slice(2));
  for (const line of lines) console.error(line);
  process.exit(lines.length === 0 ? 0 : 1);
}
