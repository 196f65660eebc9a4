import { randomUUID } from 'node:crypto';
import { joined, LONG, type LongText } from './long-text.ts';

/** Stands for a written text while an answer is written around it; it is known in this process alone. */
const PLACE: string = randomUUID();
const PLACE_AS_JSON = JSON.stringify(PLACE);
/** The texts that stand in the answer that is being written. */
let texts: string[] | undefined;

/** JSON that is stored as text, in the place of its value in an answer: a large one is not read to be written again. */
export class WrittenJson {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @returns what may stand in an answer in the place of the value, and nowhere else: it lacks its members */
  static of<Value>(text: string): Value {
    return new WrittenJson(text) as Value;
  }

  /** Called by JSON.stringify. For all others it is the value. */
  toJSON(): unknown {
    if (texts === undefined || this.#text === 'null') return JSON.parse(this.#text);
    texts.push(this.#text);
    return PLACE;
  }
}

/** An answer without what is written in it. */
interface Apart {
  /** Its JSON, with a text in each place of a written part. */
  readonly text: string;
  /** The JSON of these parts, in their order. */
  readonly written: readonly string[];
}

/** Takes an answer apart, to write it in another form (`putTogether`). */
export function takeApart(payload: unknown): Apart {
  const written: string[] = [];
  texts = written;
  try {
    return { text: JSON.stringify(payload) ?? 'null', written };
  } finally {
    texts = undefined;
  }
}

/**
 * The pieces that together are what an answer that was taken apart has become.
 * @param text it, with its places @param parts what takes them
 */
export const piecesOf = <Part>(
  text: string,
  parts: readonly Part[],
  place = PLACE,
): readonly (string | Part)[] =>
  parts.length === 0
    ? [text]
    : text.split(place).flatMap((piece, at) => (at < parts.length ? [piece, parts[at] as Part] : [piece]));

const pieces = ({ text, written }: Apart) => piecesOf(text, written, PLACE_AS_JSON);

/** Writes an answer as JSON, with the written parts as they are. */
export const writeJson = (payload: unknown): string => pieces(takeApart(payload)).join('');

/** The same; a long one is not put together. Most answers are one short text. */
export function answerJson(payload: unknown): string | LongText {
  const apart = takeApart(payload);
  const isShort = apart.written.length === 0 && apart.text.length < LONG;
  return isShort ? apart.text : joined(pieces(apart));
}
