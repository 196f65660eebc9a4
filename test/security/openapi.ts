import type { TestPlatform } from '@symbolon/testkit/platform/platform';

/* What the suites here read of the OpenAPI document. */

export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
export interface Operation {
  readonly 'x-callers'?: readonly string[];
  /** Bytes of the largest body the route takes, where that is not what all others take. */
  readonly 'x-body-limit'?: number;
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export async function documentedRoutes(platform: TestPlatform): Promise<Route[]> {
  const document = await platform.must('GET', '/openapi.json');
  const paths = resolved(document.paths, document.components.schemas);
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** With the schemas in the place of the references to them. */
function resolved(value: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec('$ref' in value ? String(value.$ref) : '') ?? [];
  if (name !== undefined) return resolved(schemas[name], schemas);
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, resolved(each, schemas)]));
}

export function bodySchema(operation: Operation): Schema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** Something of the schema's shape; its content is of no use. */
export function sampleOf(schema: Schema): unknown {
  if (schema.anyOf?.[0] !== undefined) return sampleOf(schema.anyOf[0]);
  if (schema.type === 'object') {
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
    );
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return 'AAAA';
}
