/** Schemas of the OpenAPI document, as a reader sees them and as an example of what they describe. */
import { escaped } from './markdown.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly format?: string;
  readonly additionalProperties?: boolean | Schema;
}
export type Schemas = Readonly<Record<string, Schema>>;

/** Deeper ones are named only. */
const DEEPEST = 5;

const nameOf = ({ $ref }: Schema) => /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1];

/** What a schema says, without the reference by which it is said. */
export class SchemaReader {
  readonly #schemas: Schemas;
  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  opened(schema: Schema): Schema {
    const name = nameOf(schema);
    return name === undefined ? schema : (this.#schemas[name] ?? {});
  }

  /** Names of members with what they take, each with its own members folded below it. */
  html(schema: Schema, above: readonly string[] = []): string {
    const name = nameOf(schema);
    const opened = this.opened(schema);
    const path = name === undefined ? above : [...above, name];
    if (opened.anyOf !== undefined && !opened.anyOf.every((each) => this.#isPlain(each)))
      return opened.anyOf
        .filter((each) => this.opened(each).type !== 'null')
        .map((each, index) => `${index === 0 ? '' : '<p class="or">or</p>'}${this.html(each, path)}`)
        .join('');
    if (opened.type === 'array' && opened.items !== undefined)
      return this.#isPlain(opened.items) ? '' : this.html(opened.items, path);
    const members = Object.entries(opened.properties ?? {});
    if (members.length === 0) return '';
    const isRequired = new Set(opened.required);
    return `<ul class="members">${members.map(([member, each]) => this.#member(member, each, isRequired.has(member), path)).join('')}</ul>`;
  }

  #member(member: string, schema: Schema, isRequired: boolean, above: readonly string[]): string {
    const name = nameOf(schema);
    const opened = this.opened(schema);
    const line = `<code>${escaped(member)}</code> <span class="type">${escaped(this.typeOf(schema))}</span>${isRequired ? '' : ' <span class="optional">optional</span>'}`;
    const says = [opened.description, boundsOf(opened)].filter(Boolean).join('; ');
    const text = says === '' ? '' : `<span class="says">${escaped(says)}</span>`;
    const isKnown = name !== undefined && above.includes(name);
    const inner =
      above.length >= DEEPEST || isKnown
        ? ''
        : this.html(schema, name === undefined ? [...above, member] : above);
    return inner === ''
      ? `<li>${line}${text}</li>`
      : `<li><details><summary>${line}</summary>${text}${inner}</details></li>`;
  }

  #isPlain(schema: Schema): boolean {
    const { properties, items, anyOf } = this.opened(schema);
    if (anyOf !== undefined) return anyOf.every((each) => this.#isPlain(each));
    return properties === undefined && (items === undefined || this.#isPlain(items));
  }

  typeOf(schema: Schema): string {
    const opened = this.opened(schema);
    if (opened.enum !== undefined) return opened.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (opened.anyOf !== undefined)
      return [...new Set(opened.anyOf.map((each) => this.typeOf(each)))].join(' | ');
    if (opened.type === 'array')
      return `array of ${opened.items === undefined ? 'any' : this.typeOf(opened.items)}`;
    if (opened.type === 'object' && opened.properties !== undefined) return nameOf(schema) ?? 'object';
    return opened.type ?? 'any';
  }

  /** Something of the schema's shape, with what its examples and descriptions say of its content. */
  example(schema: Schema, member = '', depth = 0): unknown {
    const opened = this.opened(schema);
    const [given] = opened.examples ?? opened.enum ?? [];
    if (given !== undefined) return given;
    if (opened.default !== undefined) return opened.default;
    const [first] = opened.anyOf ?? [];
    if (first !== undefined) return this.example(first, member, depth);
    switch (opened.type) {
      case 'object': {
        const isRequired = new Set(opened.required);
        const members = Object.entries(opened.properties ?? {}).filter(
          ([name, each]) => isRequired.has(name) || (depth === 0 && this.#isPlain(each)),
        );
        return Object.fromEntries(members.map(([name, each]) => [name, this.example(each, name, depth + 1)]));
      }
      case 'array':
        return depth > 3 || opened.items === undefined ? [] : [this.example(opened.items, member, depth + 1)];
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return opened.minimum ?? 1;
      case 'null':
        return null;
      default:
        return textFor(member, opened);
    }
  }
}

function boundsOf({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  pattern,
  default: usual,
}: Schema): string {
  const range = (least: number | undefined, most: number | undefined, unit: string) =>
    least === undefined && most === undefined
      ? undefined
      : most === undefined
        ? `at least ${least}${unit}`
        : least === undefined
          ? `at most ${most}${unit}`
          : `${least} to ${most}${unit}`;
  return [
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    pattern === undefined || pattern.length > 60 ? undefined : `pattern ${pattern}`,
    usual === undefined ? undefined : `${JSON.stringify(usual)} when left out`,
  ]
    .filter((text) => text !== undefined)
    .join('; ');
}

/** By the name of a member, or else by what its schema says of it. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/email/, 'ops@bikeclub.example'],
  [/^(?:name|display_name|company_name|service_name|label)$/, 'Bike Club'],
  [/slug/, 'email'],
  [/share_code|company_code|code$/, 'K7M2QX'],
  [/url|uri/, 'https://shop.example/symbolon'],
  [/sha256|fingerprint|hash/, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  [/pem/, '-----BEGIN ENCRYPTED PRIVATE KEY-----\n…'],
  [/^event$/, 'field_updated'],
  [/text|body|message|description|note|reason/, 'Your bike is ready.'],
];

function textFor(member: string, { description = '', minLength = 0, format }: Schema): string {
  if (/UUIDv7/.test(description)) return '019ac2f0-7a11-7c3e-9d52-3f0a8e6b1c77';
  if (/ISO 8601/.test(description) || format === 'date-time') return '2026-05-04T09:30:00.000Z';
  if (/base64/.test(description)) return 'q83vEjRWeJA='.padEnd(Math.min(minLength, 24), 'A');
  return TEXTS.find(([pattern]) => pattern.test(member))?.[1] ?? '…';
}
