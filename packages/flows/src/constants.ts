import type { FlowConstant } from '@symbolon/protocol';
import { Budget } from './budget.ts';
import { depthFirst } from './depth-first.ts';
import { type Evaluation, evaluate } from './expression.ts';
import { expressionParts } from './expression-parts.ts';
import type { Values } from './values.ts';

/**
 * The answers with the constants, each under its key (wire 13.4). The order of the list does not matter: constants are
 * computed after those they read, and in a circle by key.
 */
export function withConstants(
  constants: readonly FlowConstant[],
  { values, referenceDate }: Evaluation,
): Values {
  const all = new Map(values);
  const expressions = new Map(constants.map(({ key, expr }) => [key, expr]));
  // A constant that is not computed yet reads as null, whatever else has its key.
  for (const key of expressions.keys()) all.delete(key);
  const reads = (key: string) => {
    const keys = new Set<string>();
    for (const part of expressionParts(expressions.get(key), '')) {
      if ('key' in part && expressions.has(part.key)) keys.add(part.key);
    }
    return [...keys].sort().map((to) => ({ to }));
  };
  const budget = new Budget();
  for (const key of depthFirst([...expressions.keys()].sort(), reads).order) {
    all.set(key, evaluate(expressions.get(key), { values: all, referenceDate }, budget));
  }
  return all;
}
