import { FlowDefinition } from '@symbolon/protocol';
import { flowLimits } from '@symbolon/protocol/constants';
import { type FlowIssue, issue, segment } from './issue.ts';
import { isJsonObject, memberOf } from './json.ts';

/**
 * A value of unknown origin, as a definition when each member has the form that the schema says. Whether its references
 * lead anywhere is not looked at: a draft may be saved before it is finished. What `$ref` points to, conditions and
 * expressions, can be nested deeply and is left to `conditionParts` and `expressionParts`.
 */
export function parseShape(
  value: unknown,
): { valid: true; definition: FlowDefinition } | { valid: false; issues: FlowIssue[] } {
  const issues: FlowIssue[] = [];
  for (const found of shapeIssues(value, DEFINITION, '')) {
    issues.push(found);
    if (issues.length >= flowLimits.issuesMost) break;
  }
  return issues.length === 0
    ? { valid: true, definition: value as FlowDefinition }
    : { valid: false, issues };
}

/** The keywords of JSON Schema that the schema uses outside of `$defs`. A test holds this list. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const DEFINITION: Schema = FlowDefinition as object;

function* shapeIssues(value: unknown, schema: Schema, path: string): Generator<FlowIssue> {
  if (schema.$ref !== undefined) return;
  if (schema.anyOf !== undefined) {
    const branch = schema.anyOf.find((each) => isMeant(value, each));
    if (branch === undefined) yield issue('shape_invalid', path, 'The value has none of the allowed forms.');
    else yield* shapeIssues(value, branch, path);
  } else if (schema.const !== undefined || schema.enum !== undefined) {
    const allowed = schema.enum ?? [schema.const];
    if (!allowed.includes(value)) yield issue('shape_invalid', path, `Use one of ${allowed.join(', ')}.`);
  } else if (!hasType(value, schema.type)) {
    yield issue('shape_invalid', path, `The value must be of type ${schema.type}.`);
  } else if (typeof value === 'string') yield* textIssues(value, schema, path);
  else if (Array.isArray(value)) yield* listIssues(value, schema, path);
  else if (isJsonObject(value)) yield* memberIssues(value, schema, path);
}

/** Whether a value that may have several forms was meant to have this one: by its type, and by its `kind`. */
function isMeant(value: unknown, schema: Schema): boolean {
  if (!hasType(value, schema.type)) return false;
  const kind = schema.properties?.kind?.const;
  return kind === undefined || (isJsonObject(value) && memberOf(value, 'kind') === kind);
}

function hasType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function* textIssues(text: string, schema: Schema, path: string): Generator<FlowIssue> {
  if (text.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
    yield issue('too_large', path, `Use at most ${schema.maxLength} characters.`);
  else if (text.length < (schema.minLength ?? 0)) yield issue('shape_invalid', path, 'The text is empty.');
  else if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(text))
    yield issue('shape_invalid', path, `The text must match ${schema.pattern}.`);
}

function* listIssues(list: readonly unknown[], schema: Schema, path: string): Generator<FlowIssue> {
  if (list.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    yield issue('too_large', path, `Use at most ${schema.maxItems} entries.`);
    return;
  }
  for (const [index, item] of list.entries())
    yield* shapeIssues(item, schema.items ?? {}, `${path}/${index}`);
}

function* memberIssues(members: object, schema: Schema, path: string): Generator<FlowIssue> {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const [key, member] of Object.entries(properties)) {
    if (Object.hasOwn(members, key)) yield* shapeIssues(memberOf(members, key), member, `${path}/${key}`);
    else if (required.includes(key))
      yield issue('shape_invalid', `${path}/${key}`, 'This member is missing.');
  }
  if (additionalProperties === undefined) return;
  const entries = Object.entries(members);
  if (entries.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    yield issue('too_large', path, `Use at most ${schema.maxProperties} members.`);
    return;
  }
  for (const [key, member] of entries)
    yield* shapeIssues(member, additionalProperties, `${path}/${segment(key)}`);
}
