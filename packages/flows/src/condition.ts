import { conditionGroups } from '@symbolon/protocol/constants';
import { Budget } from './budget.ts';
import { isOneOf } from './condition-parts.ts';
import { isJsonObject, memberOf } from './json.ts';
import { areEqual, contains, isAnswered, orderOf, type Values } from './values.ts';

/** A group of conditions, and how many of them have been looked at. */
interface Group {
  readonly op: (typeof conditionGroups)[number];
  readonly children: readonly unknown[];
  next: number;
}

/**
 * Whether a condition holds for these values (wire 13.3). It never throws: what is no condition does not hold. It keeps
 * its place in a list, so that no depth exhausts the call stack.
 */
export function holds(condition: unknown, values: Values, budget: Budget = new Budget()): boolean {
  const open: Group[] = [];
  let current = condition;
  while (budget.take()) {
    const group = groupOf(current);
    if (group !== undefined && group.children.length > 0) {
      open.push(group);
      current = group.children[0];
      continue;
    }
    let result = group === undefined ? leafHolds(current, values, budget) : group.op === 'and';
    if (result === undefined) return false;
    let parent = open.at(-1);
    for (; parent !== undefined; parent = open.at(-1)) {
      // `and` is decided by what does not hold, `or` by what holds; otherwise the last child decides.
      if (parent.op !== 'not' && result === (parent.op === 'and') && parent.next < parent.children.length)
        break;
      if (parent.op === 'not') result = !result;
      open.pop();
    }
    if (parent === undefined) return result;
    current = parent.children[parent.next++];
  }
  return false;
}

function groupOf(condition: unknown): Group | undefined {
  if (!isJsonObject(condition)) return undefined;
  const op = memberOf(condition, 'op');
  if (!isOneOf(conditionGroups, op)) return undefined;
  const children = memberOf(condition, 'children');
  return { op, children: Array.isArray(children) ? children : [], next: 1 };
}

/** Undefined when the budget does not last. */
function leafHolds(condition: unknown, values: Values, budget: Budget): boolean | undefined {
  if (condition === null || condition === undefined) return true;
  if (!isJsonObject(condition)) return false;
  const field = memberOf(condition, 'field');
  const answer = typeof field === 'string' ? values.get(field) : undefined;
  const value = memberOf(condition, 'value');
  return budget.takeFor([answer, value]) ? compares(memberOf(condition, 'op'), answer, value) : undefined;
}

function compares(op: unknown, answer: unknown, value: unknown): boolean {
  const answered = isAnswered(answer);
  const order = () => (answered ? orderOf(answer, value) : undefined);
  switch (op) {
    case 'eq':
      return answered && areEqual(answer, value);
    case 'ne':
      return answered && !areEqual(answer, value);
    case 'lt':
      return (order() ?? 0) < 0;
    case 'le':
      return (order() ?? 1) <= 0;
    case 'gt':
      return (order() ?? 0) > 0;
    case 'ge':
      return (order() ?? -1) >= 0;
    case 'in':
      return isListed(answered ? answer : '', value);
    case 'nin':
      return !isListed(answered ? answer : '', value);
    case 'answered':
      return answered;
    case 'empty':
      return !answered;
    case 'contains':
      return answered && contains(answer, value);
    case 'not_contains':
      return !answered || !contains(answer, value);
    default:
      return false;
  }
}

function isListed(answer: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((entry) => areEqual(answer, entry));
}
