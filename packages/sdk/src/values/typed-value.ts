import type { FieldTypeRegistry } from '@symbolon/field-types';
import { PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { PlainDate } from './plain-date.ts';

/** A plugin's answer (wire 2.5). */
export type PluginValue = {
  plugin: string;
  type: string;
  blocks: readonly { key: string; kind: string; label: string; id: string; value: unknown }[];
  outputs: readonly { key: string; type: string; label: string; value: unknown }[];
};

/** The members of a composite, such as an address. Has no prototype: `constructor` is a legal member. */
export type CompositeValue = Readonly<Record<string, string>>;

/** An inline plaintext in the shape of its type (wire 2.5). */
export type TypedValue = string | PlainDate | readonly string[] | CompositeValue | PluginValue;

/**
 * Gives a plaintext the shape of its type: `composite` an object, `date` a {@link PlainDate}, `multilist` a list,
 * `plugin` a plugin value, anything else and unknown types a string. A plaintext that does not fit stays a string.
 *
 * @param type the request row's type, or the field's; `undefined` when it is not known
 */
export function typedValue(
  plaintext: string,
  type: string | undefined,
  registry: FieldTypeRegistry,
): TypedValue {
  if (type === undefined) return plaintext;
  if (type === PLUGIN_TYPE) return pluginValue(plaintext) ?? plaintext;
  switch (registry.resolve(type)?.input) {
    case 'date':
      return PlainDate.parse(plaintext) ?? plaintext;
    case 'multilist':
      return textList(plaintext) ?? plaintext;
    case 'composite':
      return composite(plaintext) ?? plaintext;
    default:
      return plaintext;
  }
}

function textList(plaintext: string): readonly string[] | undefined {
  const value = parse(plaintext);
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

function composite(plaintext: string): CompositeValue | undefined {
  const value = parse(plaintext);
  if (!isObject(value) || !Object.values(value).every((member) => typeof member === 'string'))
    return undefined;
  return Object.assign(Object.create(null), value);
}

function pluginValue(plaintext: string): PluginValue | undefined {
  const value = parse(plaintext);
  if (!isObject(value) || typeof value.plugin !== 'string' || typeof value.type !== 'string')
    return undefined;
  const { plugin, type, blocks, outputs } = value;
  return { plugin, type, blocks: listOrEmpty(blocks), outputs: listOrEmpty(outputs) };
}

function listOrEmpty<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
