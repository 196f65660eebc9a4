import { type ErrorKey, limits, placePattern } from '@symbolon/protocol';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { PlatformError } from '../core/errors.ts';
import { isLargeText, largeMembersOf } from './large-bodies.ts';

/** One thing wrong with a request: where (JSON pointer) and what. */
export interface Issue {
  path: string;
  message: string;
}

const ISSUES_MOST = 20;
// Far more than are shown, because several errors may say one thing: that a value is not among those allowed.
Settings.Set({ maxErrors: 1000 });

/**
 * Makes the validator of one part of a route's requests. Schemas are compiled on their first use, so that starting does
 * not wait for routes that were never called. Text of query strings is converted to the numbers and booleans they stand for.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'body') {
    const check = bodyCheck(schema);
    return (data: unknown) => {
      const checked = data instanceof CheckedBody ? data.result : check(data);
      return 'issues' in checked ? { error: new InvalidRequest(checked.issues) } : checked;
    };
  }
  let compiled: ReturnType<typeof Compile> | undefined;
  return (data: unknown) => {
    compiled ??= Compile(schema);
    const value = httpPart === 'querystring' ? fromText(schema, data) : data;
    return compiled.Check(value)
      ? { value }
      : { error: new InvalidRequest(issuesIn(compiled, schema, value)) };
  };
};

/** A body that is as its schema wants it, or what is wrong with it. */
export type BodyCheck = { readonly value: unknown } | { readonly issues: readonly Issue[] };

/** A body that another thread has read and checked, by `bodyCheck`. */
export class CheckedBody {
  readonly result: BodyCheck;

  constructor(result: BodyCheck) {
    this.result = result;
  }
}

/** Checks bodies of a schema, which is compiled for the first of them. */
export function bodyCheck(schema: TSchema): (data: unknown) => BodyCheck {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (data) => {
    compiled ??= Compile(schema);
    const value = bodyOf(data);
    const checked = withShortTexts(schema, value);
    return compiled.Check(checked) ? { value } : { issues: issuesIn(compiled, schema, checked) };
  };
}

const issuesIn = (compiled: ReturnType<typeof Compile>, schema: TSchema, value: unknown) =>
  issuesOf(compiled.Errors(trimmed(schema, value)));

/** No body, null and an empty list stand for an object without members: some languages write empty maps as `[]`. */
function bodyOf(data: unknown): unknown {
  return data === undefined || data === null || (Array.isArray(data) && data.length === 0) ? {} : data;
}

/** Large members were read as text: for the check a short one stands for them. */
function withShortTexts(schema: TSchema, value: unknown): unknown {
  const large = largeMembersOf(schema);
  if (large === undefined || typeof value !== 'object' || value === null) return value;
  const checked = Object.entries(value).map(([name, member]) => [
    name,
    isLargeText(member) ? (member.isEmpty ? '' : '.') : member,
  ]);
  return Object.fromEntries(checked);
}

/** Query parameters as what their schema wants, where their text says exactly that; the rest is left to be refused. */
function fromText(schema: TSchema, query: unknown): unknown {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).map(([name, text]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
      if (type === 'integer' && typeof text === 'string' && /^-?\d{1,16}$/.test(text))
        return [name, Number(text)];
      if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
      return [name, text];
    }),
  );
}

/** What a validator found; the error handler turns it into `request.invalid` or into the key the route names. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[]) {
    super('request.invalid');
    this.issues = issues;
  }

  /** @param keys error keys of their own for some members, by JSON pointer */
  toPlatformError(keys: Readonly<Record<string, ErrorKey>> = {}): PlatformError {
    const named = this.issues.find((issue) => keys[issue.path] !== undefined);
    const key = named === undefined ? undefined : keys[named.path];
    return new PlatformError(key ?? 'request.invalid', { details: { issues: this.issues } });
  }
}

