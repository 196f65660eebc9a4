import type { MathOperator } from '@symbolon/protocol/constants';
import { numberOf } from './values.ts';

/** The result of an operation; null when there is none (wire 13.4). */
export function calculate(op: MathOperator, args: readonly unknown[]): number | null {
  const result = resultOf(op, args.map(numberOf));
  // A sum with 0 turns -0 into 0.
  return result !== undefined && Number.isFinite(result) ? result + 0 : null;
}

function resultOf(op: MathOperator, args: readonly (number | undefined)[]): number | undefined {
  switch (op) {
    case 'add':
    case 'mul':
      return reduce(op, args);
    case 'max':
    case 'min': {
      const numbers = args.filter((each) => each !== undefined);
      if (numbers.length === 0) return undefined;
      return numbers.reduce(op === 'max' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b));
    }
    case 'sub':
    case 'div':
    case 'mod':
      return ofTwo(op, args[0], args[1]);
    default:
      return args[0] === undefined ? undefined : ofOne(op, args[0]);
  }
}

function reduce(op: 'add' | 'mul', args: readonly (number | undefined)[]): number | undefined {
  let result = op === 'add' ? 0 : 1;
  for (const each of args) {
    if (each === undefined) return undefined;
    result = op === 'add' ? result + each : result * each;
  }
  return result;
}

function ofTwo(op: 'sub' | 'div' | 'mod', a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  // A division by zero is not finite, and so null.
  if (op === 'sub') return a - b;
  return op === 'div' ? a / b : a % b;
}

function ofOne(op: 'neg' | 'abs' | 'round' | 'floor' | 'ceil', value: number): number {
  switch (op) {
    case 'neg':
      return -value;
    case 'abs':
      return Math.abs(value);
    case 'round':
      return Math.sign(value) * Math.round(Math.abs(value));
    case 'floor':
      return Math.floor(value);
    case 'ceil':
      return Math.ceil(value);
  }
}
