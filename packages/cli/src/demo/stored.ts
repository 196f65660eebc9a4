import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isWrapper } from '@symbolon/crypto';
import { Problem } from '../problem.ts';

/** Looks into the platform's own database, past its API: what is at rest is what it shows. */
export class StoredValues {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The answer to a request row as the platform keeps it. @throws Problem when it is not ciphertext */
  wrapper(connectionId: string, requestFieldId: string): string {
    using database = new DatabaseSync(join(this.#folder, DATABASE), { readOnly: true, timeout: 5000 });
    const row = database
      .prepare('select value from slot_values where connection_id = ? and request_field_id = ?')
      .get(connectionId, requestFieldId);
    const value = row?.value;
    if (typeof value === 'string' && isWrapper(JSON.parse(value))) return value;
    throw new Problem('The platform stores something else than a sealed value.');
  }

  /** Searches database and journal byte for byte, and gives their size and the texts found in them. */
  search(texts: readonly string[]): { bytes: number; found: string[] } {
    const files = [DATABASE, `${DATABASE}-wal`].map((name) => join(this.#folder, name)).filter(existsSync);
    const contents = files.map((file) => readFileSync(file));
    return {
      bytes: contents.reduce((sum, content) => sum + content.length, 0),
      found: texts.filter((text) => contents.some((content) => content.includes(text))),
    };
  }
}

const DATABASE = 'symbolon.db';
