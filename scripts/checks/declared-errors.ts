import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CallGraph } from './call-graph.ts';
import { openApiPaths } from './evidence.ts';
import { SERVER } from './imports.ts';

const CATALOGUE = 'packages/protocol/src/errors.ts';

/** Errors that are answered before the handler runs, each with what answers it. */
const BEFORE_HANDLERS: Readonly<Record<string, string>> = {
  'auth.invalid': 'the access rule of the route',
  'auth.expired': 'the access rule of the route',
  'auth.forbidden': 'the access rule of the route',
  'auth.client_endpoint_forbidden': 'the access rule of the route',
  'auth.role_forbidden': 'the access rule of the route',
  'auth.second_factor_missing': 'the access rule of the route',
  'auth.anti_forgery': 'the access rule of the route',
  'services.level_required': 'who calls is looked up first',
  invalid_request: 'who calls is read from a form',
};

/** An operation of the OpenAPI document with the errors that it declares. */
export interface DeclaredOperation {
  /** `METHOD /path/:parameter` */
  readonly address: string;
  readonly summary: string | undefined;
  readonly errors: readonly string[];
}

/**
 * Checks that what an operation declares can come about: the key stands in its handler, or in code that this leads to. Domains do not
 * import those that fill their ports: behind a port is what fits its type, and what its comment says.
 */
export async function declaredErrors(root: string): Promise<string[]> {
  if (!existsSync(join(root, CATALOGUE))) return [];
  const { errorCatalogue }: typeof import('../../packages/protocol/src/errors.ts') = await import(
    pathToFileURL(join(root, CATALOGUE)).href
  );
  const operations = Object.entries(await openApiPaths()).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      address: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      summary: operation.summary,
      errors: Object.values(operation['x-errors'] ?? {})
        .flat()
        .filter((key) => !(key in BEFORE_HANDLERS)),
    })),
  );
  return neverBroughtAbout(root, `${SERVER}/**/*.ts`, Object.keys(errorCatalogue), operations);
}

/** One line for each operation and each key that it declares and nothing behind its handler names. */
export function neverBroughtAbout(
  root: string,
  sources: string,
  catalogue: readonly string[],
  operations: readonly DeclaredOperation[],
): string[] {
  using graph = new CallGraph(root, sources, new Set(catalogue));
  return operations.flatMap(({ address, summary, errors }) => {
    const known = graph.handlers.filter((each) => each.address.test(address));
    const open = graph.handlers.filter((each) => each.open.test(address));
    const [handlers = []] = [
      known.filter((each) => each.summary === summary),
      open.filter((each) => each.summary === summary),
      known,
      open,
    ].filter(({ length }) => length > 0);
    if (handlers.length === 0) return [`${address}: the check of declared errors does not find its handler`];
    const words = graph.wordsBehind(handlers.map(({ code }) => code));
    return errors
      .filter((key) => !words.has(key))
      .map(
        (key) =>
          `${address} declares ${key}, which nothing behind it throws: take it out of errors, or name it in @throws of the port behind which it is thrown`,
      );
  });
}
