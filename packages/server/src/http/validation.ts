import { type ErrorKey, limits } from '@symbolon/protocol';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { PlatformError } from '../core/errors.ts';

/** One thing wrong with a request: where (JSON pointer) and what. */
export interface Issue {
  path: string;
  message: string;
}

const ISSUES_MOST = 20;

/**
 * Makes the validator of one part of a route's requests. Schemas are compiled on their first use, so that starting does
 * not wait for routes nobody has called. Text of query strings is converted to the numbers and booleans they stand for.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (data: unknown) => {
    compiled ??= Compile(schema);
    const value =
      httpPart === 'body' ? bodyOf(data) : httpPart === 'querystring' ? fromText(schema, data) : data;
    if (compiled.Check(value)) return { value };
    return { error: new InvalidRequest(issuesOf(compiled.Errors(value))) };
  };
};

/** No body, null and an empty list stand for an object without members: some languages write empty maps as `[]`. */
function bodyOf(data: unknown): unknown {
  return data === undefined || data === null || (Array.isArray(data) && data.length === 0) ? {} : data;
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

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

function issuesOf(errors: readonly SchemaError[]): Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] };
    if (error.keyword === 'required') {
      for (const name of params.requiredProperties ?? []) {
        issues.push({ path: `${error.instancePath}/${pointer(name)}`, message: 'is required' });
      }
    } else if (error.keyword === 'additionalProperties') {
      for (const name of params.additionalProperties ?? []) {
        issues.push({
          path: `${error.instancePath}/${pointer(name)}`,
          message: 'is not a member this request takes',
        });
      }
    } else if (error.keyword !== 'boolean') {
      issues.push({ path: error.instancePath, message: messageOf(error) });
    }
    if (issues.length >= ISSUES_MOST) break;
  }
  return issues.slice(0, ISSUES_MOST);
}

/** Patterns that nobody can read are said in words. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  [limits.shownText, 'must be one line of text, with characters that can be seen'],
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
