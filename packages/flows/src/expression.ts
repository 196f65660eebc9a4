import { dateUnits, flowLimits, mathOperators } from '@symbolon/protocol/constants';
import { Budget } from './budget.ts';
import { holds } from './condition.ts';
import { isOneOf } from './condition-parts.ts';
import { dateDifference } from './dates.ts';
import { isJsonObject, type JsonObject, memberOf } from './json.ts';
import { calculate } from './math.ts';
import { numberOf, textOf, type Values } from './values.ts';

/** What an expression is evaluated with. */
export interface Evaluation {
  readonly values: Values;
  /** The day on which the run started, in UTC: `YYYY-MM-DD`. */
  readonly referenceDate: string;
}

/** An expression to evaluate, or one whose `count` arguments are evaluated. */
type Task = { readonly expression: unknown } | { readonly combine: JsonObject; readonly count: number };

/** The value of an expression; null when it has none. It never throws, and no depth exhausts the call stack (wire 13.4). */
export function evaluate(
  expression: unknown,
  { values, referenceDate }: Evaluation,
  budget: Budget = new Budget(),
): unknown {
  const tasks: Task[] = [{ expression }];
  const results: unknown[] = [];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (!budget.take()) return null;
    if ('combine' in task) {
      const args = results.splice(results.length - task.count);
      if (!budget.takeFor(args)) return null;
      results.push(combine(task.combine, args));
      continue;
    }
    const chosen = branchOf(task.expression, values, budget);
    const args = argumentsOf(chosen);
    if (args === undefined) results.push(simpleValue(chosen, values, referenceDate));
    else {
      tasks.push({ combine: chosen, count: args.length });
      // The last one first: the stack turns the order round.
      for (let index = args.length - 1; index >= 0; index--) tasks.push({ expression: args[index] });
    }
  }
  return results.at(-1) ?? null;
}

const NOTHING: JsonObject = {};

/** The expression that an `if` comes to, be it inside of others. */
function branchOf(expression: unknown, values: Values, budget: Budget): JsonObject {
  let current = expression;
  while (isJsonObject(current) && memberOf(current, 'type') === 'if') {
    if (!budget.take()) return NOTHING;
    const cases = memberOf(current, 'cases');
    const taken = (Array.isArray(cases) ? cases : []).find(
      (each) => isJsonObject(each) && holds(memberOf(each, 'when'), values, budget),
    );
    current = taken === undefined ? memberOf(current, 'else') : memberOf(taken, 'then');
  }
  return isJsonObject(current) ? current : NOTHING;
}

/** The arguments of an expression that has some. */
function argumentsOf(expression: JsonObject): readonly unknown[] | undefined {
  switch (memberOf(expression, 'type')) {
    case 'concat':
      return listOf(memberOf(expression, 'parts'));
    case 'math':
      return listOf(memberOf(expression, 'args'));
    case 'datediff':
      return [memberOf(expression, 'from'), memberOf(expression, 'to')];
    default:
      return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function simpleValue(expression: JsonObject, values: Values, referenceDate: string): unknown {
  const key = memberOf(expression, 'key');
  switch (memberOf(expression, 'type')) {
    case 'lit':
      return literalOf(memberOf(expression, 'value_type'), memberOf(expression, 'value'));
    case 'ref':
      return typeof key === 'string' ? (values.get(key) ?? null) : null;
    case 'today':
      return referenceDate;
    default:
      return null;
  }
}

function literalOf(type: unknown, value: unknown): unknown {
  if (type === 'number') return numberOf(value) ?? null;
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : null;
  }
  return value === null || value === undefined ? null : textOf(value);
}

function combine(expression: JsonObject, args: readonly unknown[]): unknown {
  const op = memberOf(expression, 'op');
  const unit = memberOf(expression, 'unit');
  switch (memberOf(expression, 'type')) {
    case 'concat':
      return join(args, memberOf(expression, 'sep'));
    case 'math':
      return isOneOf(mathOperators, op) ? calculate(op, args) : null;
    default:
      return isOneOf(dateUnits, unit) ? dateDifference(unit, args[0], args[1]) : null;
  }
}

/** The parts as one text; null when it would be too long. */
function join(parts: readonly unknown[], separator: unknown): string | null {
  const sep = typeof separator === 'string' ? separator : '';
  const texts: string[] = [];
  let length = -sep.length;
  for (const part of parts) {
    const text = textOf(part);
    length += text.length + sep.length;
    if (length > flowLimits.computedTextMost) return null;
    texts.push(text);
  }
  return texts.join(sep);
}
