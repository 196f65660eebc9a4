import { FlowDefinition } from '@symbolon/protocol';
import { flowLimits } from '@symbolon/protocol/constants';
import { type FlowIssue, issue, segment } from './issue.ts';
import { isJsonObject, type JsonObject, memberOf } from './json.ts';
import { isLonger } from './lengths.ts';

/**
 * A value of unknown origin, as a definition when each member has the form that the schema says. Whether its references
 * lead anywhere is not looked at: a draft may be saved before it is finished. What `$ref` points to, conditions and
 * expressions, can be nested deeply and is left to `conditionParts` and `expressionParts` when it is published.
 */
export function parseShape(
  value: unknown,
): { valid: true; definition: FlowDefinition } | { valid: false; issues: FlowIssue[] } {
  const issues: FlowIssue[] = [];
  checkShape(value, DEFINITION, '', issues);
  return issues.length === 0
    ? { valid: true, definition: value as FlowDefinition }
    : { valid: false, issues };
}

/** The keywords of JSON Schema that the schema uses outside of `$defs`; a test compares with the schema library. */
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

/** Adds the issues of a value, until there are as many as are reported. A list is quicker here than generators in generators. */
function checkShape(value: unknown, schema: Schema, path: string, issues: FlowIssue[]): void {
  if (schema.$ref !== undefined || issues.length >= flowLimits.issuesMost) return;
  if (schema.anyOf !== undefined) {
    const branch = schema.anyOf.find((each) => isMeant(value, each));
    if (branch !== undefined) checkShape(value, branch, path, issues);
    else issues.push(withoutForm(value, schema.anyOf, path));
  } else if (schema.const !== undefined || schema.enum !== undefined) {
    const allowed = schema.enum ?? [schema.const];
    if (!allowed.includes(value))
      issues.push(issue('shape_invalid', path, `Use one of ${allowed.join(', ')}.`));
  } else if (!hasType(value, schema.type)) {
    issues.push(issue('shape_invalid', path, `The value must be of type ${schema.type}.`));
  } else if (typeof value === 'string') checkText(value, schema, path, issues);
  else if (Array.isArray(value)) checkList(value, schema, path, issues);
  else if (isJsonObject(value)) checkMembers(value, schema, path, issues);
}

/** That a value has no form which it may have; where a `kind` tells forms apart, which ones there are. */
function withoutForm(value: unknown, forms: readonly Schema[], path: string): FlowIssue {
  const kinds = forms.flatMap(({ properties }) => properties?.kind?.const ?? []);
  const message =
    isJsonObject(value) && kinds.length > 0
      ? `The kind must be one of ${kinds.join(', ')}.`
      : 'The value has none of the allowed forms.';
  return issue('shape_invalid', path, message);
}

/** Whether a value that may have several forms was meant to have this one: by its type, and by its `kind`. */
function isMeant(value: unknown, schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((each) => isMeant(value, each));
  // Only an expression is one of several forms.
  if (schema.$ref !== undefined) return isJsonObject(value);
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

function checkText(text: string, schema: Schema, path: string, issues: FlowIssue[]): void {
  if (isLonger(text, schema.maxLength ?? Number.POSITIVE_INFINITY))
    issues.push(issue('too_large', path, `Use at most ${schema.maxLength} characters.`));
  else if (text.length < (schema.minLength ?? 0))
    issues.push(issue('shape_invalid', path, 'The text is empty.'));
  else if (schema.pattern !== undefined && !compiled(schema.pattern).test(text))
    issues.push(issue('shape_invalid', path, `The text must match ${schema.pattern}.`));
}

/** The few patterns of the schema. */
const patterns = new Map<string, RegExp>();
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known;
}

function checkList(list: readonly unknown[], schema: Schema, path: string, issues: FlowIssue[]): void {
  if (list.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    issues.push(issue('too_large', path, `Use at most ${schema.maxItems} entries.`));
    return;
  }
  for (const [index, item] of list.entries())
    checkShape(item, schema.items ?? {}, `${path}/${index}`, issues);
}

function checkMembers(members: JsonObject, schema: Schema, path: string, issues: FlowIssue[]): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const key in properties) {
    if (Object.hasOwn(members, key))
      checkShape(members[key], properties[key] ?? {}, `${path}/${key}`, issues);
    else if (required.includes(key))
      issues.push(issue('shape_invalid', `${path}/${key}`, 'This member is missing.'));
  }
  if (additionalProperties === undefined) return;
  const entries = Object.entries(members);
  if (entries.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    issues.push(issue('too_large', path, `Use at most ${schema.maxProperties} members.`));
    return;
  }
  for (const [key, member] of entries)
    checkShape(member, additionalProperties, `${path}/${segment(key)}`, issues);
}
