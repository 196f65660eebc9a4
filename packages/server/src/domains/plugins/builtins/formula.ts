import type { FlowExpression } from '@symbolon/flows';
import { type MathOperator, mathOperators } from '@symbolon/protocol';

/** Longer ones are not read. */
const CHARACTERS_MOST = 500;
const LEVELS_MOST = 50;
const TOKEN = /\s*(?:(\d+(?:[.,]\d+)?|[.,]\d+)|([a-z][a-z0-9_]*)|(.))/gy;
/** Operators between two numbers, those that bind less first. */
const LEVELS: readonly Readonly<Record<string, MathOperator>>[] = [
  { '+': 'add', '-': 'sub', '−': 'sub' },
  { '*': 'mul', '×': 'mul', '/': 'div', '÷': 'div', '%': 'mod' },
];

/**
 * Reads a formula such as `(a + 12.5) * round(b / 3)` into an expression of flows: numbers with a point or a comma, names,
 * `+ - * / %`, parentheses, and the functions that flows have, with their arguments separated by semicolons.
 *
 * @returns undefined for anything that is no formula
 */
export function parseFormula(text: string, names: ReadonlySet<string>): FlowExpression | undefined {
  if (text.length > CHARACTERS_MOST) return undefined;
  try {
    return new Parser(text.trim(), names).formula();
  } catch (error) {
    if (error instanceof NoFormula) return undefined;
    throw error;
  }
}

class NoFormula extends Error {}

class Parser {
  readonly #tokens: readonly string[];
  readonly #names: ReadonlySet<string>;
  #at = 0;
  #depth = 0;

  constructor(text: string, names: ReadonlySet<string>) {
    this.#tokens = [...text.toLowerCase().matchAll(TOKEN)].map(([token]) => token.trim());
    this.#names = names;
  }

  formula(): FlowExpression {
    const read = this.#sum(0);
    if (this.#at < this.#tokens.length) throw new NoFormula();
    return read;
  }

  /** Operators of one level, from the left to the right. */
  #sum(level: number): FlowExpression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#signed();
    let left = this.#sum(level + 1);
    for (;;) {
      const token = this.#tokens[this.#at] ?? '';
      const op = Object.hasOwn(operators, token) ? operators[token] : undefined;
      if (op === undefined) return left;
      this.#at++;
      left = { type: 'math', op, args: [left, this.#sum(level + 1)] };
    }
  }

  #signed(): FlowExpression {
    let negative = false;
    for (; this.#takes('-') || this.#takes('−'); ) negative = !negative;
    const value = this.#value();
    return negative ? { type: 'math', op: 'neg', args: [value] } : value;
  }

  #value(): FlowExpression {
    const token = this.#tokens[this.#at++] ?? '';
    if (/^[\d.,]/.test(token))
      return { type: 'lit', value_type: 'number', value: Number(token.replace(',', '.')) };
    if (token === '(') return this.#inside(() => this.#sum(0));
    if (this.#names.has(token)) return { type: 'ref', key: token };
    const op = mathOperators.find((known) => known === token);
    if (op === undefined || !this.#takes('(')) throw new NoFormula();
    return this.#inside(() => {
      const args = [this.#sum(0)];
      while (this.#takes(';')) args.push(this.#sum(0));
      return { type: 'math', op, args };
    });
  }

  /** What stands before a closing parenthesis. */
  #inside(read: () => FlowExpression): FlowExpression {
    if (++this.#depth > LEVELS_MOST) throw new NoFormula();
    const value = read();
    if (!this.#takes(')')) throw new NoFormula();
    this.#depth--;
    return value;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}
