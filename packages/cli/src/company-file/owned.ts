import { existsSync, readFileSync } from 'node:fs';
import { textOfFile } from '@symbolon/crypto/node';
import { replacePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';

/** What a file of a company has made or taken over, so that nothing else is deleted when it goes from the file. */
export class Owned {
  readonly #path: string;
  readonly #company: string;
  readonly #keys: Set<string>;

  private constructor(path: string, company: string, keys: readonly string[]) {
    this.#path = path;
    this.#company = company;
    this.#keys = new Set(keys);
  }

  /** @throws Problem when the record is of another company, or is no record */
  static read(path: string, company: string): Owned {
    if (!existsSync(path)) return new Owned(path, company, []);
    const record = parse(textOfFile(readFileSync(path)));
    if (record === undefined) {
      throw new Problem(`${path} is no record of what a file owns. Name another with --owned.`, {
        exitCode: 2,
      });
    }
    if (record.company !== company) {
      throw new Problem(`${path} is of the company ${record.company}, and this is ${company}.`, {
        exitCode: 2,
      });
    }
    return new Owned(path, company, record.owned);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** All that begin so. */
  below(start: string): string[] {
    return [...this.#keys].filter((key) => key.startsWith(start));
  }

  /** Kept after every act, so that one that is interrupted owns what it has done. */
  change({ add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] }): void {
    const before = this.#keys.size;
    const isNew = add.some((key) => !this.#keys.has(key));
    for (const key of add) this.#keys.add(key);
    for (const key of remove) this.#keys.delete(key);
    if (!isNew && before === this.#keys.size) return;
    const record = { version: 1, company: this.#company, owned: [...this.#keys].sort() };
    replacePrivate(this.#path, `${JSON.stringify(record, null, 2)}\n`);
  }
}

export const keyOf = {
  service: (id: string) => `service:${id}`,
  field: (service: string, slug: string) => `field:${service}:${slug}`,
  shareField: (service: string, slug: string) => `share-field:${service}:${slug}`,
  webhook: (service: string, id: string) => `webhook:${service}:${id}`,
  app: (clientId: string) => `app:${clientId}`,
} as const;

function parse(text: string): { company: string; owned: string[] } | undefined {
  try {
    const { version, company, owned } = JSON.parse(text);
    const isRecord = version === 1 && typeof company === 'string' && Array.isArray(owned);
    return isRecord && owned.every((key) => typeof key === 'string') ? { company, owned } : undefined;
  } catch {
    return undefined;
  }
}
