/** What is known of a value before the function is used: its kind, and its number where that is written. */
interface Value {
  readonly kind: 'whole' | 'real' | 'bool';
  readonly number?: number;
}

type Part = string | readonly Part[];

/** Values that wait at once, and parts in parts: some readers keep no more. */
const [MOST_VALUES, DEEPEST] = [100, 24];
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const [WHOLE, REAL, BOOL]: readonly Value[] = [{ kind: 'whole' }, { kind: 'real' }, { kind: 'bool' }];

/** What operators take and leave, by a letter each; not `bitshift`, by which readers get different numbers: n is a number, i a whole one, b true or false, and k a number that is whole if all taken are. */
const OPERATORS: ReadonlyMap<string, readonly [takes: string, leaves: string]> = new Map([
  ...each('abs neg ceiling floor round truncate', 'n', 'k'),
  ...each('add sub mul', 'nn', 'k'),
  ...each('atan exp div', 'nn', 'n'),
  ...each('cos ln log sin sqrt cvr', 'n', 'n'),
  ...each('cvi', 'n', 'i'),
  ...each('idiv mod', 'ii', 'i'),
  ...each('ge gt le lt', 'nn', 'b'),
  ...each('true false', '', 'b'),
]);
const DIVIDES = new Set(['div', 'idiv', 'mod']);

function each(names: string, takes: string, leaves: string): [string, [string, string]][] {
  return names.split(' ').map((name) => [name, [takes, leaves]]);
}

/**
 * Whether a calculation (ISO 32000-2, 7.10.5) has what it takes at each step, and leaves as many numbers as are asked for: readers go on with other
 * values otherwise. How many values it moves must be written, so that this does not depend on what comes in.
 */
export function isCalculation(text: string, inputs: number, outputs: number): boolean {
  const words = text.replaceAll(/%[^\n\r]*/g, ' ').match(/[{}]|[^{}\0\t\n\f\r ]+/g) ?? [];
  const parts = partsOf(words);
  const left = parts && run(parts, Array<Value>(inputs).fill(REAL as Value));
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
    return value.number === its.number && value.kind === its.kind
      ? value
      : { kind: value.kind === its.kind ? value.kind : 'real' };
  });
  return all?.every((value) => value !== undefined) ? all : undefined;
}

function step(word: string, values: readonly Value[]): Value[] | undefined {
  const last = values.at(-1);
  if (NUMBER.test(word))
    return [...values, { kind: word.includes('.') ? 'real' : 'whole', number: Number(word) }];
  if (['copy', 'index', 'roll'].includes(word)) return moved(word, values);
  if (word === 'pop' || word === 'dup' || word === 'exch') {
    if (values.length < (word === 'exch' ? 2 : 1)) return undefined;
    if (word === 'exch') return [...values.slice(0, -2), ...values.slice(-2).reverse()];
    return word === 'pop' ? values.slice(0, -1) : [...values, ...values.slice(-1)];
  }
  if (DIVIDES.has(word) && last?.number === 0) return undefined;
  const [takes, leaves] = OPERATORS.get(word) ?? logic(word, last) ?? [];
  if (takes === undefined || values.length < takes.length) return undefined;
  const taken = takes === '' ? [] : values.slice(-takes.length);
  if (!taken.every(({ kind }, index) => isOf(kind, takes[index] ?? ''))) return undefined;
  const isWhole = leaves === 'i' || (leaves === 'k' && taken.every(({ kind }) => kind === 'whole'));
  const result = leaves === 'b' ? BOOL : isWhole ? WHOLE : REAL;
  return [...values.slice(0, values.length - takes.length), ...(result ? [result] : [])];
}

/** Operators that take numbers or truth. */
function logic(word: string, last: Value | undefined): readonly [string, string] | undefined {
  const kind = last?.kind === 'bool' ? 'b' : 'i';
  // Of a number, PDFium takes whether it is one.
  if (word === 'not') return kind === 'b' ? ['b', 'b'] : undefined;
  if (['and', 'or', 'xor'].includes(word)) return [kind + kind, kind];
  if (word === 'eq' || word === 'ne') return kind === 'b' ? ['bb', 'b'] : ['nn', 'b'];
  return undefined;
}

const isOf = (kind: Value['kind'], letter: string) =>
  letter === 'b' ? kind === 'bool' : letter === 'i' ? kind === 'whole' : kind !== 'bool';

/** By how many, which must be written. */
function moved(word: string, values: readonly Value[]): Value[] | undefined {
  const numbers = values
    .slice(word === 'roll' ? -2 : -1)
    .map(({ kind, number }) => (kind === 'whole' ? number : undefined));
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
