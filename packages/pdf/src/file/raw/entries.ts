import { latin1Of } from '../../latin1.ts';
import { keyIn, nameIn, Unclear } from './tokens.ts';

/** A dictionary or list that is being read. */
interface Open {
  /** The values of the entries, by their names; undefined for a list. */
  readonly values: Map<string, Value> | undefined;
  /** The entry whose value is being read. */
  key: string | undefined;
  /** Where that value begins; undefined before it does. */
  start: number | undefined;
  /** How many parts it has: three, where it is a reference. */
  parts: number;
  /** How many whole numbers stand right before this place, and whether the last of them can be a generation. */
  wholes: number;
  isGeneration: boolean;
  /** Where the last of them begins, and the one before it. */
  lastWhole: number;
  wholeBefore: number;
  /** Whether the part that was read last ends a reference. */
  isReference: boolean;
  /** Whether it is the list of a table of colours, whose number must be whole. */
  isTable?: boolean;
}

type Span = readonly [start: number, end: number];

interface Value {
  readonly span: Span;
  readonly isReference: boolean;
}

const [REGULAR, SPACE, DELIMITER] = [0, 1, 2];
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if ('\0\t\n\f\r '.includes(character)) return SPACE;
  return '()<>[]{}/%'.includes(character) ? DELIMITER : REGULAR;
});
/** What comes behind the dictionary or the value of an object. */
const ENDS = new Set(['endobj', 'stream']);
const LONGEST_END = 6;
const DEEPEST = 512;
/** Entries that are whole numbers wherever they stand: one with a point is none to some readers. */
const WHOLE = new Set(
  'BitsPerComponent BitsPerCoordinate BitsPerFlag BitsPerSample Colors Columns Count DW EarlyChange F Ff FirstChar Flags FunctionType Height K LC LJ LastChar Length OPM PaintType PatternType Predictor Rotate Rows ShadingType TilingType VerticesPerRow Width'.split(
    ' ',
  ),
);
/** Lists in which all numbers are whole. */
const WHOLE_LISTS = new Set(['Differences', 'Index', 'Mask', 'Size']);
/** Lists that tell characters, each behind its number, in a list or as one for all from one to another. */
const OF_CHARACTERS = new Set<string>(['W', 'W2'] satisfies Whole[]);
const TABLES = new Set(['Indexed', 'I']);
const WORDS = new Set(['true', 'false', 'null']);
const [NUMBER_DIGITS, GENERATION_DIGITS] = [10, 5];
const REAL = /^[+-]?(?:\d+\.\d*|\.\d+)$/;
/** Of a value that stands twice: there is no reason for a longer one, and each is read again. */
const LONGEST_TWICE = 1000;

/**
 * Some readers take the first of two entries of one name, others the last. So a dictionary may have a name once, or again with the same
 * value.
 * @param from where an object begins: its dictionaries are read, and those in them
 * @param to where it ends at the latest
 * @returns where the reading ended
 * @throws {Unclear}
 */
export function checkEntries(
  bytes: Uint8Array,
  from: number,
  to = bytes.length,
  { mayRepeat = false, wholes }: Reading = {},
): number {
  const open: Open[] = [];
  const outside = opened(undefined);
  let objects = 0;
  for (let at = from; at < to; ) {
    const now = open.at(-1);
    const end = tokenEnd(bytes, at);
    const token = bytes[at];
    if (token === undefined || CLASSES[token] === SPACE || token === PERCENT) {
      // It is no value.
    } else if (token === LIST || (token === LESS && bytes[at + 1] === LESS)) {
      begin(now, at);
      if (now) now.wholes = 0;
      open.push(opened(token === LIST ? undefined : new Map()));
    } else if (token === MORE || token === END_LIST) {
      if (now === undefined || (token === END_LIST) !== (now.values === undefined))
        throw new Unclear('A list or a dictionary ends that did not begin');
      finish(bytes, now, at, { mayRepeat, wholes });
      checkCount(bytes, now, wholes);
      open.pop();
      if (open.length === 0) return end;
    } else if (token === SLASH && now?.values && (now.key === undefined || now.start !== undefined)) {
      finish(bytes, now, at, { mayRepeat, wholes });
      now.key = keyIn(latin1Of(bytes, at + 1, end));
    } else if (open.length === 0 && isMark(latin1Of(bytes, at, Math.min(end, at + LONGEST_END + 1)))) {
      const word = latin1Of(bytes, at, end);
      // Behind one object that has no end another one may begin.
      if (word !== 'obj' || ++objects > 1) return end;
      outside.wholes = 0;
    } else {
      // What an encryption permits is written as a number without a sign by some.
      checkNumber(bytes, [at, end], now?.key === 'P' ? 2 ** 32 : LARGEST);
      const name = token === SLASH ? nameIn(latin1Of(bytes, at + 1, end)) : undefined;
      if (name !== undefined && now && now.start === undefined) now.isTable = TABLES.has(name);
      else if (now?.isTable && REAL.test(latin1Of(bytes, at, end)))
        throw new Unclear('A table of colours ends at no whole number');
      begin(now, at);
      checkWord(bytes, [at, end], now ?? outside, wholes);
      if (outside.isReference) throw new Unclear('An object is a reference to another one');
    }
    if (open.length > DEEPEST) throw new Unclear('Values nest too deep');
    at = end;
  }
  if (open.length > 0) throw new Unclear('A list or a dictionary does not end');
  return to;
}

