import * as protocol from '@symbolon/protocol';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Shorter ones say more where they stand. */
const LEAST_LENGTH = 60;

/** The schemas of the protocol by their names: what the document names wherever a route has it. */
export const namedSchemas: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(protocol as Json)
    .filter((entry): entry is [string, Json] => /^[A-Z]/.test(entry[0]) && isSchema(entry[1]))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

function isSchema(value: unknown): boolean {
  return (
    isObject(value) && ('type' in value || 'anyOf' in value) && JSON.stringify(value).length >= LEAST_LENGTH
  );
}

/**
 * Puts a reference in the place of each schema that is one of the named ones, in the named ones too, and leaves out those that
 * none names. Of two names for the same schema the first serves.
 * @param named the schemas in the form that the document has them in
 */
export function withReferences(document: Json, named: Readonly<Record<string, Json>>): object {
  const keys = new Keys();
  const names = new Map<number, string>();
  for (const [name, schema] of Object.entries(named)) {
    const key = keys.of(schema);
    if (!names.has(key)) names.set(key, name);
  }
  const used = new Set<string>();
  const pointed = (value: unknown, isNamed = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => pointed(each));
    if (!isObject(value)) return value;
    const name = isNamed ? undefined : names.get(keys.of(value));
    if (name !== undefined) {
      used.add(name);
      return { $ref: `#/components/schemas/${name}` };
    }
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, pointed(each)]));
  };
  const rest = pointed(document) as Json;
  const schemas: Record<string, unknown> = {};
  // What one of them names comes into the set while it is walked.
  for (const name of used) schemas[name] = enumerated(pointed(named[name], true));
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...(enumerated(rest) as Json), components: { ...(rest.components as Json), schemas: sorted } };
}

/** Numbers for values: equal ones for equal values, whatever the order of their members. */
class Keys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<object, number>();

  of(value: unknown): number {
    if (typeof value !== 'object' || value === null)
      return this.#number(JSON.stringify(value) ?? 'undefined');
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const text = Array.isArray(value)
      ? `[${value.map((each) => this.of(each))}]`
      : `{${Object.entries(value)
          .map(([name, each]) => `${JSON.stringify(name)}:${this.of(each)}`)
          .sort()}}`;
    const number = this.#number(text);
    this.#known.set(value, number);
    return number;
  }

  #number(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** A choice of texts as the `enum` that it is, instead of as a choice of schemas with one text each. */
function enumerated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(enumerated);
  if (!isObject(value)) return value;
  const { anyOf, ...rest } = value;
  const texts = Array.isArray(anyOf) ? anyOf.map(onlyText) : [];
  if (texts.length > 1 && !texts.includes(undefined)) return { ...rest, type: 'string', enum: texts };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, enumerated(each)]));
}

function onlyText(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== 'string' || Object.keys(schema).length !== 2) return undefined;
  const [text, ...more] = Array.isArray(schema.enum) ? schema.enum : [];
  return more.length === 0 && typeof text === 'string' ? text : undefined;
}
