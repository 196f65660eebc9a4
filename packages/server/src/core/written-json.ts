import { randomUUID } from 'node:crypto';

/** Stands for a written text while an answer is written around it; it is known in this process alone. */
const PLACE = randomUUID();
/** The texts that stand in the answer that is being written. */
let texts: string[] | undefined;

/** JSON that is stored as text, in the place of its value in an answer: a large one is not read to be written again. */
export class WrittenJson {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @returns what may stand in an answer in the place of the value, and nowhere else: it has none of its members */
  static of<Value>(text: string): Value {
    return new WrittenJson(text) as Value;
  }

  /** Called by JSON.stringify. For all others it is the value. */
  toJSON(): unknown {
    if (texts === undefined) return JSON.parse(this.#text);
    texts.push(this.#text);
    return PLACE;
  }
}

/** Writes an answer as JSON, with the written parts as they are. */
export function writeJson(payload: unknown): string {
  const written: string[] = [];
  texts = written;
  try {
    const text = JSON.stringify(payload) ?? 'null';
    if (written.length === 0) return text;
    const parts = text.split(`"${PLACE}"`);
    return parts.map((part, at) => part + (written[at] ?? '')).join('');
  } finally {
    texts = undefined;
  }
}