interface ContainerSchema {
  readonly items?: ContainerSchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ContainerSchema>>;
  readonly additionalProperties?: unknown;
}

/**
 * A refused value without elements above the most there may be, and without unknown members above what an error lists:
 * it is refused for the same reasons, and finding them takes no longer than for a value of the right size.
 */
function trimmed(schema: ContainerSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items = {}, maxItems = value.length } = schema;
    return value.slice(0, maxItems + 1).map((item) => trimmed(items, item));
  }
  const { properties, additionalProperties } = schema;
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  let unknown = 0;
  const kept = Object.entries(value).filter(
    ([name]) => Object.hasOwn(properties, name) || additionalProperties !== false || ++unknown <= ISSUES_MOST,
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, trimmed(properties[name] ?? {}, member)]));
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

function issuesOf(errors: readonly SchemaError[]): Issue[] {
  const choices = choicesOf(errors);
  const issues = new Map<string, Issue>();
  const add = (path: string, message: string) => issues.set(`${path} ${message}`, { path, message });
  for (const error of errors) {
    const { keyword, instancePath: path, params } = error;
    const { requiredProperties = [], additionalProperties = [] } = params as {
      requiredProperties?: string[];
      additionalProperties?: string[];
    };
    const choice = choices.get(path);
    if (keyword === 'required') {
      for (const name of requiredProperties) add(`${path}/${pointer(name)}`, 'is required');
    } else if (keyword === 'additionalProperties') {
      for (const name of additionalProperties)
        add(`${path}/${pointer(name)}`, 'is not a member this request takes');
    } else if (choice !== undefined && (keyword === 'anyOf' || allowedBy(keyword, params) !== undefined)) {
      add(path, choice);
    } else if (keyword !== 'boolean') {
      add(path, messageOf(error));
    }
    if (issues.size >= ISSUES_MOST) break;
  }
  return [...issues.values()].slice(0, ISSUES_MOST);
}

/** Where only certain values are allowed: all of them in one message, by path. */
function choicesOf(errors: readonly SchemaError[]): ReadonlyMap<string, string> {
  const allowed = new Map<string, Set<string>>();
  for (const { keyword, instancePath, params } of errors) {
    const values = allowed.get(instancePath) ?? new Set();
    for (const value of allowedBy(keyword, params) ?? []) values.add(JSON.stringify(value));
    if (values.size > 0) allowed.set(instancePath, values);
  }
  // A nullable value without alternatives is described by its type.
  return new Map(
    [...allowed]
      .filter(([, values]) => [...values].some((value) => value !== 'null'))
      .map(([path, values]) => [
        path,
        values.size === 1 ? `must be ${[...values]}` : `must be one of ${[...values].join(', ')}`,
      ]),
  );
}

/** The values that would have satisfied a keyword; undefined when that is not a few certain ones. */
function allowedBy(keyword: string, params: object): readonly unknown[] | undefined {
  const { allowedValue, allowedValues, type } = params as {
    allowedValue?: unknown;
    allowedValues?: readonly unknown[];
    type?: unknown;
  };
  if (keyword === 'const') return [allowedValue];
  if (keyword === 'enum') return allowedValues ?? [];
  return keyword === 'type' && type === 'null' ? [null] : undefined;
}

/** Patterns that are hard to read are said in words. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  [limits.shownText, 'must be one line of text, with characters that can be seen'],
  [
    limits.displayName,
    "must be one line of text, with characters that can be seen, and not the platform's name",
  ],
  [placePattern, 'must be the id of the last row of the page before, or empty'],
  [limits.slug, 'must be a letter of a-z, then at most 39 of a-z, 0-9 and _; item is reserved'],
]);

function messageOf({ keyword, params, message }: SchemaError): string {
  const { pattern } = params as { pattern?: string };
  return (keyword === 'pattern' && pattern !== undefined && PATTERNS.get(pattern)) || message;
}

/** RFC 6901 escapes; a hostile name is cut. */
function pointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
