import {
  dateUnits,
  type ExpressionType,
  expressionTypes,
  flowLimits,
  flowValueTypes,
  mathOperators,
} from '@symbolon/protocol/constants';
import { conditionParts, isOneOf } from './condition-parts.ts';
import { type FlowIssue, issue } from './issue.ts';
import { isJsonObject, memberOf } from './json.ts';
import { isLonger, isReference } from './lengths.ts';

/** A key that an expression reads, or what is wrong with a part of it. */
export type ExpressionPart = { readonly key: string; readonly path: string } | { readonly issue: FlowIssue };

interface Pending {
  readonly expression: unknown;
  readonly path: string;
  readonly depth: number;
}

/** All keys that an expression reads, its conditions included, with the issues of its form. */
export function* expressionParts(expression: unknown, path: string): Generator<ExpressionPart> {
  const pending: Pending[] = [{ expression, path, depth: 1 }];
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
    if (!isJsonObject(part.expression)) {
      yield { issue: issue('shape_invalid', part.path, 'An expression is an object.') };
      continue;
    }
    const type = memberOf(part.expression, 'type');
    if (!isOneOf(expressionTypes, type)) {
      yield { issue: issue('operator_unknown', `${part.path}/type`, 'There is no such expression.') };
      continue;
    }
    yield* ownParts(part.expression, type, part.path);
    const inner = [...innerExpressions(part.expression, type)];
    for (const { expression: each, path: below } of inner.reverse())
      pending.push({ expression: each, path: `${part.path}/${below}`, depth: part.depth + 1 });
  }
}

/** What an expression says by itself, without the expressions in it. */
function* ownParts(expression: object, type: ExpressionType, path: string): Generator<ExpressionPart> {
  const shape = (member: string, message: string) => ({
    issue: issue('shape_invalid', `${path}/${member}`, message),
  });
  const key = memberOf(expression, 'key');
  if (type === 'ref') {
    if (isReference(key)) yield { key, path: `${path}/key` };
    else yield shape('key', 'Name the answer or constant that is read.');
  }
  if (type === 'lit') {
    if (!isOneOf(flowValueTypes, memberOf(expression, 'value_type')))
      yield shape('value_type', `Use one of ${flowValueTypes.join(', ')}.`);
    if (!Object.hasOwn(expression, 'value')) yield shape('value', 'This member is missing.');
  }
  if (type === 'datediff' && !isOneOf(dateUnits, memberOf(expression, 'unit')))
    yield { issue: issue('operator_unknown', `${path}/unit`, `Use one of ${dateUnits.join(', ')}.`) };
  if (type === 'math' && !isOneOf(mathOperators, memberOf(expression, 'op')))
    yield { issue: issue('operator_unknown', `${path}/op`, 'There is no such operation.') };
  const sep = memberOf(expression, 'sep');
  if (
    type === 'concat' &&
    sep !== undefined &&
    (typeof sep !== 'string' || isLonger(sep, flowLimits.labelMost))
  )
    yield shape('sep', `A separator is a text of at most ${flowLimits.labelMost} characters.`);
  const list = LIST_OF[type];
  if (list !== undefined && !Array.isArray(memberOf(expression, list))) yield shape(list, 'A list.');
  else if (type === 'if') {
    for (const [index, each] of itemsOf(expression, 'cases').entries()) {
      const at = `${path}/cases/${index}`;
      if (!isJsonObject(each) || !Object.hasOwn(each, 'when'))
        yield { issue: issue('shape_invalid', at, 'A case has when and then.') };
      else for (const part of conditionParts(memberOf(each, 'when'), `${at}/when`)) yield keyOf(part);
    }
  }
}

function keyOf(part: { field: string; path: string } | { issue: FlowIssue }): ExpressionPart {
  return 'issue' in part ? part : { key: part.field, path: `${part.path}/field` };
}

/** The member of an expression that is a list. */
const LIST_OF: Readonly<Partial<Record<ExpressionType, string>>> = {
  if: 'cases',
  concat: 'parts',
  math: 'args',
};

/** The expressions directly inside one, with their places. */
function* innerExpressions(
  expression: object,
  type: ExpressionType,
): Generator<{ expression: unknown; path: string }> {
  if (type === 'datediff') {
    yield { expression: memberOf(expression, 'from'), path: 'from' };
    yield { expression: memberOf(expression, 'to'), path: 'to' };
  }
  if (type === 'concat' || type === 'math') {
    const list = type === 'concat' ? 'parts' : 'args';
    for (const [index, each] of itemsOf(expression, list).entries())
      yield { expression: each, path: `${list}/${index}` };
  }
  if (type !== 'if') return;
  for (const [index, each] of itemsOf(expression, 'cases').entries()) {
    if (isJsonObject(each)) yield { expression: memberOf(each, 'then'), path: `cases/${index}/then` };
  }
  const otherwise = memberOf(expression, 'else');
  if (otherwise !== undefined && otherwise !== null) yield { expression: otherwise, path: 'else' };
}

function itemsOf(expression: object, member: string): unknown[] {
  const items = memberOf(expression, member);
  return Array.isArray(items) ? items.slice(0, flowLimits.partsMost) : [];
}
