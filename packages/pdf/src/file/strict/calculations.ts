/** What is known of a value before the function is used: its kind, and between which numbers it is. */
interface Value {
  readonly kind: 'whole' | 'real' | 'bool';
  readonly low: number;
  readonly high: number;
  /** Whether it comes from a calculation with parts of whole numbers, which readers do as exactly as each can. */
  readonly isRounded?: boolean;
}

type Part = string | readonly Part[];

/** Values that wait at once, and parts in parts: some readers keep no more. */
const [MOST_VALUES, DEEPEST] = [100, 24];
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** Readers keep larger whole numbers with fewer digits than they have. */
const LARGEST = 2 ** 24;
const BOOL: Value = { kind: 'bool', low: 0, high: 0 };

type Bounds = readonly [low: number, high: number];
/** From the bounds of what is taken, one after the other, to those of what is left; undefined where readers leave different numbers. */
type Reach = (...bounds: number[]) => Bounds | undefined;

/** What operators take and leave, by a letter each; not `bitshift`, by which readers get different numbers: n is a number, i a whole one, b true or false, and k a number that is whole if all taken are. */
const OPERATORS: ReadonlyMap<string, readonly [takes: string, leaves: string, reach?: Reach]> = new Map([
  ...each('abs', 'n', 'k', (low, high) => [
    low > 0 ? low : high < 0 ? -high : 0,
    Math.max(Math.abs(low), Math.abs(high)),
  ]),
  ...each('neg', 'n', 'k', (low, high) => [-high, -low]),
  ...each('ceiling', 'n', 'k', (low, high) => [Math.ceil(low), Math.ceil(high)]),
  ...each('floor', 'n', 'k', (low, high) => [Math.floor(low), Math.floor(high)]),
  // Half a number below nothing goes up in some readers, and down in others.
  ...each('round', 'n', 'k', (low, high) => (low < 0 ? undefined : [Math.round(low), Math.round(high)])),
  ...each('truncate', 'n', 'k', (low, high) => [Math.trunc(low), Math.trunc(high)]),
  ...each('add', 'nn', 'k', (low, high, from, to) => [low + from, high + to]),
  ...each('sub', 'nn', 'k', (low, high, from, to) => [low - to, high - from]),
  ...each('mul', 'nn', 'k', (low, high, from, to) => around(low * from, low * to, high * from, high * to)),
  ...each('div', 'nn', 'n', (low, high, from, to) =>
    from > 0 || to < 0 ? around(low / from, low / to, high / from, high / to) : ANY,
  ),
  ...each('atan', 'nn', 'n', () => [0, 360]),
  // Some readers have no power of a number below nothing.
  ...each('exp', 'nn', 'n', (low) => (low < 0 ? undefined : [0, Number.POSITIVE_INFINITY])),
  ...each('cos sin', 'n', 'n', () => [-1, 1]),
  ...each('ln log', 'n', 'n', (low) => (low < 0 ? undefined : ANY)),
  ...each('sqrt', 'n', 'n', (low, high) => (low < 0 ? undefined : [Math.sqrt(low), Math.sqrt(high)])),
  ...each('cvr', 'n', 'n', (low, high) => [low, high]),
  ...each('cvi', 'n', 'i', (low, high) => [Math.trunc(low), Math.trunc(high)]),
  ...each('idiv mod', 'ii', 'i', (low, high, from, to) => {
    const most = Math.max(...[low, high, from, to].map(Math.abs));
    return [-most, most];
  }),
  ...each('ge gt le lt', 'nn', 'b'),
  ...each('true false', '', 'b'),
]);
const ANY: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
const DIVIDES = new Set(['div', 'idiv', 'mod']);
const EQUALS = new Set(['eq', 'ne']);

function each(
  names: string,
  takes: string,
  leaves: string,
  ...reach: [Reach?]
): [string, [string, string, Reach?]][] {
  return names.split(' ').map((name) => [name, [takes, leaves, ...reach]]);
}

/** Nothing times what has no end is nothing. */
function around(...ends: number[]): Bounds {
  const numbers = ends.map((end) => (Number.isNaN(end) ? 0 : end));
  return [Math.min(...numbers), Math.max(...numbers)];
}

/**
 * Whether a calculation (ISO 32000-2, 7.10.5) has what it takes at each step, and leaves as many numbers as are asked for: readers go on with other
 * values otherwise. How many values it moves must be written, so that this does not depend on what comes in.
 * @param domain the least and the most of each value that comes in
 */
export function isCalculation(text: string, domain: readonly number[], outputs: number): boolean {
  const words = text.replaceAll(/%[^\n\r]*/g, ' ').match(/[{}]|[^{}\0\t\n\f\r ]+/g) ?? [];
  const parts = partsOf(words);
  const inputs = Array.from({ length: domain.length / 2 }, (_, index): Value => {
    const [low = 0, high = 0] = domain.slice(index * 2);
    return { kind: 'real', low, high };
  });
  const left = parts && run(parts, inputs);
  return left?.length === outputs && left.every(({ kind }) => kind !== 'bool');
}

/** The words of the outermost part, with a list for each part in it. */
function partsOf(words: readonly string[]): readonly Part[] | undefined {
  const open: Part[][] = [[]];
  for (const [index, word] of words.entries()) {
    if (word === '{' && (index === 0 || open.length > 1) && open.length <= DEEPEST) open.push([]);
    else if (word === '}' && open.length > 1) {
      const part = open.pop() ?? [];
      open.at(-1)?.push(part);
    } else if (open.length > 1 && word !== '{' && word !== '}') open.at(-1)?.push(word);
    else return undefined;
  }
  const [all] = open[0] ?? [];
  return open.length === 1 && Array.isArray(all) ? all : undefined;
}

