import {
  type ConditionComparison,
  conditionComparisons,
  conditionGroups,
  flowLimits,
} from '@symbolon/protocol/constants';
import { type FlowIssue, issue } from './issue.ts';
import { isJsonObject, memberOf } from './json.ts';
import { isReference } from './lengths.ts';

/** A comparison in a condition, or what is wrong with a part of it. */
export type ConditionPart =
  | { readonly field: string; readonly op: ConditionComparison; readonly path: string }
  | { readonly issue: FlowIssue };

/** All comparisons of a condition, with the issues of its form. It may be nested as deeply as JSON can be. */
export function* conditionParts(condition: unknown, path: string): Generator<ConditionPart> {
  const pending = [{ condition, path, depth: 1 }];
  let count = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (++count > flowLimits.partsMost) {
      yield { issue: issue('too_large', path, `Use at most ${flowLimits.partsMost} parts.`) };
      return;
    }
    if (part.depth > flowLimits.depthMost) {
      yield { issue: issue('too_deep', path, `Nest at most ${flowLimits.depthMost} levels.`) };
      return;
    }
    if (part.condition === null || part.condition === undefined) continue;
    if (!isJsonObject(part.condition)) {
      yield { issue: issue('shape_invalid', part.path, 'A condition is null or an object.') };
      continue;
    }
    const op = memberOf(part.condition, 'op');
    if (isOneOf(conditionGroups, op)) {
      const children = memberOf(part.condition, 'children');
      if (!Array.isArray(children)) {
        yield { issue: issue('shape_invalid', `${part.path}/children`, `'${op}' has a list of children.`) };
        continue;
      }
      // The last one first: the stack turns the order round.
      for (let index = Math.min(children.length, flowLimits.partsMost) - 1; index >= 0; index--) {
        const child = { condition: children[index], path: `${part.path}/children/${index}` };
        pending.push({ ...child, depth: part.depth + 1 });
      }
    } else yield comparison(part.condition, op, part.path);
  }
}

function comparison(condition: object, op: unknown, path: string): ConditionPart {
  if (!isOneOf(conditionComparisons, op))
    return { issue: issue('operator_unknown', `${path}/op`, 'A condition has no such operator.') };
  const field = memberOf(condition, 'field');
  return isReference(field)
    ? { field, op, path }
    : { issue: issue('shape_invalid', `${path}/field`, 'Name the field that is compared.') };
}

export function isOneOf<const Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.some((word) => word === value);
}
