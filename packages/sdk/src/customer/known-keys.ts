import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { KeyList } from '../customer-side/service-keys.ts';
import { ConfigurationError } from '../http/errors.ts';

/**
 * The keys of services that this company has confirmed, in a file of its own that only its owner reads; without a file for
 * as long as the process lives.
 */
export class KnownKeys implements KeyList {
  readonly #file: string | undefined;
  #keys: Promise<Readonly<Record<string, string>>> | undefined;
  #storing: Promise<unknown> = Promise.resolve();

  constructor(file: string | undefined) {
    this.#file = file;
  }

  all(): Promise<Readonly<Record<string, string>>> {
    this.#keys ??= this.#read();
    return this.#keys;
  }

  /** Another process may have changed the file. */
  refresh(): Promise<Readonly<Record<string, string>>> {
    if (this.#file !== undefined) this.#keys = undefined;
    return this.all();
  }

  remember(keys: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    return this.#store((known) => ({ ...keys, ...known }));
  }

  async confirm(keys: Readonly<Record<string, string>>): Promise<void> {
    await this.#store((known) => ({ ...known, ...keys }));
  }

  #store(change: (known: Readonly<Record<string, string>>) => Readonly<Record<string, string>>) {
    const stored = this.#storing.then(async () => {
      const before = await this.refresh();
      const after = change(before);
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      if (this.#file !== undefined) {
        // A reader never sees half a file.
        const part = `${this.#file}.${randomUUID()}`;
        await writeFile(part, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
        await rename(part, this.#file);
      }
      this.#keys = Promise.resolve(after);
      return after;
    });
    this.#storing = stored.catch(() => undefined);
    return stored;
  }

  async #read(): Promise<Readonly<Record<string, string>>> {
    if (this.#file === undefined) return {};
    try {
      const keys: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      const isList = typeof keys === 'object' && keys !== null && !Array.isArray(keys);
      if (isList && Object.values(keys).every((key) => typeof key === 'string')) return { ...keys };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      if (!(error instanceof SyntaxError)) throw error;
    }
    const message = `${this.#file} is not a file of known keys. Restore it, or delete it and compare the keys again.`;
    throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
  }
}