/** @returns what is left; undefined where a step lacks something */
function run(parts: readonly Part[], start: readonly Value[]): Value[] | undefined {
  let values: Value[] | undefined = [...start];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    if (typeof part === 'string') values = step(part, values);
    else {
      const [other, word] = [parts[at + 1], parts[at + 2]];
      const isPair = typeof other !== 'string' && word === 'ifelse';
      if (values.pop()?.kind !== 'bool' || !(isPair || other === 'if')) return undefined;
      values = merged(run(part, values), isPair && other ? run(other, values) : values);
      at += isPair ? 2 : 1;
    }
    if (values === undefined || values.length > MOST_VALUES) return undefined;
  }
  return values;
}

/** What both ways leave alike. */
function merged(one: Value[] | undefined, other: Value[] | undefined): Value[] | undefined {
  if (one?.length !== other?.length) return undefined;
  const all = one?.map((value, index): Value | undefined => {
    const its = other?.[index] ?? value;
    if ((value.kind === 'bool') !== (its.kind === 'bool')) return undefined;
    return {
      kind: value.kind === its.kind ? value.kind : 'real',
      low: Math.min(value.low, its.low),
      high: Math.max(value.high, its.high),
      isRounded: value.isRounded === true || its.isRounded === true,
    };
  });
  return all?.every((value) => value !== undefined) ? all : undefined;
}

function step(word: string, values: readonly Value[]): Value[] | undefined {
  const last = values.at(-1);
  if (NUMBER.test(word)) {
    const number = Number(word);
    const literal: Value = { kind: word.includes('.') ? 'real' : 'whole', low: number, high: number };
    return isWithin(literal) ? [...values, literal] : undefined;
  }
  if (['copy', 'index', 'roll'].includes(word)) return moved(word, values);
  if (word === 'pop' || word === 'dup' || word === 'exch') {
    if (values.length < (word === 'exch' ? 2 : 1)) return undefined;
    if (word === 'exch') return [...values.slice(0, -2), ...values.slice(-2).reverse()];
    return word === 'pop' ? values.slice(0, -1) : [...values, ...values.slice(-1)];
  }
  if (DIVIDES.has(word) && last?.low === 0 && last.high === 0) return undefined;
  const [takes, leaves = '', reach] = OPERATORS.get(word) ?? logic(word, last) ?? [];
  if (takes === undefined || values.length < takes.length) return undefined;
  const taken = takes === '' ? [] : values.slice(-takes.length);
  if (!taken.every(({ kind }, index) => isOf(kind, takes[index] ?? ''))) return undefined;
  if (EQUALS.has(word) && taken.some(({ isRounded }) => isRounded)) return undefined;
  const result = leaves === 'b' ? BOOL : resultOf(leaves, taken, reach);
  return result && isWithin(result) ? [...values.slice(0, values.length - takes.length), result] : undefined;
}

function resultOf(leaves: string, taken: readonly Value[], reach: Reach = () => ANY): Value | undefined {
  const isWhole = leaves === 'i' || (leaves === 'k' && taken.every(({ kind }) => kind === 'whole'));
  const bounds = reach(...taken.flatMap(({ low, high }) => [low, high]));
  if (bounds === undefined) return undefined;
  const [low, high] = bounds.map((end, index) => (Number.isNaN(end) ? (ANY[index] ?? 0) : end));
  return { kind: isWhole ? 'whole' : 'real', low: low ?? 0, high: high ?? 0, isRounded: !isWhole };
}

const isWithin = ({ kind, low, high }: Value) =>
  kind !== 'whole' || Math.max(Math.abs(low), Math.abs(high)) <= LARGEST;

/** Operators that take numbers or truth. */
function logic(word: string, last: Value | undefined): readonly [string, string, Reach?] | undefined {
  const kind = last?.kind === 'bool' ? 'b' : 'i';
  // Of a number, PDFium takes whether it is one.
  if (word === 'not') return kind === 'b' ? ['b', 'b'] : undefined;
  if (['and', 'or', 'xor'].includes(word)) return [kind + kind, kind, () => [-LARGEST, LARGEST]];
  if (word === 'eq' || word === 'ne') return kind === 'b' ? ['bb', 'b'] : ['nn', 'b'];
  return undefined;
}

const isOf = (kind: Value['kind'], letter: string) =>
  letter === 'b' ? kind === 'bool' : letter === 'i' ? kind === 'whole' : kind !== 'bool';

/** By how many, which must be written. */
function moved(word: string, values: readonly Value[]): Value[] | undefined {
  const numbers = values
    .slice(word === 'roll' ? -2 : -1)
    .map(({ kind, low, high }) => (kind === 'whole' && low === high ? low : undefined));
  const [count, by = 0] = numbers;
  const rest = values.slice(0, values.length - numbers.length);
  if (count === undefined || numbers.includes(undefined) || count < 0 || count > rest.length)
    return undefined;
  if (word === 'index') {
    const found = rest.at(-1 - count);
    return found && [...rest, found];
  }
  const top = count === 0 ? [] : rest.slice(-count);
  if (word === 'copy' || count === 0) return word === 'copy' ? [...rest, ...top] : rest;
  const from = ((-by % count) + count) % count || 0;
  return [...rest.slice(0, -count), ...top.slice(from), ...top.slice(0, from)];
}
