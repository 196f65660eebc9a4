/** A JSON object whose members are read by name: what it does not have itself is undefined. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a JSON object; undefined for what it only inherits, such as `constructor`. */
export function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined;
}
