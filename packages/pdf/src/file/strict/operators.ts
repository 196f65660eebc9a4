/**
 * The operators of content streams with the operands that each takes (ISO 32000-2, annex A): N is a number, S a string, M a
 * name, A an array, D a dictionary. Readers do not agree on an operator that has others, nor on one that nobody knows.
 */
const OPERANDS: Readonly<Record<string, RegExp>> = {
  ...each('b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*', /^$/),
  ...each('g G i j J M Tc TL Tr Ts Tw Tz w', /^N$/),
  ...each('l m d0 Td TD', /^NN$/),
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

export const STARTS_PATH: ReadonlySet<string> = new Set(['m', 're']);
export const CONTINUES_PATH: ReadonlySet<string> = new Set(['l', 'c', 'v', 'y', 'h']);
export const ENDS_PATH: ReadonlySet<string> = new Set('b B b* B* f F f* n s S'.split(' '));
export const SHOWS_TEXT: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"']);
