import type { FastifyRequest } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { PlatformError } from '../core/errors.ts';
import { answerJson, writeJson } from '../core/written-json.ts';
import { undeclared } from './route-errors.ts';

/**
 * Compares the error that a route answers with those that it declares: a test fails whose route answers another one.
 * @throws {Error} which says what to declare where
 */
export function checkError(request: FastifyRequest, { key }: PlatformError): void {
  const { routeOptions, method, is404 } = request;
  if (is404) return;
  const problem = undeclared({ method, url: routeOptions.url, config: routeOptions.config ?? {} }, key);
  if (problem !== undefined) throw new Error(problem);
}

/**
 * A serialiser that refuses what its schema does not describe. Tests run with it, so that no handler answers anything
 * but what the OpenAPI document says; in service JSON.stringify serves alone.
 */
export const checkResponses: FastifySerializerCompiler<TSchema> = ({ schema, method, url, httpStatus }) => {
  let compiled: Validator | undefined;
  const check = (payload: unknown) => {
    // Most platforms that tests start answer few of the routes: compiling all of them takes longer than starting does.
    compiled ??= Compile(closed(schema) as TSchema);
    const seen: unknown = JSON.parse(writeJson(payload));
    if (!compiled.Check(seen)) {
      const [first] = compiled.Errors(seen);
      throw new Error(
        `${method} ${url} ${httpStatus}: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`,
      );
    }
    return answerJson(payload);
  };
  // The framework takes what its hooks make of a long text.
  return check as (payload: unknown) => string;
};

/** The schema with every object closed against members it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.type === 'object' && 'properties' in copy && copy.additionalProperties === undefined) {
    copy.additionalProperties = false;
  }
  return copy;
}
