/** The value itself, or what its JSON text says; undefined when the text is no JSON. */
export function parseIfText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The plaintext of a JSON value given as itself or as its text; undefined for what JSON cannot express. */
export function plaintextOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The own members of a JSON object in a map, where no key is special; undefined for anything else. */
export function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

/** A member's name as a JSON Pointer segment, or `undefined` when it is no name this registry could know. */
export function pointerSegment(key: string): string | undefined {
  return /^[a-z0-9_]{1,40}$/.test(key) ? key : undefined;
}
