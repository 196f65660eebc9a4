import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { ELSEWHERE } from './elsewhere.ts';
import { RESOURCES } from './index.ts';
import type { Option, Template, Verb } from './types.ts';

type Schema = {
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  'x-callers'?: string[];
  requestBody?: Content;
  parameters?: { in: string; name: string; schema: Schema }[];
  responses: Record<string, Content>;
};

const VERBS = RESOURCES.flatMap((resource) => resource.verbs.map((verb) => ({ resource, verb })));
const nameOf = ({ resource, verb }: (typeof VERBS)[number]) => `${resource.name} ${verb.name}`;

/** Names of places differ between the table and the document: only where they stand counts. */
const shapeOf = (call: string) => call.replaceAll(/\{[^}]+\}/g, '{}');
/** The call with and without the place that may be missing. */
function shapesOf(call: string): string[] {
  const without = call.replaceAll(/\/\{[\w-]+\?\}/g, '');
  return [...new Set([shapeOf(without), shapeOf(call)])];
}

onPlatform('the table of commands', (platform) => {
  let operations: Map<string, Operation>;
  const read = async () => {
    if (operations !== undefined) return operations;
    const { paths } = withoutReferences(await platform().must('GET', '/openapi.json')) as {
      paths: Record<string, Record<string, Operation>>;
    };
    operations = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, operation]) => [shapeOf(`${method.toUpperCase()} ${path}`), operation] as const,
        ),
      ),
    );
    return operations;
  };

  test('every call is one of the API', async () => {
    const all = await read();
    for (const entry of VERBS) {
      for (const call of callsOf(entry.verb)) {
        for (const shape of shapesOf(call)) assert.ok(all.has(shape), `${nameOf(entry)}: ${call}`);
      }
    }
  });

  test('every option is a member of its call, which has no other member that could be given', async () => {
    const all = await read();
    for (const { resource, verb } of VERBS) {
      for (const call of callsOf(verb)) {
        const operation = all.get(shapeOf(call)) as Operation;
        const own = (verb.options ?? []).filter((option) => (option.call ?? verb.call) === call);
        const members = rowOf(verb, membersOf(call, operation));
        const name = `${resource.name} ${verb.name}: ${call}`;
        for (const option of own) assertFits(option, members[option.member], name);
        const given = [...own.map(({ member }) => member), ...(verb.fileOnly ?? []), ...HANDLED];
        const left = Object.keys(members).filter((member) => !given.includes(member));
        if (verb.special === undefined && verb.row?.act !== 'delete' && verb.row?.act !== 'publish') {
          assert.deepEqual(left, [], name);
        }
      }
    }
  });

  test('every column is a member of the rows', async () => {
    const all = await read();
    for (const entry of VERBS) {
      const { verb } = entry;
      if (verb.items === undefined || verb.columns === undefined) continue;
      const answer = answerOf(all.get(shapeOf(verb.call)) as Operation);
      const rows = verb.items === '' ? answer : answer?.properties?.[verb.items];
      const known = Object.keys(rows?.items?.properties ?? {});
      const unknown = verb.columns.filter((column) => !known.includes(column));
      assert.deepEqual(unknown, [], `${nameOf(entry)}: ${known.join(', ')}`);
    }
  });

  test('every call of a company has a command, or a reason why not', async () => {
    const all = await read();
    const covered = new Set(VERBS.flatMap(({ verb }) => callsOf(verb).flatMap(shapesOf)));
    const patterns = Object.values(ELSEWHERE).flat();
    const company = ['account_client', 'data_client', 'portal'];
    const left = [...all]
      .filter(([, operation]) => operation['x-callers']?.some((caller) => company.includes(caller)))
      .map(([shape]) => shape)
      .filter((shape) => !covered.has(shape));
    const missing = left.filter((shape) => !patterns.some((pattern) => isLike(pattern, shape)));
    assert.deepEqual(missing, []);
    const needless = patterns.filter((pattern) => !left.some((shape) => isLike(pattern, shape)));
    assert.deepEqual(needless, [], 'reasons without need');
  });
});

test('commands have the same verbs everywhere, and ask before something is lost', () => {
  for (const entry of VERBS) {
    const { verb } = entry;
    const destroys = verb.call.startsWith('DELETE') || ['delete', 'regenerate', 'cancel'].includes(verb.name);
    if (destroys) assert.ok(verb.asks, nameOf(entry));
    if (verb.name === 'list' || verb.name === 'get') assert.match(verb.call, /^GET /, nameOf(entry));
    if (verb.name === 'create' && verb.row === undefined) assert.match(verb.call, /^POST /, nameOf(entry));
    if (verb.name === 'set') assert.match(verb.call, /^PUT /, nameOf(entry));
    for (const example of verb.examples) assert.ok(example.startsWith(entry.resource.name), example);
  }
  const names = VERBS.map(nameOf);
  assert.deepEqual(names, [...new Set(names)]);
});

/** The document with each schema in the place where it is named. */
function withoutReferences(document: { components: { schemas: Record<string, object> } }): unknown {
  const known = new Map<string, object>();
  return inPlace(document);

  function inPlace(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(inPlace);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node && typeof node.$ref === 'string') return named(node.$ref);
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inPlace(value)]));
  }

  /** A schema may name itself. */
  function named(reference: string): unknown {
    const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(reference) ?? [];
    const schema = document.components.schemas[name];
    if (schema === undefined) return { $ref: reference };
    const place = known.get(name);
    if (place !== undefined) return place;
    const made = {};
    known.set(name, made);
    return Object.assign(made, inPlace(schema));
  }
}

function isLike(pattern: string, shape: string): boolean {
  return new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*')}$`).test(shape);
}

const HANDLED = ['limit', 'offset', 'after', 'before', 'config_token', 'request_fields', 'share_fields'];

function callsOf(verb: Verb): Template[] {
  return [...new Set([verb.call, ...(verb.options ?? []).flatMap(({ call }) => call ?? [])])];
}

function membersOf(call: string, operation: Operation): Record<string, Schema> {
  if (!/^(GET|DELETE) /.test(call)) {
    return operation.requestBody?.content?.['application/json']?.schema.properties ?? {};
  }
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
}

/** A row of what is published whole. */
function rowOf({ row }: Verb, members: Record<string, Schema>): Record<string, Schema> {
  return row === undefined ? members : (members[row.rows]?.items?.properties ?? {});
}

function answerOf({ responses }: Operation): Schema | undefined {
  const ok = responses['200'] ?? responses['201'];
  return ok?.content?.['application/json']?.schema;
}

function assertFits({ member, choices }: Option, schema: Schema | undefined, name: string): void {
  assert.ok(schema, `${name} has no ${member}`);
  if (choices !== undefined)
    assert.deepEqual([...wordsOf(schema)].sort(), [...choices].sort(), `${name}: ${member}`);
}

function wordsOf(schema: Schema): string[] {
  const own = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...own.map(String), ...inner.flatMap(wordsOf)];
}
