import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Made when it is needed. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** The path of something in it. */
  file(name: string): string;
}

/**
 * A folder of one's own. It goes when it is disposed of, or with a test or a suite.
 * @param owner a test's context, or `{ after }` of `node:test` for all tests of a file or a suite
 */
export function temporaryFolder(owner?: { after(work: () => void): void }): TemporaryFolder {
  let made: string | undefined;
  const remove = () => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
  };
  owner?.after(remove);
  return {
    get path() {
      made ??= mkdtempSync(join(tmpdir(), 'symbolon-'));
      return made;
    },
    file(name) {
      return join(this.path, name);
    },
    [Symbol.dispose]: remove,
  };
}
