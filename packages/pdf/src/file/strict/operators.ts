import type { Operand } from './content-reader.ts';

/**
 * The operators of content streams with the operands that each takes (ISO 32000-2, annex A): N is a number, S a string, M a
 * name, A an array, D a dictionary. Readers do not agree on an operator that has others, nor on one that nobody knows.
 */
const OPERANDS: Readonly<Record<string, RegExp>> = {
  ...each('b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*', /^$/),
  ...each('g G i j J M Tc TL Tr Ts Tw Tz w', /^N$/),
  ...each('l m d0 TD', /^NN$/),
  Td: /^NN+$/, // LibreOffice writes three in text that shows nothing. Text behind more than two is refused.
  ...each('rg RG', /^NNN$/),
  ...each('k K re v y', /^NNNN$/),
  ...each('c cm d1 Tm', /^NNNNNN$/),
  ...each('BMC CS cs Do gs MP ri sh', /^M$/),
  ...each('BDC DP', /^M[MD]$/),
  ...each('sc SC', /^N+$/),
  ...each('scn SCN', /^(?:N+M?|M)$/),
  ...each("Tj '", /^S$/),
  d: /^AN$/,
  Tf: /^MN$/,
  TJ: /^A$/,
  '"': /^NNS$/,
};

function each(names: string, operands: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operands]));
}

export function isOperator(name: string): boolean {
  return Object.hasOwn(OPERANDS, name);
}

/** @param kinds of the operands in their order, a letter each */
export function takes(operator: string, kinds: string): boolean {
  return OPERANDS[operator]?.test(kinds) === true;
}

const oneOf =
  (...values: readonly number[]) =>
  ([operand]: readonly Operand[]) =>
    operand?.isReal !== true && values.includes(operand?.value ?? -1);

/** Operands that must have certain values. */
const VALUES: Readonly<Record<string, (operands: readonly Operand[]) => boolean>> = {
  ...{ J: oneOf(0, 1, 2), j: oneOf(0, 1, 2), Tr: oneOf(0, 1, 2, 3, 4, 5, 6, 7) },
  d: ([lengths, phase]) => isDash(lengths?.items?.map(({ value }) => value) ?? [], phase?.value),
  M: ([limit]) => isMitre(limit?.value ?? -1),
  w: ([width]) => (width?.value ?? -1) >= 0,
  TJ: ([shown]) => shown?.items?.every(({ kind }) => kind === 'N' || kind === 'S') === true,
};

export function hasValues(operator: string, operands: readonly Operand[]): boolean {
  return VALUES[operator]?.(operands) !== false;
}

/** Of a corner, in widths of its line: longer ones mupdf draws across the page, and poppler cuts. */
const LONGEST_MITRE = 100;
export const isMitre = (limit: number) => limit > 0 && limit <= LONGEST_MITRE;

/** Shorter dashes in sum are drawn as a full line by some readers, and not at all by others. */
const SHORTEST_DASHES = 0.001;
const MOST_DASHES = 64;

/** Whether readers agree on where a line has dashes. */
export function isDash(lengths: readonly (number | undefined)[], phase: number | undefined): boolean {
  const sum = lengths.reduce<number>((all, length) => all + (length ?? Number.NaN), 0);
  return (
    (lengths.length === 0 || sum >= SHORTEST_DASHES) &&
    lengths.length <= MOST_DASHES &&
    lengths.every((length) => length !== undefined && length >= 0) &&
    phase !== undefined &&
    phase >= 0
  );
}

export const STARTS_PATH: ReadonlySet<string> = new Set(['m', 're']);
export const CONTINUES_PATH: ReadonlySet<string> = new Set(['l', 'c', 'v', 'y', 'h']);
export const ENDS_PATH: ReadonlySet<string> = new Set('b B b* B* f F f* n s S'.split(' '));
export const SHOWS_TEXT: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"']);
/** Paints with a colour, by the side that it paints. */
export const FILLS: ReadonlySet<string> = new Set([...'f F f* B B* b b*'.split(' '), ...SHOWS_TEXT]);
export const STROKES: ReadonlySet<string> = new Set('S s B B* b b*'.split(' '));
/** A picture that is a mask is painted like a path that is filled. */
export const STENCIL = 'f';
/** Operators that paint. They are most of what a page says. */
export const PAINTS: ReadonlySet<string> = new Set([...FILLS, ...STROKES]);
/** Not allowed between BT and ET (ISO 32000-2, 8.2): some readers keep the place of the text apart from all else, others do not. */
export const OUTSIDE_OF_TEXT: ReadonlySet<string> = new Set([
  ...['q', 'Q', 'cm', 'Do', 'sh', 'BI', 'W', 'W*'],
  ...[...STARTS_PATH, ...CONTINUES_PATH, ...ENDS_PATH],
]);