/** How a dictionary is read. */
interface Reading {
  /** Whether texts may stand twice, as in a dictionary that no page shows. */
  readonly mayRepeat?: boolean;
  /** Gets the numbers of objects that are to be checked with `checkWhole`. */
  readonly wholes?: Wholes | undefined;
}

/** What must be whole of an object that another one names: a number, a list of them, or the numbers of characters in a list of widths. */
export type Whole = 'number' | 'list' | 'W' | 'W2';

/** Numbers of objects, by what must be whole of them. */
export type Wholes = Readonly<Record<Whole, Set<number>>>;

const opened = (values: Open['values']): Open => ({
  ...{ values, key: undefined, start: undefined, parts: 0 },
  ...{ wholes: 0, isGeneration: false, lastWhole: 0, wholeBefore: 0, isReference: false },
});

const isMark = (word: string) => word === 'obj' || ENDS.has(word);

/** A word is a number, one of three others, or the end of a reference: what else stands there, each reader takes in its way. */
function checkWord(bytes: Uint8Array, [at, end]: Span, now: Open, wholes: Wholes | undefined): void {
  const before = now.wholes;
  now.wholes = 0;
  if (CLASSES[bytes[at] ?? 0] !== REGULAR) return;
  if (STARTS_NUMBER[bytes[at] ?? 0]) {
    if (!isWhole(bytes, at, end)) return;
    now.wholes = before + 1;
    now.isGeneration = end - at <= GENERATION_DIGITS;
    now.wholeBefore = now.lastWhole;
    now.lastWhole = at;
    return;
  }
  const word = latin1Of(bytes, at, end);
  if (WORDS.has(word)) return;
  now.isReference = word === 'R' && before >= 2 && now.isGeneration;
  if (!now.isReference) throw new Unclear('A value is no word that is known');
  if (now.isTable) wholes?.number.add(numberIn(latin1Of(bytes, now.wholeBefore, end)));
}

/** Of the object that a reference leads to. */
const numberIn = (reference: string) => Number.parseInt(reference, 10);

function isWhole(bytes: Uint8Array, at: number, end: number): boolean {
  for (let index = at; index < end; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < ZERO || byte > NINE) return false;
  }
  return end - at <= NUMBER_DIGITS;
}

/** @throws {Unclear} for a value that no name stands before */
function begin(now: Open | undefined, at: number): void {
  if (now === undefined) return;
  now.isReference = false;
  if (now.values && now.key === undefined) throw new Unclear('A dictionary has a value without a name');
  now.start ??= at;
  now.parts++;
}

/** What begins like a number must be one, of a size that every reader knows. @throws {Unclear} */
function checkNumber(bytes: Uint8Array, [at, end]: Span, most: number): void {
  if (!STARTS_NUMBER[bytes[at] ?? 0]) return;
  let [digits, points] = [0, 0];
  for (let index = at; index < end; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === POINT) points++;
    else if (byte >= ZERO && byte <= NINE) digits++;
    else if (index > at) points = 2;
  }
  const isLarge = digits >= LARGE_DIGITS && Math.abs(Number(latin1Of(bytes, at, end))) > most;
  if (digits === 0 || points > 1 || isLarge) throw new Unclear('A number is malformed, or too large');
}

/** Ends the value that is being read. @throws {Unclear} */
function finish(bytes: Uint8Array, now: Open, end: number, { mayRepeat = false, wholes }: Reading): void {
  const { values, key, start, parts, isReference } = now;
  now.key = undefined;
  now.start = undefined;
  now.parts = 0;
  now.wholes = 0;
  if (values === undefined || key === undefined) return;
  if (start === undefined || (parts !== 1 && !(parts === 3 && isReference)))
    throw new Unclear(`/${key.slice(0, 40)} of a dictionary has no value, or several`);
  const value: Value = { span: [start, end], isReference };
  const whole = wholeOf(key);
  if (whole !== undefined) checkValue(bytes, value, { key, whole, wholes });
  const before = values.get(key);
  if (before === undefined) values.set(key, value);
  else if (!isSame(bytes, before.span, value.span, mayRepeat))
    throw new Unclear(`/${key.slice(0, 40)} stands twice in a dictionary`);
}

function wholeOf(key: string): Whole | undefined {
  if (WHOLE.has(key)) return 'number';
  if (WHOLE_LISTS.has(key)) return 'list';
  return OF_CHARACTERS.has(key) ? (key as Whole) : undefined;
}

/** Of a profile it counts the colours; of a function `N` is a power, which may have a point. @throws {Unclear} */
function checkCount(bytes: Uint8Array, { values }: Open, wholes: Wholes | undefined): void {
  const count = values?.get('N');
  if (count !== undefined && !values?.has('FunctionType'))
    checkValue(bytes, count, { key: 'N', whole: 'number', wholes });
}

