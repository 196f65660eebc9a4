import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { folded } from './folded.ts';

export interface Place {
  /** Of GeoNames: it stays the same when the data is renewed. */
  readonly id: string;
  readonly name: string;
  readonly region: string;
  /** ISO 3166-1 alpha-2. */
  readonly country_code: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A place, and the name by which it was found. */
export interface FoundPlace extends Place {
  readonly foundBy: string;
}

interface Name {
  readonly key: string;
  /** As it is written. */
  readonly text: string;
  /** Of the place's line. Lines of larger places come first. */
  readonly line: number;
  /** Whether the place is shown under it. */
  readonly isOwn: boolean;
}

const WORDS_MOST = 12;
/** Of the places with a name, so many are compared with the words that follow it. */
const COMPARED_MOST = 1000;
/** Others wait no longer than the reading of so many lines takes. */
const LINES_AT_ONCE = 2000;

const unpacked = promisify(brotliDecompress);
const countries = new Intl.DisplayNames(['en'], { type: 'region' });

/** Places by the beginnings of their names. */
export class PlaceIndex {
  readonly #lines: readonly string[];
  /** In the order of their keys. */
  readonly #names: readonly Name[];
  readonly #lineOfId: ReadonlyMap<string, number>;

  private constructor(lines: readonly string[], names: readonly Name[]) {
    this.#lines = lines;
    this.#names = names;
    this.#lineOfId = new Map(lines.map((line, index) => [line.slice(0, line.indexOf('\t')), index]));
  }

  static async load(): Promise<PlaceIndex> {
    const file = await readFile(new URL('./places.tsv.br', import.meta.url));
    const lines = (await unpacked(file)).toString().split('\n');
    const names: Name[] = [];
    for (const [line, text] of lines.entries()) {
      const [, name = '', others = ''] = text.split('\t', 3);
      names.push({ key: folded(name), text: name, line, isOwn: true });
      for (const other of others === '' ? [] : others.split('|'))
        names.push({ key: folded(other), text: other, line, isOwn: false });
      if (line % LINES_AT_ONCE === 0) await turn();
    }
    names.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.line - b.line));
    return new PlaceIndex(lines, names);
  }

  byId(id: string): Place | undefined {
    const line = this.#lineOfId.get(id);
    return line === undefined ? undefined : this.#place(line);
  }

  /**
   * Places whose name is, or begins with, what was typed: exact names first, then larger places first. Words after a comma, or at the
   * end where no name has them, are beginnings of words of the region or country: `springfield, ill`, `paris fr`.
   */
  search(query: string, most: number): FoundPlace[] {
    const [typed = [], ...more] = query.split(',').map((part) => folded(part).split(' ').filter(Boolean));
    const words = typed.slice(0, WORDS_MOST);
    for (let length = words.length; length > 0; length--) {
      const rest = [...words.slice(length), ...more.flat()];
      const found = this.#withName(words.slice(0, length).join(' '), rest.slice(0, WORDS_MOST), most);
      if (found.length > 0) return found;
    }
    return [];
  }

  #withName(key: string, rest: readonly string[], most: number): FoundPlace[] {
    const names = new Map<number, Name>();
    for (let at = this.#firstAt(key); this.#names[at]?.key.startsWith(key); at++) {
      const name = this.#names[at];
      if (name === undefined) break;
      // Of the names of one place an exact one counts, which is the first, then its own.
      const before = names.get(name.line);
      if (before === undefined || (name.isOwn && before.key !== key)) names.set(name.line, name);
    }
    const isOther = (name: Name) => Number(name.key !== key);
    const found: FoundPlace[] = [];
    const sorted = [...names.values()].sort((a, b) => isOther(a) - isOther(b) || a.line - b.line);
    for (const name of sorted.slice(0, COMPARED_MOST)) {
      const place = this.#place(name.line);
      if (!isThere(place, rest)) continue;
      found.push({ ...place, foundBy: name.text });
      if (found.length === most) break;
    }
    return found;
  }

  /** The first name that does not come before a key. */
  #firstAt(key: string): number {
    let [low, high] = [0, this.#names.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#names[middle]?.key ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #place(line: number): Place {
    const columns = (this.#lines[line] ?? '').split('\t');
    const [id = '', name = '', , country_code = '', region = '', latitude, longitude] = columns;
    return {
      id,
      name,
      region,
      country_code,
      country: countries.of(country_code) ?? country_code,
      latitude: Number(latitude),
      longitude: Number(longitude),
    };
  }
}

function isThere({ region, country, country_code }: Place, rest: readonly string[]): boolean {
  if (rest.length === 0) return true;
  const words = folded(`${region} ${country} ${country_code}`).split(' ');
  return rest.every((part) => words.some((word) => word.startsWith(part)));
}