interface Asked {
  /** Of the entry, or the number of the object. */
  readonly key: string;
  readonly whole: Whole;
  /** Gets the objects that this one names. */
  readonly wholes: Wholes | undefined;
}

/** Of an entry, or later where it names an object. @throws {Unclear} */
function checkValue(bytes: Uint8Array, { span, isReference }: Value, asked: Asked): void {
  const text = latin1Of(bytes, ...span);
  if (isReference) asked.wholes?.[asked.whole].add(numberIn(text));
  else checkWhole(text, asked);
}

/**
 * Some readers take a number with a point for none where it must be whole.
 * @param written the value as it stands in the file; what is no number and no list is passed over
 * @throws {Unclear}
 */
export function checkWhole(written: string, { key, whole, wholes }: Asked): void {
  // What looks like a comment is none in a text.
  for (const text of [written, written.replaceAll(/%[^\r\n]*/g, ' ')].map(blanked)) {
    const [first = ''] = text.split(' ', 1);
    const isReal = whole === 'number' ? REAL.test(first) : hasReals(text, whole);
    if (isReal) throw new Unclear(`/${key} is no whole number`);
    const named = whole !== 'number' && text.startsWith('[') ? text.matchAll(REFERENCE) : [];
    for (const [reference] of named) wholes?.number.add(numberIn(reference));
  }
}

/** Bounded, so that a long number is not gone through again from each of its digits. */
const REFERENCE = /\d{1,10} \d{1,5} R(?!\w)/g;

function hasReals(text: string, whole: Exclude<Whole, 'number'>): boolean {
  if (!text.startsWith('[')) return false;
  if (whole === 'list') return /(?:^|[[ \]>)])[+-]?(?:\d+\.\d*|\.\d+)(?![\w.])/.test(text);
  const items = text.slice(1).match(/\[[^\]]*\]|\d+ \d+ R(?!\w)|[^\s[\]]+/g) ?? [];
  for (let at = 0; at < items.length; ) {
    const [first = '', second = ''] = items.slice(at, at + 2);
    const isEach = /^\[|R$/.test(second);
    if (REAL.test(first) || (!isEach && REAL.test(second))) return true;
    at += isEach ? 2 : 2 + PARTS[whole];
  }
  return false;
}

/** Numbers behind those of two characters: a width, or a width and an origin. */
const PARTS = { W: 1, W2: 3 };

function isSame(bytes: Uint8Array, one: Span, other: Span, mayRepeat: boolean): boolean {
  if ([one, other].some(([start, end]) => end - start > LONGEST_TWICE)) return false;
  const [text, again] = [textOf(bytes, one), textOf(bytes, other)];
  if (mayRepeat && [text, again].every((each) => /^(?:\(|<(?!<))/.test(each))) return true;
  // A comment ends with its line, and blanks in a text are part of it.
  return text === again && !/[%(]/.test(text);
}

const textOf = (bytes: Uint8Array, span: Span) => blanked(latin1Of(bytes, ...span));

/** With single blanks. */
const blanked = (text: string) => text.replaceAll(/[\0\t\n\f\r ]+/g, ' ').trim();

const [ZERO, NINE, POINT, LARGE_DIGITS, LARGEST] = [0x30, 0x39, 0x2e, 10, 2 ** 31 - 1];
const STARTS_NUMBER = Array.from({ length: 256 }, (_, byte) =>
  '+-.0123456789'.includes(String.fromCharCode(byte)),
);

/** Others are left out by some readers, and are a zero to others. */
const IN_HEX = Array.from({ length: 256 }, (_, byte) =>
  '0123456789ABCDEFabcdef\0\t\n\f\r '.includes(String.fromCharCode(byte)),
);

const [LESS, MORE, LIST, END_LIST] = [0x3c, 0x3e, 0x5b, 0x5d];
const [OPENS, CLOSES, BACKSLASH, SLASH, PERCENT] = [0x28, 0x29, 0x5c, 0x2f, 0x25];

/** Where what begins here ends: white space, a comment, a string, a name, a mark or a word. */
function tokenEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === LESS || first === MORE) {
    if (bytes[at + 1] === first) return at + 2;
    const end = first === LESS ? bytes.indexOf(MORE, at) : -1;
    if (end === -1) throw new Unclear('A string does not end');
    for (let index = at + 1; first === LESS && index < end; index++)
      if (!IN_HEX[bytes[index] ?? 0]) throw new Unclear('A string has a digit that is none');
    return end + 1;
  }
  if (first === OPENS) return stringEnd(bytes, at);
  let end = at + 1;
  if (first === PERCENT) while (end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end++;
  else if (first === SLASH || CLASSES[first ?? 0] !== DELIMITER) {
    const kind = first === SLASH ? REGULAR : CLASSES[first ?? 0];
    while (end < bytes.length && CLASSES[bytes[end] ?? 0] === kind) end++;
  }
  return end;
}

/** Brackets in a string are balanced, or stand behind a backslash. */
function stringEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === OPENS) depth++;
    else if (byte === CLOSES && --depth === 0) return at + 1;
  }
  throw new Unclear('A string does not end');
}
